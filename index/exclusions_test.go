package index

import (
	"path/filepath"
	"strings"
	"testing"

	"vademecum/index/indextest"
	"vademecum/index/sync"
)

// TestSeek: of any file that somebody misses it is told whether it is found, and else
// why not, by its name, a part of its path or its path, in whatever writing.
func TestSeek(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{
		"notes/Report.md": "The spacer.", "notes/report.pdf": "%PDF-1.4 harm", "drafts/report.md": "Not yet.", "node_modules/x/report.md": "Code.", ".report.md": "Hidden.",
		"one.md": "One.", "notes/one.md": "Another.",
		".gitignore": "\n/drafts/\n", "caf\u00e9.md": "Coffee.",
	})
	ix := open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	left, err := ix.Exclusions(t.Context())
	indextest.Must(t, err)
	for asked, want := range map[string]string{
		"report.md":                        "notes/Report.md: it is indexed and can be found",
		".report.md":                       ".report.md: left out: hidden: its name begins with a dot",
		"eport.md":                         ".report.md: left out: hidden: its name begins with a dot; notes/Report.md: it is indexed and can be found",
		"notes":                            "notes/Report.md: it is indexed and can be found; notes/one.md: it is indexed and can be found; notes/report.pdf: not indexed: damaged PDF",
		"notes/report":                     "notes/Report.md: it is indexed and can be found; notes/report.pdf: not indexed: damaged PDF",
		"drafts/report.md":                 "drafts/: left out with everything in it: pattern /drafts/ in .gitignore, line 2",
		"./node_modules/x/report.md":       "node_modules/: left out with everything in it: folder filled by a program; to index it, put the line !node_modules/ in a .vademecumignore next to it",
		"CAFE\u0301":                       "caf\u00e9.md: it is indexed and can be found",
		"one.md":                           "one.md: it is indexed and can be found; notes/one.md: it is indexed and can be found",
		filepath.Join(n.Dir, "one.md"):     "one.md: it is indexed and can be found",
		filepath.Join(n.Dir, "notes"):      "notes/Report.md: it is indexed and can be found; notes/one.md: it is indexed and can be found; notes/report.pdf: not indexed: damaged PDF",
		filepath.Join(n.Dir, "port.md"):    "",
		filepath.Join(n.Dir, "drafts", ""): "drafts/: left out with everything in it: pattern /drafts/ in .gitignore, line 2",
		"nowhere":                          "",
		"":                                 "",
	} {
		all, err := ix.FindFiles(t.Context(), asked, left)
		indextest.Must(t, err)
		var got []string
		for _, f := range all {
			got = append(got, f.Message().String())
		}
		if got := strings.Join(got, "; "); got != want {
			t.Errorf("%q means\n%s, want\n%s", asked, got, want)
		}
	}
}

// TestLeftOut: what is left out is reported with the name of its folder, where there are
// several.
func TestLeftOut(t *testing.T) {
	t.Parallel()
	a, b := indextest.NewNotesFolder(t, map[string]string{"x.tmp": "x"}), indextest.NewNotesFolder(t, map[string]string{".h/y.md": "x", "y.md": "x"})
	ix := openOn(t, []string{filepath.Join(t.TempDir(), "a.db"), filepath.Join(t.TempDir(), "b.db")}, indextest.NewCountingModel(t), a.Dir, b.Dir)
	left, err := ix.Exclusions(t.Context())
	indextest.Must(t, err)
	if len(left) != 2 || !strings.HasSuffix(left[0].Path, "/x.tmp") || !strings.HasSuffix(left[1].Path, "/.h") || !left[1].IsDir {
		t.Errorf("%+v", left)
	}
}
