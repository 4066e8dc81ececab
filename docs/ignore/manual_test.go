package ignore

import (
	"os"
	"strings"
	"testing"
)

// TestManualNamesFilledFolders: the manual names each folder that is left out by its name, and the
// files that decide.
func TestManualNamesFilledFolders(t *testing.T) {
	for _, page := range []string{"formats.md", "formats.zh.md"} {
		text, err := os.ReadFile("../../internal/app/manual/" + page)
		if err != nil {
			t.Fatal(err)
		}
		for name, marks := range filledFolders {
			for _, word := range append([]string{name}, marks...) {
				if !strings.Contains(string(text), "`"+word+"`") {
					t.Errorf("%s does not have %s", page, word)
				}
			}
		}
	}
}
