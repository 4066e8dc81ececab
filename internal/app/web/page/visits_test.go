package page

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vademecum/index"
)

// changed indexes the folder again after change.
func (s *site) changed(change func() error) {
	s.t.Helper()
	if err := change(); err != nil {
		s.t.Fatal(err)
	}
	if _, err := s.view.Library.(*index.Index).Sync(s.t.Context(), index.Scope{}); err != nil {
		s.t.Fatal(err)
	}
}

func (s *site) write(name, text string) func() error {
	return func() error { return os.WriteFile(filepath.Join(s.dir, name), []byte(text), 0o600) }
}

// TestSinceLastVisit checks that new, changed and removed documents since the previous visit are
// listed during the whole visit and after a restart, only for the owner of the machine, and only if
// they are known.
func TestSinceLastVisit(t *testing.T) {
	kept := t.TempDir()
	isOwner := true
	s := open(t, map[string]string{"a.md": "# A\n", "b.md": "# B\n", "c.md": "# C\n", "d.pdf": "%PDF-1.4 nothing"}, func(o *Options) {
		o.VisitsDir, o.IsOwner = kept, func(*http.Request) bool { return isOwner }
	})
	now := time.Now()
	visits := newVisits(kept, s.view.Library.Folders())
	look := func() string {
		t.Helper()
		since, err := visits.look(t.Context(), s.view.Library, now)
		if err != nil {
			t.Fatal(err)
		}
		if since == nil {
			return "unknown"
		}
		return strings.Join(since.New, " ") + " | " + strings.Join(since.Changed, " ") + " | " + strings.Join(since.Gone, " ")
	}
	want := func(when, want string) {
		t.Helper()
		if got := look(); got != want {
			t.Errorf("%s: %q, want %q", when, got, want)
		}
	}
	want("at first", "unknown")
	s.changed(s.write("b.md", "# B, seen\n"))
	now = now.Add(2 * time.Minute)
	want("in the same visit", "unknown")

	now = now.Add(time.Hour)
	want("where nothing was changed", " |  | ")
	s.changed(func() error { return os.Remove(filepath.Join(s.dir, "a.md")) })
	s.changed(s.write("b.md", "# B, changed\n"))
	s.changed(s.write("e.md", "# E\n"))
	s.changed(s.write("d.pdf", "%PDF-1.4 still nothing"))
	want("at once", " |  | ") // documents are not compared each time
	now = now.Add(tellEvery)
	want("in that visit", "e.md | b.md | a.md")
	visits.note(now.Add(20*time.Minute), func() bool { return true })
	now = now.Add(45 * time.Minute)
	want("while documents are read", "e.md | b.md | a.md")
	visits = newVisits(kept, s.view.Library.Folders())
	want("after a restart", "e.md | b.md | a.md")

	now = now.Add(time.Hour)
	s.changed(func() error { return os.Remove(filepath.Join(s.dir, "e.md")) })
	s.changed(s.write("d.pdf", "now it is text, by another name of its kind"))
	want("in the next", " | d.pdf | e.md")
	if err := os.WriteFile(visits.file+endBefore, []byte("damaged"), 0o600); err != nil {
		t.Fatal(err)
	}
	visits = newVisits(kept, s.view.Library.Folders())
	want("where the file is damaged", "unknown")
	for _, file := range []string{endNow, endBefore} {
		if info, err := os.Stat(visits.file + file); err != nil || info.Mode().Perm()&0o077 != 0 && os.PathSeparator == '/' {
			t.Errorf("%s: %v, %v", file, info.Mode(), err)
		}
	}

	// What the pages show if the last visit ended an hour ago.
	now = time.Now().Add(-time.Hour)
	if err := os.RemoveAll(kept); err != nil {
		t.Fatal(err)
	}
	visits = newVisits(kept, s.view.Library.Folders())
	want("without files", "unknown")
	s.changed(func() error { return os.Remove(filepath.Join(s.dir, "c.md")) })
	s.changed(s.write("<f>.md", "# F\n"))
	if page := s.get("/library/since?what=gone"); !strings.Contains(page, `<span class="path">c.md</span>`) || !strings.Contains(page, "1 document;") || !strings.Contains(page, "It was deleted") || strings.Contains(page, "f&gt;") {
		t.Errorf("gone:\n%s", page)
	}
	if page := s.get("/library/since?what=new"); !strings.Contains(page, `&lt;f&gt;.md</a>`) || strings.Contains(page, "c.md") {
		t.Errorf("new:\n%s", page)
	}
	if line := s.get("/search?part=latest", "Sec-Fetch-Mode", "cors"); !strings.HasPrefix(line, `<section><h2>Recently changed</h2><p class="since">`) || !strings.Contains(line, "1 gone") {
		t.Errorf("the line: %s", line)
	}
	if line := s.get("/search?part=latest", "Accept-Language", "zh"); !strings.Contains(line, "新增 1 篇</a>，<a") {
		t.Errorf("the line in Chinese: %s", line)
	}
	v := request{Pages: s.pages, view: s.view, r: httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)}
	if since, isLater := v.sinceLast(0); since != nil || !isLater {
		t.Error("it is waited for where there is no time")
	}
	var late searchView
	if v.addLatest(&late, 0); !late.IsLater {
		t.Error("a page that has no time to wait asks for nothing later")
	}
	page := s.get("/search?part=latest") // this request waits for the result
	for _, want := range []string{"Since your last visit, 1 hour ago:", `<a href="/library/since?what=new">1 new</a>, <a href="/library/since?what=gone">1 gone</a></p>`} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in\n%s", want, page)
		}
	}
	if strings.Contains(page, "what=changed") || strings.Contains(page, `id="fresh"`) {
		t.Errorf("it tells what is not so:\n%s", page)
	}
	for to, want := range map[string]int{"/library/since?what=x": http.StatusNotFound, "/library/since?what=new&after=zz": http.StatusOK} {
		if w := s.send(http.MethodGet, to, nil); w.Code != want {
			t.Errorf("%s: %d", to, w.Code)
		}
	}
	isOwner = false
	if page := s.get("/"); strings.Contains(page, "1 gone") {
		t.Errorf("it tells others:\n%s", page)
	}
	if w := s.send(http.MethodGet, "/library/since?what=gone", nil); w.Code != http.StatusNotFound || strings.Contains(w.Body.String(), "c.md") {
		t.Errorf("the list tells others: %d\n%s", w.Code, w.Body)
	}
}

// TestUnreadIsNotGone checks that a file that cannot be read counts neither as changed nor as gone,
// nor as new if it never could be read.
func TestUnreadIsNotGone(t *testing.T) {
	was := index.Document{Path: "locked.md", Hash: [32]byte{1}}
	before := map[string]string{was.Path: stateOf(was), "scan.pdf": notRead}
	now := []index.Document{{Path: was.Path, SkipReason: "cannot be read"}, {Path: "scan.pdf", SkipReason: "damaged"}, {Path: "other.pdf", SkipReason: "damaged"}}
	if since := sinceThen(before, now); !since.IsSame() {
		t.Errorf("it tells %+v", since)
	}
}
