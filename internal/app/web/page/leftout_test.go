package page

import (
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"vademecum/docs/ignore"
	"vademecum/internal/app/web/signin"
)

// rules are files that rules exclude, and one that is indexed.
var rules = map[string]string{
	"report.md": "# Report\n", "old/report.md": "# Old\n", "a.log": "x", "deep/b.log": "x", ".env": "x", "deep/~$c.docx": "x", "node_modules/report.md": "x", ".gitignore": "# no logs\n*.log\n", "deep/.gitignore": "", ".vademecumignore": "old/\n",
}

// TestLeftOut checks that each exclusion is listed with its rule and where that is.
func TestLeftOut(t *testing.T) {
	s := open(t, rules, nil)
	for to, wants := range map[string][]string{
		"/library/left-out": {"pattern *.log in .gitignore, line 2", "a.log", "deep/b.log", "pattern old/ in .vademecumignore, line 1", "node_modules/", "folder filled by a program", ".env", "~$c.docx"},
		"/library/left-out?file=" + url.QueryEscape("report.md"):                                {"It is indexed and can be found."},
		"/library/left-out?file=" + url.QueryEscape("node_modules/report.md"):                   {"node_modules/", "with everything in it", "to index it, put the line !node_modules/ in a .vademecumignore next to it"},
		"/library/left-out?file=" + url.QueryEscape(filepath.Join(s.dir, "a.log")):              {"a.log", "Left out: pattern *.log in .gitignore, line 2"},
		"/library/left-out?file=nowhere":                                                        {"No file in the folders has this name."},
		"/library/left-out?lang=zh&file=b.log":                                                  {"已略过：.gitignore 第 2 行的规则 *.log"},
		"/library/left-out?rule=" + url.QueryEscape("pattern old/ in .vademecumignore, line 1"): {"old/", "files and folders: 1"},
	} {
		page := html.UnescapeString(s.get(to))
		for _, want := range wants {
			if !strings.Contains(page, want) {
				t.Errorf("%s has no %q:\n%s", to, want, page)
			}
		}
	}
	if page := s.get("/library"); !strings.Contains(page, `href="/library/left-out"`) || !strings.Contains(page, `name="file"`) {
		t.Errorf("the library does not lead there:\n%s", page)
	}
}

// TestLeftOutIsPrivate checks that only the owner of the folders sees the names of excluded files.
func TestLeftOutIsPrivate(t *testing.T) {
	s := open(t, rules, tokens{"reads": {ID: "r", Scopes: []string{signin.ScopeRead}}, "keeps": {ID: "k", Scopes: signin.DocumentScopes}}.ask)
	for token, want := range map[string]int{"reads": http.StatusForbidden, "keeps": http.StatusOK} {
		s.cookie = nil
		s.send(http.MethodPost, "/sign-in", url.Values{"token": {token}})
		for _, to := range []string{"/library/left-out", "/library/left-out?file=env", "/library/left-out?rule=" + url.QueryEscape(string(ignore.HiddenFile))} {
			if w := s.send(http.MethodGet, to, nil); w.Code != want || strings.Contains(w.Body.String(), ".env") != (want == http.StatusOK) {
				t.Errorf("who %s gets %d for %s:\n%s", token, w.Code, to, w.Body)
			}
		}
		if got := strings.Contains(s.get("/library"), "/library/left-out"); got != (want == http.StatusOK) {
			t.Errorf("who %s is led there: %t", token, got)
		}
	}
	far := open(t, rules, nil)
	if w := far.send(http.MethodGet, "/library/left-out", nil, "X-Forwarded-For", "203.0.113.9"); w.Code != http.StatusForbidden {
		t.Errorf("behind a proxy: %d", w.Code)
	}
}

// TestLeftOutPages checks that a long list of exclusions has pages.
func TestLeftOutPages(t *testing.T) {
	files := map[string]string{".gitignore": "*.log\n"}
	for i := range 2*pageLength + 7 {
		files[fmt.Sprintf("n%03d.log", i)] = "x"
	}
	s := open(t, files, nil)
	seen, pages := make(map[string]bool), 0
	for next := "/library/left-out?rule=" + url.QueryEscape("pattern *.log in .gitignore, line 1"); next != "" && pages < 5; pages++ {
		page := s.get(next)
		next = ""
		elements(t, page, func(n *html.Node, a map[string]string) {
			switch {
			case a["class"] == "path" && n.FirstChild != nil:
				seen[n.FirstChild.Data] = true
			case a["rel"] == "next":
				next = a["href"]
			}
		})
	}
	if len(seen) != 2*pageLength+7 || pages != 3 {
		t.Errorf("%d files on %d pages", len(seen), pages)
	}
}
