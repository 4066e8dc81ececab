package hosts

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestNoLinksInReadme checks that the README has no install links: the path of the program is
// unknown there, and hosts do not start a bare command. install --print makes links with the full
// path.
func TestNoLinksInReadme(t *testing.T) {
	links := 0
	for _, h := range KnownHosts {
		link, err := h.WebInstallLink(notes)
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
