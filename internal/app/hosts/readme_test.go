package hosts

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestNoLinksInReadme: nobody knows there where the program lies, and a host that is given
// a bare command starts nothing. install --print makes links with the full path.
func TestNoLinksInReadme(t *testing.T) {
	links := 0
	for _, h := range KnownHosts {
		link, err := h.WebLink(notes)
		if err != nil {
			t.Fatal(err)
		}
		if link == "" {
			continue
		}
		links++
		page, _, _ := strings.Cut(link, "?")
		for _, name := range []string{"README.md", "README.zh-CN.md"} {
			text, err := os.ReadFile(filepath.Join("..", "..", "..", name))
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(string(text), page+"?") {
				t.Errorf("%s links to %s", name, page)
			}
		}
	}
	if links < 3 {
		t.Errorf("%d hosts have a link for web pages", links)
	}
}
