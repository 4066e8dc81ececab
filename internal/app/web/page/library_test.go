package page

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"vademecum/internal/app/web/access"

	"golang.org/x/net/html"

	"vademecum/index"
	"vademecum/index/notice"
	"vademecum/index/progress"
)

// TestLibrary checks that the page of the library shows what is indexed and what is not.
func TestLibrary(t *testing.T) {
	s := open(t, notes, nil)
	page := s.get("/library")
	for _, want := range []string{"5 documents", "Markdown", "#lungs", "broken.pdf", "1 file", "builtin/1", "no text leaves the machine", "Other servers", s.dir, "Up to date."} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in\n%s", want, page)
		}
	}
	if err := os.WriteFile(filepath.Join(s.dir, "new.md"), []byte("# New\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := s.view.Library.Sync(t.Context(), index.Scope{}); err != nil {
		t.Fatal(err)
	}
	kept := &s.pages.liveOf(s.view).kept
	v := &request{Pages: s.pages, view: s.view, r: httptest.NewRequest(http.MethodGet, "/", nil)}
	kept.last.made = time.Now().Add(-2 * freshFor)
	if _, err := v.summary(); err != nil {
		t.Error(err)
	}
	if kept.last.Documents != 6 {
		t.Errorf("a new document is not told of: %d", kept.last.Documents)
	}
	if page := s.get("/library/state"); !strings.Contains(page, "6 documents") || strings.Contains(page, "<html") {
		t.Errorf("%s", page)
	}
}

// TestEmptyFolder checks that a folder without readable files is reported.
func TestEmptyFolder(t *testing.T) {
	s := open(t, map[string]string{"old.doc": "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 old"}, nil)
	for _, to := range []string{"/", "/search?q=hello", "/library"} {
		if page := s.get(to); !strings.Contains(page, "No document was found that can be read.") {
			t.Errorf("%s says nothing of it:\n%s", to, page)
		}
	}
	if page := open(t, notes, nil).get("/search?q=hello"); strings.Contains(page, "No document was found") {
		t.Errorf("it is said of a full folder:\n%s", page)
	}
}

// TestPages checks that a long list has pages that contain each line once.
func TestPages(t *testing.T) {
	files := make(map[string]string)
	for i := range 2*pageLength + 7 {
		files[fmt.Sprintf("n%03d.md", i)] = fmt.Sprintf("# Note %d\n", i)
		files[fmt.Sprintf("bad/b%03d.md", i)] = "\x00\x01"
	}
	s := open(t, files, nil)
	reason := ""
	elements(t, s.get("/library"), func(n *html.Node, a map[string]string) {
		if strings.HasPrefix(a["href"], "/library/skipped") {
			reason = a["href"]
		}
	})
	for to, want := range map[string]int{"/library/documents": 2*pageLength + 7, "/library/documents?kind=Markdown": 2*pageLength + 7, reason: 2*pageLength + 7} {
		seen, pages := make(map[string]bool), 0
		for next := to; next != "" && pages < 5; pages++ {
			page := s.get(next)
			next = ""
			elements(t, page, func(n *html.Node, a map[string]string) {
				switch {
				case a["class"] == "path" && n.FirstChild != nil:
					if seen[n.FirstChild.Data] {
						t.Errorf("%s is told twice", n.FirstChild.Data)
					}
					seen[n.FirstChild.Data] = true
				case a["rel"] == "next":
					next = a["href"]
				}
			})
		}
		if len(seen) != want || pages != 3 {
			t.Errorf("%s has %d lines on %d pages", to, len(seen), pages)
		}
	}
}

// TestStates checks that each state of the index is described.
func TestStates(t *testing.T) {
	for want, state := range map[string]progress.State{
		"The index is being loaded.":        {Phase: progress.Loading},
		"being compared with the index.":    {Phase: progress.Scanning},
		"Reading: 1,200 of 5,000 files":     {Phase: progress.Indexing, FilesDone: 1200, FilesTotal: 5000},
		"Removing: 256 of 3,000 documents":  {Phase: progress.Indexing, FilesDone: 5000, FilesTotal: 5000, RemoveDone: 256, RemoveTotal: 3000},
		"cannot be used: disk &lt;gone&gt;": {Phase: progress.Failed, Failure: "disk <gone>"},
		"The last run failed: no luck":      {Phase: progress.Ready, Failure: "no luck"},
		"Embedding: 10 of 200 passages":     {Phase: progress.Ready, EmbedDone: 10, EmbedTotal: 200},
		"gives no vectors: refused":         {Phase: progress.Ready, EmbedFailure: "refused"},
	} {
		var out strings.Builder
		if err := sheets["en"]().ExecuteTemplate(&out, "state", stateView{State: state}); err != nil || !strings.Contains(out.String(), want) {
			t.Errorf("no %q in %s, %v", want, out.String(), err)
		}
	}
}

// TestChineseSigns checks that Chinese sentences have Chinese punctuation and no spaces between
// them.
func TestChineseSigns(t *testing.T) {
	s := open(t, notes, nil)
	for to, want := range map[string]string{"/library/state": "已是最新。上次", "/search?q=spacer": " 个段落，", "/doc?path=asthma.md": " B，"} {
		if page := s.get(to, "Accept-Language", "zh"); !strings.Contains(page, want) {
			t.Errorf("%s: no %s in\n%s", to, want, page)
		}
	}
}

// TestReasons checks that files are grouped by reason, the most frequent first, with the number of
// those not listed.
func TestReasons(t *testing.T) {
	var skipped []notice.SkippedFile
	for i := range 20 {
		skipped = append(skipped, notice.SkippedFile{Path: fmt.Sprint(i), Reason: "often"})
	}
	all := reasonsOf(append([]notice.SkippedFile{{Path: "x", Reason: "once"}}, skipped...))
	if len(all) != 2 || all[0].Reason != "often" || all[0].Count != 20 || len(all[0].Files) != mostNamed || all[1].Count != 1 {
		t.Errorf("%+v", all)
	}
}

// TestAdd checks that the snippets for hosts have the paths of the served folders or, without a
// program to start, the URL.
func TestAdd(t *testing.T) {
	s := open(t, notes, nil)
	page := s.get("/add")
	for _, want := range []string{"/bin/vademecum install claude-desktop " + s.dir, "mcpServers", "cursor://anysphere", "http://localhost/mcp", "codex"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q", want)
		}
	}
	far := open(t, notes, func(o *Options) { o.ServerDescription = ServerDescription{URL: "https://kb.example.com/mcp"} })
	page = far.get("/add")
	if strings.Contains(page, far.dir) || strings.Contains(page, "/bin/vademecum") || !strings.Contains(page, "https://kb.example.com/mcp") || !strings.Contains(page, "vademecum install claude-desktop --url https://kb.example.com/mcp") {
		t.Errorf("from afar:\n%s", page)
	}
}

// TestReveal checks that files are opened only on this machine, and only files that no desktop
// executes.
func TestReveal(t *testing.T) {
	for _, local := range []bool{true, false} {
		s := open(t, notes, func(o *Options) { o.IsForLocalUser = local })
		t.Setenv("DISPLAY", "")
		t.Setenv("WAYLAND_DISPLAY", "")
		want := http.StatusForbidden
		if local {
			want = http.StatusInternalServerError // this machine has no desktop
		}
		if w := s.send(http.MethodPost, "/reveal", url.Values{"path": {"asthma.md"}, "how": {"open"}}); w.Code != want && !local {
			t.Errorf("local %t: %d", local, w.Code)
		}
		if got := strings.Contains(s.get("/doc?path=asthma.md"), "/reveal"); got != local {
			t.Errorf("local %t: a button is there: %t", local, got)
		}
	}
	s := open(t, notes, nil)
	if w := s.send(http.MethodPost, "/reveal", url.Values{"path": {"asthma.md"}}, "X-Forwarded-For", "203.0.113.9"); w.Code != http.StatusForbidden {
		t.Errorf("behind a proxy: %d", w.Code)
	}
	if page := s.get("/add", "X-Forwarded-For", "203.0.113.9"); strings.Contains(page, s.dir) {
		t.Error("a proxy passes on paths of this machine")
	}
}

// waitingScans is a library with scanned pages that are waiting for recognition.
type waitingScans struct{ access.Library }

func (w waitingScans) FreshnessNotes() []notice.Note {
	return []notice.Note{{Kind: notice.PagesToRecognise, Count: 14}}
}

// TestWaitingScansAreTold checks that waiting scans are reported on the first page and on that of
// the library.
func TestWaitingScansAreTold(t *testing.T) {
	s := open(t, notes, nil)
	s.view.Library = waitingScans{s.view.Library}
	for _, to := range []string{"/", "/library", "/library/state"} {
		if page := s.get(to); !strings.Contains(page, "The text of 14 scanned pages is still to be recognised") {
			t.Errorf("%s does not tell it: %s", to, page)
		}
	}
}
