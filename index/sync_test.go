package index

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/text/encoding/simplifiedchinese"

	"vademecum/docs"
	"vademecum/index/indextest"
	"vademecum/index/live"
	"vademecum/index/notice"
	"vademecum/index/search"
	"vademecum/index/store/catalog"
	"vademecum/index/sync"
)

func TestSyncFollowsTheFolder(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{
		"a.md":      "# Asthma\n\nThe blue inhaler relieves an attack.",
		"sub/b.txt": "Warfarin needs regular blood tests.",
	})
	e := indextest.NewCountingModel(t)
	ix := open(t, t.TempDir(), e, n.Dir)

	steps := []struct {
		name            string
		change          func()
		indexed, gone   int
		embedded        int
		listed, query   string
		first, mustMiss string
	}{
		{name: "first", change: func() {}, indexed: 2, embedded: 2, listed: "a.md sub/b.txt", query: "inhaler attack", first: "a.md"},
		{name: "nothing", change: func() {}, listed: "a.md sub/b.txt", query: "warfarin tests", first: "sub/b.txt"},
		{name: "edit", change: func() { n.Write("a.md", "# Asthma\n\nThe purple inhaler prevents attacks.") },
			indexed: 1, embedded: 1, listed: "a.md sub/b.txt", query: "purple inhaler", first: "a.md"},
		{name: "rename", change: func() { n.Rename("sub/b.txt", "deep/er/blood.txt") },
			indexed: 1, gone: 1, embedded: 0, listed: "a.md deep/er/blood.txt", query: "warfarin tests", first: "deep/er/blood.txt", mustMiss: "sub/b.txt"},
		{name: "create", change: func() { n.Write("c.txt", "十二个字的一条短笔记内容") },
			indexed: 1, embedded: 1, listed: "a.md c.txt deep/er/blood.txt", query: "短笔记", first: "c.txt"},
		{name: "delete a folder", change: func() { n.Remove("deep") }, gone: 1, listed: "a.md c.txt", query: "warfarin tests", mustMiss: "deep/er/blood.txt"},
		{name: "restore", change: func() { n.Write("back.txt", "Warfarin needs regular blood tests.") },
			indexed: 1, embedded: 0, listed: "a.md back.txt c.txt", query: "warfarin", first: "back.txt"},
	}
	for _, s := range steps {
		s.change()
		r := mustSync(t, ix, sync.Scope{})
		if r.Indexed != s.indexed || r.Removed != s.gone {
			t.Errorf("%s: indexed %d, removed %d; want %d and %d", s.name, r.Indexed, r.Removed, s.indexed, s.gone)
		}
		if got := e.TakeCount(); got != s.embedded {
			t.Errorf("%s: embedded %d texts, want %d", s.name, got, s.embedded)
		}
		if got := listed(ix); got != s.listed {
			t.Errorf("%s: documents %q, want %q", s.name, got, s.listed)
		}
		got := found(mustSearch(t, ix, Query{Text: s.query}))
		if s.first != "" && !strings.HasPrefix(got, s.first) {
			t.Errorf("%s: %q found %q, want %s first", s.name, s.query, got, s.first)
		}
		if s.mustMiss != "" && strings.Contains(got, s.mustMiss) {
			t.Errorf("%s: %q found %s, which is gone", s.name, s.query, s.mustMiss)
		}
	}
}

func TestSyncNoticesSameSizeAndTime(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{"a.txt": "alpha one"})
	ix := open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	info, err := os.Stat(n.Path("a.txt"))
	if err != nil {
		t.Fatal(err)
	}
	n.Write("a.txt", "gamma two")
	if err := os.Chtimes(n.Path("a.txt"), info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
	if r := mustSync(t, ix, sync.Scope{}); r.Indexed != 1 {
		t.Errorf("a change within the tick of the clock was missed: %+v", r)
	}
}

// TestSyncNoticesReplacedFiles swaps files for others of the same size and time,
// and has the time put back, long after they were read.
func TestSyncNoticesReplacedFiles(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{"a.txt": "alpha one", "b.txt": "delta six", "c.txt": "theta ten"})
	past := time.Now().Add(-time.Hour)
	n.SetTime("a.txt", past)
	n.SetTime("b.txt", past)
	n.SetTime("c.txt", past)
	ix := open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	readLongAgo(ix)
	if r := mustSync(t, ix, sync.Scope{}); r.Unchanged != 3 {
		t.Fatalf("nothing changed: %+v", r)
	}

	n.Write(".new", "gamma two") // mv of a file of the same size and time
	n.SetTime(".new", past)
	n.Rename(".new", "a.txt")
	n.Write("b.txt", "kappa nil") // written in place, then touch -r
	n.SetTime("b.txt", past)
	info, err := docs.Open(n.Dir)
	if err != nil {
		t.Fatal(err)
	}
	defer info.Close()
	files, err := info.Scan(t.Context(), "a.txt")
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	if files[0].ChangeTime.IsZero() { // then only events tell
		mustSync(t, ix, sync.Scope{Paths: []string{"a.txt", "b.txt"}})
	} else if r := mustSync(t, ix, sync.Scope{}); r.Indexed != 2 || r.Unchanged != 1 {
		t.Errorf("report %+v", r)
	}
	for question, path := range map[string]string{"gamma": "a.txt", "kappa": "b.txt", "theta": "c.txt"} {
		if got := found(mustSearch(t, ix, Query{Text: question, TopK: 1})); got != path {
			t.Errorf("%s is found in %q", question, got)
		}
	}
}

// TestEventsAreBelieved has a file read that is reported, although all that the
// system says of it is as it was.
func TestEventsAreBelieved(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{"a.txt": "alpha one", "book.html": "<p>delta six</p>"})
	ix := open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	for p, text := range map[string]string{"a.txt": "gamma two", "book.html": "<p>kappa nil</p>"} {
		n.Write(p, text)
		looksAsBefore(t, ix, p)
	}
	if r := mustSync(t, ix, sync.Scope{}); r.Unchanged != 2 {
		t.Fatalf("they look as before: %+v", r)
	}
	if r := mustSync(t, ix, sync.Scope{Paths: []string{"a.txt", "book.html"}}); r.Indexed != 2 {
		t.Errorf("report %+v", r)
	}
}

// readLongAgo has all documents be read so long after their last change that
// they cannot have changed unseen.
func readLongAgo(ix *Index) {
	for _, d := range ix.store.DocumentsIn(0, live.AnyPath) {
		r := d.Record()
		r.ReadAt = time.Now().Add(time.Hour)
		ix.store.TouchInMemory(d.Folder, []catalog.Record{r})
	}
}

// looksAsBefore has a document be of the size and times that its file has now.
func looksAsBefore(t *testing.T, ix *Index, p string) {
	t.Helper()
	files, err := ix.folders[0].Scan(t.Context(), p)
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	d, ok := ix.store.Document(search.Location{Folder: 0, Path: p})
	if !ok {
		t.Fatalf("there is no %s", p)
	}
	r := d.Record()
	r.Size, r.Modified, r.ChangeTime, r.ReadAt = files[0].Size, files[0].ModTime, files[0].ChangeTime, time.Now().Add(time.Hour)
	ix.store.TouchInMemory(0, []catalog.Record{r})
}

// TestPermissionTakenAway has the text of a file be forgotten when the file can
// be read no more, and a picture not wait then.
func TestPermissionTakenAway(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"a.md", "a.jpg", "a.tif"} {
		t.Run(name, func(t *testing.T) { testPermissionTakenAway(t, name) })
	}
}

func testPermissionTakenAway(t *testing.T, name string) {
	n := indextest.NewNotesFolder(t, map[string]string{name: "II*\x00alpha"})
	ix := open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	readLongAgo(ix)
	if err := os.Chmod(n.Path(name), 0); err != nil {
		t.Fatal(err)
	}
	if f, err := os.Open(n.Path(name)); err == nil {
		f.Close()
		t.Skip("this user may read everything")
	}
	if r := mustSync(t, ix, sync.Scope{}); len(r.Skipped) != 1 || r.Skipped[0].Reason.String() != "cannot be read: permission denied" {
		t.Errorf("report %+v", r)
	}
}

func TestSecondOpenReadsNothing(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{"a.md": "# A\n\ntext of a", "b.md": "# B\n\ntext of b", "photo.png": "\x89PNG\r\n\x1a\n"})
	for _, p := range []string{"a.md", "b.md", "photo.png"} {
		n.Backdate(p)
	}
	files, e := t.TempDir(), indextest.NewCountingModel(t)
	first, err := New(Options{Folders: []string{n.Dir}, IndexPaths: []string{filepath.Join(files, "x.db")}, Embedder: e, Logger: indextest.QuietLog})
	if err != nil {
		t.Fatal(err)
	}
	if err := first.Load(t.Context()); err != nil {
		t.Fatal(err)
	}
	mustSync(t, first, sync.Scope{})
	want := found(mustSearch(t, first, Query{Text: "text of b"}))
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	e.TakeCount()

	second, err := New(Options{Folders: []string{n.Dir}, IndexPaths: []string{filepath.Join(files, "x.db")}, Embedder: e, Logger: indextest.QuietLog})
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	if err := second.Load(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := found(mustSearch(t, second, Query{Text: "text of b"})); got != want {
		t.Errorf("before the scan the second start finds %q, the first %q", got, want)
	}
	r := mustSync(t, second, sync.Scope{})
	if r.Indexed != 0 || r.Unchanged != 2 || len(r.Skipped) != 1 || e.TakeCount() != 0 {
		t.Errorf("second start: %+v", r)
	}
}

func TestSyncScope(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{"a.md": "alpha", "sub/b.md": "beta", "sub/c.txt": "gamma", "sub/deep/d.md": "delta"})
	for _, tt := range []struct {
		paths   []string
		indexed int
		err     string
	}{
		{paths: []string{"a.md"}, indexed: 1},
		{paths: []string{"sub"}, indexed: 3},
		{paths: []string{"sub/"}, indexed: 3},
		{paths: []string{"sub/*.md"}, indexed: 1},
		{paths: []string{"sub/**/*.md"}, indexed: 2},
		{paths: []string{"*.md"}, indexed: 3},
		{paths: []string{"a.md", "sub/c.txt"}, indexed: 2},
		{paths: []string{n.Path("sub/b.md")}, indexed: 1},
		{paths: []string{"nope.md"}, err: "nothing in the folder matches nope.md"},
		{paths: []string{"../x.md"}, err: "path ../x.md is outside the folder"},
		{paths: []string{"/etc/passwd"}, err: "path /etc/passwd is outside the folder"},
		{paths: []string{"sub/[z"}, err: "not a valid glob"},
	} {
		ix := open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
		r, err := ix.Sync(t.Context(), sync.Scope{Paths: tt.paths})
		switch {
		case tt.err == "" && err != nil:
			t.Errorf("%q: %v", tt.paths, err)
		case tt.err != "" && (err == nil || !strings.Contains(err.Error(), tt.err)):
			t.Errorf("%q: error %v, want %q", tt.paths, err, tt.err)
		case r.Indexed != tt.indexed:
			t.Errorf("%q: indexed %d, want %d", tt.paths, r.Indexed, tt.indexed)
		}
	}
}

func TestForceReadsAgainWithoutEmbedding(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{"a.md": "alpha", "b.md": "beta"})
	e := indextest.NewCountingModel(t)
	ix := open(t, t.TempDir(), e, n.Dir)
	mustSync(t, ix, sync.Scope{})
	e.TakeCount()
	if r := mustSync(t, ix, sync.Scope{Force: true}); r.Indexed != 2 {
		t.Errorf("force: %+v", r)
	}
	if got := e.TakeCount(); got != 0 {
		t.Errorf("force embedded %d texts again", got)
	}
}

func TestModelDown(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{"a.md": "The blue inhaler relieves an attack."})
	e := indextest.NewCountingModel(t)
	e.IsDown = true
	ix := open(t, t.TempDir(), e, n.Dir)
	if r, err := ix.Sync(t.Context(), sync.Scope{}); err != nil || r.Indexed != 1 {
		t.Fatalf("while the model is down: %+v, %v", r, err)
	}
	if err := ix.Embed(t.Context()); err == nil || !strings.Contains(err.Error(), "connection refused") {
		t.Errorf("Embed: %v", err)
	}
	a := mustSearch(t, ix, Query{Text: "inhaler"})
	if found(a) != "a.md" || a.Passages[0].VectorRank != 0 {
		t.Errorf("the words do not find it: %+v", a.Passages)
	}
	if notes := strings.Join(notice.EnglishLines(a.Notes), "\n"); !strings.Contains(notes, "words only") || !strings.Contains(notes, "1 of 1 passages have no vector") {
		t.Errorf("the answer does not tell: %q", notes)
	}
	e.SetDown(false)
	mustSync(t, ix, sync.Scope{})
	if a := mustSearch(t, ix, Query{Text: "inhaler"}); a.Passages[0].VectorRank != 1 || len(a.Notes) != 0 {
		t.Errorf("after it came back: %+v %q", a.Passages[0], a.Notes)
	}
}

// TestRefusedText: a text that the model does not take costs no other its
// vector, and is not sent again.
func TestRefusedText(t *testing.T) {
	t.Parallel()
	files := make(map[string]string)
	for i := range 200 {
		files[fmt.Sprintf("%d.md", i)] = fmt.Sprintf("Note number %d on the heart.", i)
	}
	files["bad.md"] = "This one is REFUSED by the model."
	e := indextest.NewCountingModel(t)
	e.RefusedWord = "REFUSED"
	ix := open(t, t.TempDir(), e, indextest.NewNotesFolder(t, files).Dir)
	mustSync(t, ix, sync.Scope{})
	if chunks, bare := ix.store.CountChunks(); chunks != 201 || bare != 1 {
		t.Errorf("%d of %d chunks have no vector, want one", bare, chunks)
	}
	e.TakeCount()
	mustSync(t, ix, sync.Scope{})
	if got := e.TakeCount(); got != 0 {
		t.Errorf("%d texts were sent again", got)
	}
	if got := found(mustSearch(t, ix, Query{Text: "refused", TopK: 1})); got != "bad.md" {
		t.Errorf("the words find %q", got)
	}
}

// TestModelOfAnotherLength: a server may give another model the same name.
func TestModelOfAnotherLength(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{"a.md": "alpha", "b.md": "beta"})
	e := indextest.NewCountingModel(t)
	ix := open(t, t.TempDir(), e, n.Dir)
	mustSync(t, ix, sync.Scope{})
	e.ReturnsShortVectors = true
	if got := found(mustSearch(t, ix, Query{Text: "alpha", TopK: 1})); got != "a.md" {
		t.Errorf("with vectors that do not fit: %q", got)
	}
	n.Write("c.md", "gamma")
	mustSync(t, ix, sync.Scope{})
	if a := mustSearch(t, ix, Query{Text: "beta", TopK: 1}); found(a) != "b.md" || a.Passages[0].VectorRank != 1 {
		t.Errorf("after the change: %+v", a.Passages)
	}
	if _, bare := ix.store.CountChunks(); bare != 0 {
		t.Errorf("%d chunks have no vector", bare)
	}
	for _, c := range held(t, ix) {
		if len(c.Vector) != 256 {
			t.Errorf("%s has a vector of %d dimensions", c.Document.Path, len(c.Vector))
		}
	}
}

func TestUnreadableFileIsTriedAgain(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{"a.md": "alpha"})
	if err := os.Chmod(n.Path("a.md"), 0); err != nil {
		t.Fatal(err)
	}
	if f, err := os.Open(n.Path("a.md")); err == nil {
		f.Close()
		t.Skip("this user may read everything")
	}
	ix := open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	if r := mustSync(t, ix, sync.Scope{}); len(r.Skipped) != 1 || r.Skipped[0].Reason.String() != "cannot be read: permission denied" {
		t.Errorf("report %+v", r)
	}
	if err := os.Chmod(n.Path("a.md"), 0o644); err != nil {
		t.Fatal(err)
	}
	if r := mustSync(t, ix, sync.Scope{}); r.Indexed != 1 {
		t.Errorf("after it can be read: %+v", r)
	}
}

func TestChangeOfModel(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{"a.md": "alpha", "b.md": "beta"})
	files := t.TempDir()
	old := indextest.NewCountingModel(t)
	reopen := func(e *indextest.CountingModel) (embedded int) {
		t.Helper()
		ix, err := New(Options{Folders: []string{n.Dir}, IndexPaths: []string{filepath.Join(files, "x.db")}, Embedder: e, Logger: indextest.QuietLog})
		if err != nil {
			t.Fatal(err)
		}
		defer ix.Close()
		if err := ix.Load(t.Context()); err != nil {
			t.Fatal(err)
		}
		mustSync(t, ix, sync.Scope{})
		if _, bare := ix.store.CountChunks(); bare != 0 {
			t.Errorf("%d chunks without a vector", bare)
		}
		return e.TakeCount()
	}
	reopen(old)
	other := indextest.NewCountingModel(t)
	other.Name = "other/1"
	if embedded := reopen(other); embedded != 2 {
		t.Errorf("another model: embedded %d, want 2", embedded)
	}
	if embedded := reopen(old); embedded != 0 {
		t.Errorf("back to the first model: embedded %d texts again", embedded)
	}
}

func TestSkippedFiles(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{
		"good.md":        "fine",
		"empty.txt":      " \n\t\n",
		"binary.txt":     "a\x00b\x00\x01\x02\xff\xfe",
		"photo.png":      "\x89PNG",
		".hidden.md":     "hidden",
		".gitignore":     "ignored.md\n",
		"ignored.md":     "ignored",
		"new\nline.md":   "a name with a line break",
		"sub/.ignored/x": "hidden folder",
	})
	ix := open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	r := mustSync(t, ix, sync.Scope{})
	if r.Indexed != 2 || len(r.Skipped) != 3 {
		t.Errorf("report %+v", r)
	}
	got := listed(ix)
	for _, want := range []string{"good.md", "new\nline.md", "empty.txt(empty)", "binary.txt(not text", "photo.png(the picture is damaged"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not listed in %q", want, got)
		}
	}
	if again := mustSync(t, ix, sync.Scope{}); again.Indexed != 0 || len(again.Skipped) != 3 {
		t.Errorf("second time: %+v", again)
	}
	// A file that becomes text is taken in.
	n.Write("empty.txt", "not empty any more")
	if again := mustSync(t, ix, sync.Scope{}); again.Indexed != 1 || len(again.Skipped) != 2 {
		t.Errorf("after a fix: %+v", again)
	}
	if _, err := ix.Read(t.Context(), ReadQuery{Ref: "photo.png"}); err == nil || !strings.Contains(err.Error(), "not indexed: the picture is damaged") {
		t.Errorf("reading a skipped file: %v", err)
	}
}

func TestNewRefuses(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{"a.md": "alpha", "sub/b.md": "beta"})
	for _, tt := range []struct {
		folders []string
		want    string
	}{
		{nil, "no folder given"},
		{[]string{n.Path("nope")}, "no such folder"},
		{[]string{n.Path("a.md")}, "not a folder"},
		{[]string{n.Dir, n.Dir}, "given twice"},
		{[]string{n.Dir, n.Path("sub")}, "give only the outer one"},
	} {
		_, err := New(Options{Folders: tt.folders, Embedder: indextest.NewCountingModel(t)})
		if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: error %v, want one line with %q", tt.folders, err, tt.want)
		}
	}
}

func TestReadErrors(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{"a.md": "one\ntwo\nthree"})
	ix := open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	for _, ref := range []string{"nope.md", "file:///etc/passwd", n.Dir, "vademecum:text/00", "a.md\n"} {
		if _, err := ix.Read(t.Context(), ReadQuery{Ref: ref}); !errors.Is(err, ErrNotFound) {
			t.Errorf("%q: error %v, want ErrNotFound", ref, err)
		}
	}
	for _, ref := range []string{"../a.md", "sub/../../a.md"} {
		if _, err := ix.Read(t.Context(), ReadQuery{Ref: ref}); err == nil || !strings.Contains(err.Error(), "is outside the folder") {
			t.Errorf("%q: error %v", ref, err)
		}
	}
	if _, err := ix.Read(t.Context(), ReadQuery{Ref: "a.md", StartLine: 9, EndLine: 0}); err == nil {
		t.Error("a line after the end is read")
	}
}

func TestOlderEncodings(t *testing.T) {
	t.Parallel()
	gbk, err := simplifiedchinese.GB18030.NewEncoder().String("心脏病患者应当少盐。\n胸痛不缓解时叫救护车。\n")
	if err != nil {
		t.Fatal(err)
	}
	n := indextest.NewNotesFolder(t, map[string]string{"老笔记.txt": gbk, "new.txt": "高血压患者多走路。"})
	ix := open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	a := mustSearch(t, ix, Query{Text: "胸痛叫救护车", TopK: 1})
	if found(a) != "老笔记.txt" || a.Passages[0].Encoding != "GB18030" || !a.Passages[0].IsEncodingGuessed || a.Passages[0].Text != "心脏病患者应当少盐。\n胸痛不缓解时叫救护车。" {
		t.Errorf("found %+v", a.Passages)
	}
	part, err := ix.Read(t.Context(), ReadQuery{Ref: a.Passages[0].URI})
	if err != nil || part.Text != a.Passages[0].Text {
		t.Errorf("reads %q, %v", part.Text, err)
	}
}
