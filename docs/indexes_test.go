package docs

import (
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// indexHeader is the first page of the SQLite file of an index.
func indexHeader() string {
	page := make([]byte, 4096)
	copy(page, "SQLite format 3\x00")
	binary.BigEndian.PutUint32(page[68:], SQLiteApplicationID)
	return string(page)
}

// besideAll is a file of this name and one of each that may lie beside it.
func besideAll(files map[string]string, index string) {
	files[index] = indexHeader()
	for _, end := range append([]string{".0123abcd.lock", ".snapshot.tmp-123", ".introduction.tmp-1"}, besideIndex...) {
		files[index+end] = "some text"
	}
}

func TestFilesOfIndexesAreNoDocuments(t *testing.T) {
	files := map[string]string{
		"a.md": "x", "own/b.md": "x", "own/note.md.lock.md": "x", "other/c.md": "x", "other/c.md.lock": "mine",
		"sqlite.md": "SQLite format 3\x00 and so on", "sqlite.md-wal": "a text",
	}
	besideAll(files, "own/note.md")
	besideAll(files, "other/i.txt")
	besideAll(files, ".gitignore")
	files[".gitignore"] = "*.md" // of an index that is not there
	f := testFolder(t, files)
	f.ExcludeIndexes([]string{filepath.Join(f.Dir(), "own", "note.md"), filepath.Join(f.Dir(), ".gitignore")})
	for link, file := range map[string]string{"linked.md": "own/note.md", "other/shm.md": "own/note.md-shm"} {
		if err := os.Link(filepath.Join(f.Dir(), file), filepath.Join(f.Dir(), link)); err != nil {
			t.Skip(err)
		}
	}
	want := []string{"a.md", "other/c.md", "other/c.md.lock", "own/b.md", "own/note.md.lock.md", "sqlite.md", "sqlite.md-wal"}
	if got := scanned(t, f, "."); !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	for _, p := range []string{"own/note.md", "own/note.md-wal", "own/note.md.0123abcd.lock", "linked.md", "other/i.txt", "other/i.txt.snapshot"} {
		if got := scanned(t, f, p); len(got) > 0 {
			t.Errorf("%s is listed: %q", p, got)
		}
	}
	for _, p := range []string{"own/note.md", "own/note.md-shm", "linked.md", "other/shm.md"} {
		if _, err := f.Load(t.Context(), p); err == nil || err.Error() != "read "+p+": the file of an index" {
			t.Errorf("%s is opened: %v", p, err)
		}
	}
}

func TestProgramsCacheFolderIsNoPartOfAFolder(t *testing.T) {
	home := t.TempDir()
	for _, name := range []string{"XDG_CACHE_HOME", "LocalAppData", "HOME"} {
		t.Setenv(name, home)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	for file, text := range map[string]string{filepath.Join(cache, "vademecum", "x.txt"): "x", filepath.Join(home, "vademecums", "a.md"): "x"} {
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	f, err := Open(home)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if got := scanned(t, f, "."); !slices.Equal(got, []string{"vademecums/a.md"}) {
		t.Errorf("got %q", got)
	}
}

func TestWatchDoesNotTellOfIndexes(t *testing.T) {
	files := make(map[string]string)
	besideAll(files, "own.md")
	besideAll(files, "other.md")
	f := testFolder(t, files)
	f.ExcludeIndexes([]string{filepath.Join(f.Dir(), "own.md")})
	w, err := f.Watch("")
	if err != nil {
		t.Fatal(err)
	}
	if reason := w.IncompleteReason(); reason != "" {
		t.Skip(reason)
	}
	seen := runWatcher(t, f, w)
	for p := range files { // the header of an index stays where it is meanwhile
		f, err := os.OpenFile(filepath.Join(f.Dir(), p), os.O_WRONLY|os.O_APPEND, 0)
		if err == nil {
			_, err = f.WriteString("more")
		}
		if err := errors.Join(err, f.Close()); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Remove(filepath.Join(f.Dir(), "own.md-wal")); err != nil {
		t.Fatal(err)
	}
	seen.write("a.md", "x")
	if told := seen.expect("a.md"); !slices.Equal(told, []string{"a.md"}) {
		t.Errorf("told of %q", told)
	}
}

// TestNumberOfAFileThatIsGone: a file that got the number of one beside an index, which
// is gone, is none of the index.
func TestNumberOfAFileThatIsGone(t *testing.T) {
	dir := t.TempDir()
	note, journal := filepath.Join(dir, "a.md"), filepath.Join(dir, "x.db-journal")
	if err := os.WriteFile(note, []byte("alpha"), 0o644); err != nil {
		t.Fatal(err)
	}
	info, err := os.Lstat(note)
	if err != nil {
		t.Fatal(err)
	}
	h := openIndexFiles{files: []indexFile{{journal, info}}} // as it was looked at before it went
	if h.isIndexFile("a.md", info) {
		t.Error("a note is taken for the journal of an index")
	}
	if err := os.Link(note, journal); err != nil {
		t.Skip(err)
	}
	if !h.isIndexFile("a.md", info) {
		t.Error("a journal is not known by its other name")
	}
}
