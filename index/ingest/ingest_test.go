package ingest

import (
	"bytes"
	"errors"
	"log/slog"
	"maps"
	"os"
	"strings"
	"testing"

	"vademecum/docs"
	"vademecum/docs/formats"
	"vademecum/index/indextest"
	"vademecum/index/lexical/analysis"
	"vademecum/index/roots"
	"vademecum/index/search"
	"vademecum/index/store/location"
	"vademecum/internal/base/panics"
	"vademecum/internal/base/script"
)

func TestMain(m *testing.M) {
	formats.RunIfChild()
	os.Exit(m.Run())
}

// newReader reads a folder. What it logs is discarded.
func newReader(t *testing.T, dir string) *Reader {
	t.Helper()
	log := slog.New(slog.DiscardHandler)
	folders, err := roots.Open([]string{dir}, nil, docs.Opener{}, location.MemoryStorages{})
	indextest.Must(t, err)
	t.Cleanup(func() { indextest.Must(t, folders.Close()) })
	return &Reader{
		Folders: folders, Guard: panics.NewGuard(log), Log: log,
		IsMachineGenerated: func(*search.Document) bool { return false },
	}
}

// read prepares the file at a path.
func read(t *testing.T, r *Reader, path string, have *search.Document, force bool) (PreparedDocument, error) {
	t.Helper()
	files, err := r.Folders[0].Scan(t.Context(), path)
	indextest.Must(t, err)
	if len(files) != 1 {
		t.Fatalf("%d files are at %s", len(files), path)
	}
	return r.Prepare(t.Context(), 0, r.Fetch(t.Context(), 0, files[0]), have, force)
}

// saved is a document as it is after it was saved under a number.
func saved(p PreparedDocument, id int64) *search.Document {
	p.Record.ID = id
	return search.NewDocument(&p.Record, 0)
}

// TestPrepare: a file becomes a document with a title, chunks, their terms and traits.
func TestPrepare(t *testing.T) {
	n := indextest.NewNotesFolder(t, map[string]string{"travel/Oslo trip.md": "---\naliases: [Norway]\n---\n# Packing\n\nWarm socks for the fjord.\n\n# Licence\n\nPermission is hereby granted, free of charge.\n"})
	r := newReader(t, n.Dir)
	p, err := read(t, r, "travel/Oslo trip.md", nil, false)
	indextest.Must(t, err)
	if p.Title != "Oslo trip" || p.SkipReason != "" || p.Hash == ([32]byte{}) || p.MIME != "text/markdown" || p.ReadAt.IsZero() || len(p.Chunks) == 0 {
		t.Fatalf("it is %+v", p.Record)
	}
	first := p.Chunks[0]
	for _, term := range []string{"sock", "fjord", "norway", "travel", "oslo", "pack"} {
		if !has(first.Terms, term) {
			t.Errorf("the first chunk is not found by %q", term)
		}
	}
	if first.Traits.Language != script.LanguageOf("Warm socks for the fjord, and the like of it.") {
		t.Errorf("its language is %v", first.Traits.Language)
	}
	if last := p.Chunks[len(p.Chunks)-1]; len(p.Chunks) > 1 && (has(last.Terms, "norway") || last.Key == first.Key) {
		t.Error("the names of a document are those of its first chunk alone")
	}
}

// has reports whether one of the terms of a chunk begins with a word.
func has(c analysis.TermCounts, word string) bool {
	return bytes.Contains(c, []byte(word))
}

// TestPrepareWhatIsThere: a file that holds what its document does keeps the row of that,
// unless it is to be read by force.
func TestPrepareWhatIsThere(t *testing.T) {
	n := indextest.NewNotesFolder(t, map[string]string{"a.md": "alpha"})
	r := newReader(t, n.Dir)
	first, err := read(t, r, "a.md", nil, false)
	indextest.Must(t, err)
	have := saved(first, 7)
	if p, err := read(t, r, "a.md", have, false); err != nil || p.ID != 7 || len(p.Chunks) > 0 {
		t.Errorf("the same file is row %d with %d chunks, %v", p.ID, len(p.Chunks), err)
	}
	if p, err := read(t, r, "a.md", have, true); err != nil || p.ID != 0 || len(p.Chunks) != 1 {
		t.Errorf("by force it is row %d with %d chunks, %v", p.ID, len(p.Chunks), err)
	}
	n.Write("a.md", "beta")
	if p, err := read(t, r, "a.md", have, false); err != nil || p.ID != 0 || p.Hash == have.Hash {
		t.Errorf("changed it is row %d, %v", p.ID, err)
	}
}

// TestPrepareSkips: a file without text says why, and keeps its row as long as that is so.
func TestPrepareSkips(t *testing.T) {
	n := indextest.NewNotesFolder(t, map[string]string{"bad.docx": "PK\x03\x04 no zip", "empty.md": "", "gone.md": "alpha"})
	r := newReader(t, n.Dir)
	p, err := read(t, r, "bad.docx", nil, false)
	if err != nil || p.SkipReason.String() != "damaged zip" {
		t.Fatalf("it is skipped as %q, %v", p.SkipReason, err)
	}
	if again, err := read(t, r, "bad.docx", saved(p, 3), true); err != nil || again.ID != 3 {
		t.Errorf("skipped for the same reason it is row %d, %v", again.ID, err)
	}
	other := saved(p, 3)
	other.SkipReason = "another reason"
	if again, err := read(t, r, "bad.docx", other, true); err != nil || again.ID != 0 {
		t.Errorf("skipped for another reason it is row %d, %v", again.ID, err)
	}
	files, err := r.Folders[0].Scan(t.Context(), "gone.md")
	indextest.Must(t, err)
	n.Remove("gone.md")
	if _, err := r.Prepare(t.Context(), 0, r.Fetch(t.Context(), 0, files[0]), nil, false); !errors.Is(err, ErrFileRemoved) {
		t.Errorf("a file that is gone: %v", err)
	}
	skipped := docs.File{Path: "large.bin", SkipReason: "larger than 50 MB"}
	if p, err := r.Prepare(t.Context(), 0, r.Fetch(t.Context(), 0, skipped), nil, false); err != nil || p.SkipReason != skipped.SkipReason {
		t.Errorf("what a scan skips is %q, %v", p.SkipReason, err)
	}
}

// TestPrepareBroken: a file on which this program panics is skipped, and says so.
func TestPrepareBroken(t *testing.T) {
	n := indextest.NewNotesFolder(t, map[string]string{"a.md": "alpha"})
	r := newReader(t, n.Dir)
	r.IsMachineGenerated = func(*search.Document) bool { panic("cannot tell") }
	p, err := read(t, r, "a.md", nil, false)
	indextest.Must(t, err)
	if p, err = read(t, r, "a.md", saved(p, 3), false); err != nil || p.SkipReason.String() != "internal error: cannot tell" || p.ID != 0 {
		t.Errorf("it is row %d, skipped as %q, %v", p.ID, p.SkipReason, err)
	}
}

// TestFetchAll reads small files ahead, and leaves large ones to whoever prepares them.
func TestFetchAll(t *testing.T) {
	n := indextest.NewNotesFolder(t, map[string]string{"small.md": "alpha", "large.md": strings.Repeat("beta ", aheadSize/4)})
	r := newReader(t, n.Dir)
	files, err := r.Folders[0].Scan(t.Context(), ".")
	indextest.Must(t, err)
	feed := make(chan FetchedFile)
	go r.FetchAll(t.Context(), 0, files, feed)
	waits := make(map[string]bool)
	for l := range feed {
		waits[l.Path] = l.waits
		p, err := r.Prepare(t.Context(), 0, l, nil, false)
		if err != nil || len(p.Chunks) == 0 || p.Path != l.Path {
			t.Errorf("%s has %d chunks, %v", l.Path, len(p.Chunks), err)
		}
	}
	if want := map[string]bool{"small.md": false, "large.md": true}; !maps.Equal(waits, want) {
		t.Errorf("to be read later: %v, want %v", waits, want)
	}
}

// TestText: a text that a client sends is called by its front matter, or how it begins.
func TestText(t *testing.T) {
	for text, want := range map[string]string{
		"---\ntitle: Of a text\n---\nBody.": "Of a text", "\n\nA sentence, which is none.\nMore.": "A sentence, which is none.", "-----": "-----",
		strings.Repeat("long ", 20): strings.TrimSpace(strings.Repeat("long ", 12)) + " …",
	} {
		p, err := PrepareClientText(t.Context(), DocumentOfClientText(text))
		if err != nil || p.Title != want || !strings.HasPrefix(p.Path, ClientTextURIPrefix) || len(p.Chunks) != 1 {
			t.Errorf("%q is called %q at %s, with %d chunks, %v", text, p.Title, p.Path, len(p.Chunks), err)
		}
	}
}
