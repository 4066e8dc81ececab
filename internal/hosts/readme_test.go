package hosts

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLinksOfReadme holds the links of the README, which nobody can check by eye, to
// the code that makes those of install --print.
func TestLinksOfReadme(t *testing.T) {
	placeholder := Server{Name: "vademecum", Program: "vademecum", Args: []string{"serve", "/path/to/notes"}}
	for _, name := range []string{"README.md", "README.zh-CN.md"} {
		text, err := os.ReadFile(filepath.Join("..", "..", name))
		if err != nil {
			t.Fatal(err)
		}
		links := 0
		for _, h := range All {
			link, err := h.WebLink(placeholder)
			if err != nil {
				t.Fatal(err)
			}
			if link == "" {
				continue
			}
			links++
			if want := "[" + h.Title + "](" + link + ")"; !strings.Contains(string(text), want) {
				t.Errorf("%s has no %s", name, want)
			}
		}
		if links < 3 {
			t.Errorf("%d hosts have a link for web pages", links)
		}
	}
}
