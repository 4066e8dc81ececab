package location

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"vademecum/docs/text"
	"vademecum/index/indextest"
	"vademecum/index/roots"
	"vademecum/index/store/catalog"
	"vademecum/index/store/catalog/catalogtest"
	"vademecum/index/store/sqlite"
)

// document is one of a chunk.
func document(path, content string) catalog.RecordWithBody {
	return catalog.RecordWithBody{
		Record: catalog.Record{Path: path, Size: int64(len(content)), TextHash: [32]byte{byte(len(content))}, Chunks: []catalog.Chunk{{Span: text.Span{EndByte: len(content), StartLine: 1, EndLine: 1}}}},
		Body:   text.Body{Text: content},
	}
}

// fill puts documents, a vector for each, and a value about the model.
func fill(t *testing.T, c catalog.Catalog, paths ...string) {
	t.Helper()
	for i, path := range paths {
		_, err := c.Put(t.Context(), document(path, "text of "+path))
		must(t, err)
		must(t, c.SaveVectors(t.Context(), "", map[catalog.EmbeddingKey][]float32{{byte(i + 1)}: {1, float32(i)}}))
	}
	must(t, c.SetValue(t.Context(), c.Describe().ModelScopedKey("pace"), "7"))
}

// mustHold compares the documents that have a text, and how many vectors there are.
func mustHold(t *testing.T, c catalog.Catalog, wantPaths string, wantVectors int) {
	t.Helper()
	paths, err := catalogtest.Paths(t.Context(), c)
	must(t, err)
	slices.Sort(paths)
	vectors, _, err := c.VectorsSavedAfter(t.Context(), 0)
	must(t, err)
	if got := strings.Join(paths, " "); got != wantPaths || len(vectors) != wantVectors {
		t.Errorf("there are %q and %d vectors, want %q and %d", got, len(vectors), wantPaths, wantVectors)
	}
}

// fileStorage is the storage of a folder in a file that is not there yet.
func fileStorage(t *testing.T) *FileStorage {
	t.Helper()
	h, err := FileStorages{IndexPaths: []string{filepath.Join(t.TempDir(), "x.db")}, Model: model}.StorageOf(folder(t), 0)
	must(t, err)
	t.Cleanup(func() { must(t, errors.Join(h.IndexingLease().Release(), h.EmbeddingLease().Release())) })
	return h.(*FileStorage)
}

// openedFile opens a storage, and closes what it has open in the end.
func openedFile(t *testing.T, h *FileStorage, paths ...string) roots.OpenedCatalog {
	t.Helper()
	c, err := h.Open(t.Context(), model)
	must(t, err)
	t.Cleanup(func() { _ = c.Close() })
	fill(t, c, paths...)
	return c
}

// fillDisk has the disk take no more, as far as SQLite sees it.
func fillDisk(t *testing.T, h *FileStorage) {
	t.Helper()
	_, err := h.disk.Writer().Exec("PRAGMA max_page_count = 1")
	must(t, err)
	if _, err = h.disk.Put(t.Context(), document("large.md", indextest.Incompressible(1<<18))); !errors.Is(err, catalog.ErrWriteRejected) {
		t.Fatalf("a full disk takes it: %v", err)
	}
}

// replaceFile has another file be where that of a storage was, in which all was by then: what
// stands in the log alone goes with that.
func replaceFile(t *testing.T, h *FileStorage, content string) {
	t.Helper()
	_, err := h.disk.Writer().Exec("PRAGMA wal_checkpoint(TRUNCATE)")
	must(t, err)
	must(t, os.Remove(h.Describe().File))
	must(t, os.WriteFile(h.Describe().File, []byte(content), 0o600))
}

// notOurs is no SQLite file.
const notOurs = "somebody's letter, which is no index and is not to be touched"

// inState is a catalogue in a given condition.
type inState struct {
	catalog.Catalog
	is catalog.Condition
}

func (c inState) Condition() catalog.Condition { return c.is }

// TestRepairFile: whatever happens to a file, what follows it has all that can be taken
// over, and is in memory only where the disk takes nothing or another has the place.
func TestRepairFile(t *testing.T) {
	for name, c := range map[string]struct {
		harm      func(t *testing.T, h *FileStorage, c catalog.Catalog) catalog.Catalog
		paths     string // that are there afterwards
		follows   bool   // in the rows that they had
		isUnsaved bool
		why       string
	}{
		"the disk is full": {harm: func(t *testing.T, h *FileStorage, c catalog.Catalog) catalog.Catalog { fillDisk(t, h); return c },
			paths: "a.md b.md", follows: true, isUnsaved: true, why: "disk"},
		"it was deleted": {harm: func(t *testing.T, h *FileStorage, c catalog.Catalog) catalog.Catalog {
			for _, suffix := range []string{"", "-wal", "-shm"} {
				must(t, os.Remove(h.Describe().File+suffix))
			}
			return c
		}, why: "deleted or replaced"},
		"another index has its place": {harm: func(t *testing.T, h *FileStorage, c catalog.Catalog) catalog.Catalog {
			replaceFile(t, h, "")
			return c
		}, why: "deleted or replaced"},
		"another file has its place": {harm: func(t *testing.T, h *FileStorage, c catalog.Catalog) catalog.Catalog {
			replaceFile(t, h, notOurs)
			return c
		}, isUnsaved: true, why: "deleted or replaced"},
		"damage was met": {harm: func(_ *testing.T, _ *FileStorage, c catalog.Catalog) catalog.Catalog {
			return inState{c, c.Condition().WithDamage(catalog.ErrDamaged)}
		}, why: "damaged"},
		"a program of another format came": {harm: func(t *testing.T, _ *FileStorage, c catalog.Catalog) catalog.Catalog {
			must(t, c.SetValue(t.Context(), "format", strconv.Itoa(catalog.FormatVersion+1)))
			if _, err := c.Put(t.Context(), document("c.md", "more")); !errors.Is(err, catalog.ErrOtherFormat) {
				t.Fatalf("it writes there: %v", err)
			}
			return c
		}, isUnsaved: true, why: catalog.ErrOtherFormat.Error()},
		"it can be read no more": {harm: func(_ *testing.T, _ *FileStorage, c catalog.Catalog) catalog.Catalog {
			return inState{c, catalog.Condition{State: catalog.Unreadable, Reason: errors.New("the log is shorter")}}
		},
			paths: "a.md b.md", why: "became shorter"},
	} {
		t.Run(name, func(t *testing.T) {
			if runtime.GOOS == "windows" && strings.Contains(c.why, "deleted") {
				t.Skip("an open file cannot be deleted")
			}
			h := fileStorage(t)
			opened := openedFile(t, h, "a.md", "b.md")
			last, err := catalogtest.LastChange(t.Context(), opened)
			must(t, err)
			harmed := c.harm(t, h, opened.Catalog)
			r, err := h.Repair(t.Context(), model, harmed, harmed.Condition(), nil)
			must(t, err)
			defer r.Close()
			mustHold(t, r, c.paths, 2)
			want := int64(-1)
			if c.follows {
				want = last
			}
			if r.CopiedUpToChange != want || !strings.Contains(r.RepairReason, c.why) || r.ActionTaken == "" {
				t.Errorf("it follows change %d, want %d; %s: %s", r.CopiedUpToChange, want, r.ActionTaken, r.RepairReason)
			}
			if got := r.Describe().IsUnsaved(); got != c.isUnsaved || (h.fallback != nil) != c.isUnsaved {
				t.Errorf("it is in memory only: %t", got)
			}
		})
	}
}

// TestWellIsLeftAlone: of what is well nothing is opened again.
func TestWellIsLeftAlone(t *testing.T) {
	h := fileStorage(t)
	c := openedFile(t, h, "a.md")
	if r, err := h.Repair(t.Context(), model, c.Catalog, c.Condition(), nil); err != nil || r.Catalog != nil {
		t.Errorf("it is replaced by %+v, %v", r, err)
	}
	mustHold(t, c, "a.md", 1)
}

// TestBackToFile: what was changed in memory while the disk took nothing is in the file as
// soon as it does, with what processes noted, and nothing of another is touched until then.
func TestBackToFile(t *testing.T) {
	h := fileStorage(t)
	c := openedFile(t, h, "gone.md", "kept.md")
	must(t, c.SetValue(t.Context(), "snapshot", "of the file"))
	must(t, c.SetValue(t.Context(), "noted", "x"))
	fillDisk(t, h)
	memory, err := h.Repair(t.Context(), model, c.Catalog, c.Condition(), nil)
	must(t, err)
	must(t, c.Close())
	for key, want := range map[string]string{"noted": "x", "snapshot": "", memory.Describe().ModelScopedKey("pace"): "7"} {
		if got, err := memory.Value(t.Context(), key); err != nil || got != want {
			t.Errorf("%s is %q in memory, %v, want %q", key, got, err, want)
		}
	}
	_, err = memory.Remove(t.Context(), "gone.md")
	must(t, err)
	_, err = memory.Put(t.Context(), document("new.md", "text of new.md"))
	must(t, err)

	saved := h.Describe().File + ".saved"
	must(t, os.Rename(h.Describe().File, saved))
	must(t, os.WriteFile(h.Describe().File, []byte(notOurs), 0o600))
	if r, err := h.Repair(t.Context(), model, memory.Catalog, memory.Condition(), nil); err != nil || r.Catalog != nil {
		t.Fatalf("while another file is there it opens %+v, %v", r, err)
	}
	if content, err := os.ReadFile(h.Describe().File); err != nil || string(content) != notOurs {
		t.Errorf("that is %q now, %v", content, err)
	}
	must(t, os.Rename(saved, h.Describe().File))

	awaitHeld(t, h.IndexingLease()) // who indexes writes what was changed
	back, err := h.Repair(t.Context(), model, memory.Catalog, memory.Condition(), nil)
	must(t, err)
	defer back.Close()
	mustHold(t, back, "kept.md new.md", 2)
	if back.Describe().IsUnsaved() || back.RepairReason != "the disk accepts data again" || h.fallback != nil {
		t.Errorf("it is still in memory, or why it is not is told as %q", back.RepairReason)
	}
}

// TestOpenWithoutPlace: where no file can be made the index is in memory, others have the
// duties, and who gives up gets nothing.
func TestOpenWithoutPlace(t *testing.T) {
	h := fileStorage(t)
	awaitHeld(t, h.IndexingLease())
	must(t, os.Mkdir(h.Describe().File, 0o700)) // which no file can replace
	must(t, os.WriteFile(filepath.Join(h.Describe().File, "x"), nil, 0o600))
	c, err := h.Open(t.Context(), model)
	must(t, err)
	fill(t, c, "a.md")
	mustHold(t, c, "a.md", 1)
	if c.UnsavedReason == nil || !c.Describe().IsUnsaved() {
		t.Errorf("it is said to be saved: %+v", c)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := h.Open(ended, model); err == nil {
		t.Error("after its end it is opened")
	}
}

// TestForeignFile: a file that is not ours is neither opened nor changed.
func TestForeignFile(t *testing.T) {
	h := fileStorage(t)
	must(t, os.WriteFile(h.Describe().File, []byte(notOurs), 0o600))
	if _, err := h.Open(t.Context(), model); !errors.Is(err, sqlite.ErrNotAnIndex) {
		t.Errorf("it is opened: %v", err)
	}
	if seen, err := h.OpenReadOnly(t.Context()); err == nil {
		t.Errorf("it is looked into: %+v", seen)
	}
	if content, err := os.ReadFile(h.Describe().File); err != nil || string(content) != notOurs {
		t.Errorf("it is %q now, %v", content, err)
	}
}

// TestTry: who saves nothing has the vectors of the file, and the file nothing of it.
func TestTry(t *testing.T) {
	h := fileStorage(t)
	c, err := h.Open(t.Context(), model)
	must(t, err)
	fill(t, c, "a.md")
	must(t, c.Close())
	tried, err := h.OpenEphemeral(t.Context(), model)
	must(t, err)
	mustHold(t, tried, "", 1)
	fill(t, tried, "b.md", "c.md")
	mustHold(t, openedFile(t, h), "a.md", 1)
}

// TestLookAtFile: who looks tells no file, an empty one, a damaged one and none at all apart.
func TestLookAtFile(t *testing.T) {
	h := fileStorage(t)
	must(t, os.WriteFile(h.Describe().File, nil, 0o600))
	if seen, err := h.OpenReadOnly(t.Context()); err != nil || seen != (roots.ReadOnlyCatalog{}) {
		t.Errorf("in an empty file: %+v, %v", seen, err)
	}
	c, err := h.Open(t.Context(), model)
	must(t, err)
	fill(t, c, "a.md")
	must(t, c.Close())
	seen, err := h.OpenReadOnly(t.Context())
	must(t, err)
	mustHold(t, seen, "a.md", 1)
	if seen.Bytes != h.SizeOnDisk() || seen.Bytes == 0 || seen.Damage != nil {
		t.Errorf("it takes %d bytes, %d are seen, %v", h.SizeOnDisk(), seen.Bytes, seen.Damage)
	}
	must(t, seen.Close())
	content, err := os.ReadFile(h.Describe().File)
	must(t, err)
	for i := 100; i < len(content); i++ { // all but its head
		content[i] = byte(i * 31)
	}
	must(t, os.WriteFile(h.Describe().File, content, 0o600))
	if seen, err := h.OpenReadOnly(t.Context()); err != nil || !errors.Is(seen.Damage, catalog.ErrDamaged) || seen.Catalog != nil || seen.Bytes != int64(len(content)) {
		t.Errorf("in a damaged file: %+v, %v", seen, err)
	}
	must(t, os.Remove(h.Describe().File))
	must(t, os.Mkdir(h.Describe().File, 0o700))
	if _, err := h.OpenReadOnly(t.Context()); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("in a folder: %v", err)
	}
}

// TestTidyFile: of files in our own cache folder those of older formats go that nobody has
// used for long, and no others; beside a file that was named nothing goes.
func TestTidyFile(t *testing.T) {
	cache := t.TempDir()
	for _, variable := range []string{"HOME", "XDG_CACHE_HOME", "LocalAppData"} {
		t.Setenv(variable, cache)
	}
	f := folder(t)
	own, err := FileStorages{Model: model}.StorageOf(f, 0)
	must(t, err)
	must(t, own.Describe().InMemoryReason)
	if !strings.HasPrefix(own.Describe().File, cache) || own.Describe().Name != own.Describe().File || own.Describe().ShortName.String() != filepath.Base(own.Describe().File) {
		t.Fatalf("it is in %s, called %s and %s", own.Describe().File, own.Describe().Name, own.Describe().ShortName)
	}
	stem := strings.TrimSuffix(own.Describe().File, ".v"+strconv.Itoa(catalog.FormatVersion)+".db")
	must(t, os.MkdirAll(filepath.Dir(own.Describe().File), 0o700))
	old := time.Now().Add(-365 * 24 * time.Hour)
	for _, name := range []string{".v3.db", ".v4.db", ".db"} {
		must(t, os.WriteFile(stem+name, []byte("x"), 0o600))
		if name != ".v4.db" {
			must(t, os.Chtimes(stem+name, old, old))
		}
	}
	named, err := FileStorages{IndexPaths: []string{own.Describe().File}, Model: model}.StorageOf(f, 0)
	must(t, err)
	left := func() (all string) {
		for _, name := range []string{".v3.db", ".v4.db", ".db"} {
			if _, err := os.Stat(stem + name); err == nil {
				all += name + " "
			} else if !errors.Is(err, fs.ErrNotExist) {
				t.Error(err)
			}
		}
		return all
	}
	if named.RemoveOldFormats(); left() != ".v3.db .v4.db .db " {
		t.Errorf("beside a file that was named there are left %s", left())
	}
	if own.RemoveOldFormats(); left() != ".v4.db " {
		t.Errorf("in our own folder there are left %s", left())
	}
}
