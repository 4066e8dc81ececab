package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
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
	"vademecum/index/lexical/analysis"
	"vademecum/index/store/catalog"
	"vademecum/index/store/catalog/catalogtest"
	"vademecum/index/store/memory"
)

// newPlace is one for a folder that is there.
func newPlace(t *testing.T) Location {
	t.Helper()
	return Location{File: filepath.Join(t.TempDir(), "x.db"), Folder: t.TempDir()}
}

// document is one of a chunk.
func document(path, content string) catalog.RecordWithBody {
	return catalog.RecordWithBody{
		Record: catalog.Record{Path: path, Size: int64(len(content)), Chunks: []catalog.Chunk{
			{Span: text.Span{EndByte: len(content), StartLine: 1, EndLine: 1}, Key: catalog.EmbeddingKey{byte(len(content))}, Terms: analysis.CountTerms(analysis.ChunkNames{}, content)},
		}},
		Body: text.Body{Text: content},
	}
}

// fill puts documents named, and a vector for each.
func fill(t *testing.T, c catalog.Catalog, paths ...string) {
	t.Helper()
	for i, path := range paths {
		_, err := c.Put(t.Context(), document(path, "text of "+path))
		must(t, err)
		must(t, c.SaveVectors(t.Context(), "", map[catalog.EmbeddingKey][]float32{{1, byte(i)}: {1, 0}}))
	}
}

// held lists the documents, and counts the vectors of the model in use.
func held(t *testing.T, c catalog.Catalog) (paths string, vectors int) {
	t.Helper()
	all, err := catalogtest.Paths(t.Context(), c)
	must(t, err)
	slices.Sort(all)
	found, _, err := c.VectorsSavedAfter(t.Context(), 0)
	must(t, err)
	return strings.Join(all, " "), len(found)
}

func mustHold(t *testing.T, c catalog.Catalog, wantPaths string, wantVectors int) {
	t.Helper()
	if paths, vectors := held(t, c); paths != wantPaths || vectors != wantVectors {
		t.Errorf("there are %q and %d vectors, want %q and %d", paths, vectors, wantPaths, wantVectors)
	}
}

// inFile runs statements in a file that nobody has open.
func inFile(t *testing.T, file, statements string) {
	t.Helper()
	db, err := sql.Open("sqlite", file)
	must(t, err)
	_, err = db.Exec(statements)
	must(t, errors.Join(err, db.Close()))
}

// made makes an index with documents and vectors, and closes it.
func made(t *testing.T, at Location, paths ...string) {
	t.Helper()
	c, err := Open(t.Context(), at, "m")
	must(t, err)
	fill(t, c, paths...)
	must(t, c.Close())
}

// fillDisk has the disk of a catalogue take no more, as far as SQLite sees it.
func fillDisk(t *testing.T, c *Catalog) {
	t.Helper()
	_, err := c.Writer().Exec("PRAGMA max_page_count = 1")
	must(t, err)
	_, err = c.Put(t.Context(), document("large.md", indextest.Incompressible(1<<18)))
	if !errors.Is(err, catalog.ErrWriteRejected) {
		t.Fatalf("a full disk takes it: %v", err)
	}
}

// TestConditions: what a catalogue says that is to be done about it.
func TestConditions(t *testing.T) {
	for name, c := range map[string]struct {
		harm func(t *testing.T, c *Catalog)
		want catalog.State
	}{
		"nothing happened":      {func(*testing.T, *Catalog) {}, catalog.Healthy},
		"the disk is full":      {fillDisk, catalog.WriteRejected},
		"damage was met":        {func(_ *testing.T, c *Catalog) { _ = c.recordError(fmt.Errorf("read: %w", catalog.ErrDamaged)) }, catalog.Damaged},
		"damage on a full disk": {func(t *testing.T, c *Catalog) { fillDisk(t, c); _ = c.recordError(catalog.ErrDamaged) }, catalog.Damaged},
		"the file is gone":      {func(t *testing.T, c *Catalog) { must(t, os.Remove(c.file)) }, catalog.FileReplaced},
		"another has its place": {func(t *testing.T, c *Catalog) {
			must(t, os.Remove(c.file))
			must(t, os.WriteFile(c.file, nil, 0o600))
		}, catalog.FileReplaced},
		"its log is gone": {func(t *testing.T, c *Catalog) { must(t, os.Remove(c.file+"-wal")) }, catalog.Damaged},
		"a program of another format came": {func(t *testing.T, c *Catalog) {
			must(t, c.SetValue(t.Context(), "format", strconv.Itoa(catalog.FormatVersion+1)))
			if _, err := c.Put(t.Context(), document("b.md", "beta")); !errors.Is(err, catalog.ErrOtherFormat) {
				t.Errorf("it writes there: %v", err)
			}
		}, catalog.OwnedByOtherFormat},
	} {
		t.Run(name, func(t *testing.T) {
			if runtime.GOOS == "windows" && (c.want == catalog.FileReplaced || name == "its log is gone") {
				t.Skip("an open file cannot be deleted")
			}
			catalogue := opened(t, newPlace(t))
			fill(t, catalogue, "a.md")
			c.harm(t, catalogue)
			if got := catalogue.Condition(); got.State != c.want || (got.Reason == nil) != slices.Contains([]catalog.State{catalog.Healthy, catalog.FileReplaced}, c.want) {
				t.Errorf("it is %+v, want %d", got, c.want)
			}
		})
	}
}

// TestNewConnectionWithoutLog checks that a read which needs a new connection after something else
// has taken the place of the write-ahead log reports damage, so that the index is repaired.
func TestNewConnectionWithoutLog(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("an open file cannot be removed on Windows")
	}
	at := newPlace(t)
	c := opened(t, at)
	fill(t, c, "a.md")
	must(t, os.Remove(at.File+"-wal"))
	must(t, os.Mkdir(at.File+"-wal", 0o700))
	c.read.SetMaxIdleConns(-1) // closes the connections that have the log open
	_, err := c.Record(t.Context(), 1)
	if !errors.Is(err, catalog.ErrDamaged) {
		t.Errorf("got %v, want ErrDamaged", err)
	}
}

// TestRenew: a damaged file is set aside, and another has its vectors; what somebody else
// has put in its place meanwhile stays.
func TestRenew(t *testing.T) {
	at := newPlace(t)
	made(t, at, "a.md", "b.md")
	first, err := Open(t.Context(), at, "m")
	must(t, err)
	must(t, first.Close())
	c, err := ReplaceDamaged(t.Context(), at, "m", first)
	must(t, err)
	mustHold(t, c, "", 2)
	if c.RebuildReason == "" {
		t.Error("it does not say why documents are read again")
	}
	fill(t, c, "c.md")
	must(t, c.Close())
	c, err = ReplaceDamaged(t.Context(), at, "m", first) // which another process did already
	must(t, err)
	mustHold(t, c, "c.md", 2)
	must(t, c.Close())
	if left, err := filepath.Glob(at.File + asideSuffix + "*"); err != nil || len(left) > 0 {
		t.Errorf("there are %v, %v", left, err)
	}
}

// TestRescueOfWhatCanBeRead: a file of which a part is noise gives the vectors of the
// other part.
func TestRescueOfWhatCanBeRead(t *testing.T) {
	at := newPlace(t)
	c, err := Open(t.Context(), at, "m")
	must(t, err)
	const all = 3000
	vectors := make(map[catalog.EmbeddingKey][]float32, all)
	for i := range all {
		vectors[catalog.EmbeddingKey{byte(i), byte(i >> 8)}] = []float32{1, 2, 3, 4, 5, 6, 7, float32(i)}
	}
	must(t, c.SaveVectors(t.Context(), "", vectors))
	must(t, c.Close())
	content, err := os.ReadFile(at.File)
	must(t, err)
	for i := len(content) * 2 / 5; i < len(content)*3/5; i++ {
		content[i] = byte(i * 31)
	}
	must(t, os.WriteFile(at.File, content, 0o600))
	again, err := ReplaceDamaged(t.Context(), at, "m", c)
	must(t, err)
	defer again.Close()
	found, _, err := again.VectorsSavedAfter(t.Context(), 0)
	must(t, err)
	if len(found) < all/3 || len(found) == all {
		t.Errorf("%d of %d vectors are there", len(found), all)
	}
	for key, vec := range found {
		if want := vectors[key]; !slices.Equal(vec, want) {
			t.Fatalf("%v became %v", want, vec)
		}
	}
}

// TestTablesThatAreNotOurs: what an index never has, such as a view without end, is as
// good as damage, and what it asks is not asked.
func TestTablesThatAreNotOurs(t *testing.T) {
	const endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n) SELECT "
	for name, statements := range map[string]string{
		"meta":       "DROP TABLE meta; CREATE VIEW meta AS " + endless + "'key' || i AS key, i AS value FROM n",
		"models":     "DROP TABLE models; CREATE VIEW models AS " + endless + "i AS id, 'm' || i AS name FROM n",
		"vectors":    "DROP TABLE vectors; CREATE VIEW vectors AS " + endless + "i AS id, 1 AS model, x'' AS text_key, x'' AS vector, 0 AS spare_since FROM n",
		"trigger":    "CREATE TRIGGER more AFTER INSERT ON changes BEGIN INSERT INTO texts " + endless + "i, '', x'', 0 FROM n; END",
		"generated":  "ALTER TABLE documents ADD COLUMN more AS (hex(path))",
		"virtual":    "CREATE VIRTUAL TABLE more USING fts5(x)",
		"expression": "CREATE INDEX more ON documents (hex(path))",
	} {
		t.Run(name, func(t *testing.T) {
			at := newPlace(t)
			made(t, at, "a.md")
			inFile(t, at.File, statements)
			if c, err := OpenReadOnly(t.Context(), at); !errors.Is(err, catalog.ErrDamaged) {
				t.Errorf("it is looked into: %v, %v", c, err)
			}
			c := opened(t, at)
			if paths, _ := held(t, c); c.RebuildReason == "" || paths != "" || c.Describe().IsUnsaved() {
				t.Errorf("built again because %q, there are %q", c.RebuildReason, paths)
			}
		})
	}
}

// TestGoingOver: when the disk accepts no more data all goes on in memory, and back when it does.
func TestGoingOver(t *testing.T) {
	at := newPlace(t)
	disk, err := Open(t.Context(), at, "m")
	must(t, err)
	fill(t, disk, "gone.md", "kept.md", "changed.md")
	last, err := catalogtest.LastChange(t.Context(), disk)
	must(t, err)
	fillDisk(t, disk)
	full := disk.Condition()
	if full.State != catalog.WriteRejected {
		t.Errorf("it is %+v", full)
	}
	memory, copied, err := memory.CopyCatalog(t.Context(), disk, "m", full.Reason)
	must(t, err)
	must(t, disk.ExportVectors(t.Context(), memory.SaveVectors))
	must(t, disk.Close())
	if mustHold(t, memory, "changed.md gone.md kept.md", 3); copied != last {
		t.Errorf("copied is change %d, want %d", copied, last)
	}
	if c := memory.Condition(); c.State != catalog.Unsaved || c.Reason == nil {
		t.Errorf("it is %+v", c)
	}
	_, err = memory.Remove(t.Context(), "gone.md")
	must(t, err)
	fill(t, memory, "new.md")
	_, err = memory.Put(t.Context(), document("changed.md", "another text"))
	must(t, err)

	again := opened(t, at)
	_, err = again.Writer().Exec("PRAGMA max_page_count = 1")
	must(t, err)
	if err := again.SaveFromMemory(t.Context(), memory, true, true); !errors.Is(err, catalog.ErrWriteRejected) {
		t.Errorf("a full disk takes it back: %v", err)
	}
	_, err = again.Writer().Exec("PRAGMA max_page_count = 1000000")
	must(t, err)
	must(t, again.SaveFromMemory(t.Context(), memory, false, true)) // another process indexes
	mustHold(t, again, "changed.md gone.md kept.md", 3)
	must(t, again.SaveFromMemory(t.Context(), memory, true, true))
	mustHold(t, again, "changed.md kept.md new.md", 3)
	records, err := catalogtest.Records(t.Context(), again)
	must(t, err)
	for _, r := range records {
		want := "text of " + r.Path
		if r.Path == "changed.md" {
			want = "another text"
		}
		bodies, err := again.LoadBodies(t.Context(), map[int64][32]byte{r.ID: r.Hash})
		if err != nil || bodies[r.ID].Text != want {
			t.Errorf("%s says %q, %v", r.Path, bodies[r.ID].Text, err)
		}
	}
}

// TestRescue: a catalogue in memory has the vectors that there are, and another file gets
// them from there.
func TestRescue(t *testing.T) {
	at := newPlace(t)
	made(t, at, "a.md")
	why := errors.New("a reason")
	c := memory.NewFileReplacement(at.File, "m", why)
	must(t, RecoverVectors(t.Context(), at.File, c.SaveVectors))
	mustHold(t, c, "", 1)
	if _, err := Open(t.Context(), Location{NoFileReason: why}, "m"); !errors.Is(err, why) {
		t.Errorf("without a place it is opened: %v", err)
	}
	other := opened(t, newPlace(t))
	must(t, c.ExportVectors(t.Context(), other.SaveVectors))
	mustHold(t, other, "", 1)
}

// TestLookAt: who only looks sees what there is, and changes nothing.
func TestLookAt(t *testing.T) {
	at := newPlace(t)
	if c, err := OpenReadOnly(t.Context(), at); c != nil || err != nil {
		t.Errorf("before there is one: %v, %v", c, err)
	}
	made(t, at, "a.md")
	before, err := os.ReadFile(at.File)
	must(t, err)
	c, err := OpenReadOnly(t.Context(), at)
	must(t, err)
	mustHold(t, c, "a.md", 1)
	if model := c.Describe().Model; model != "m" || c.Size() != int64(len(before)) {
		t.Errorf("it is of the model %q, and has %d bytes", model, c.Size())
	}
	must(t, c.Close())
	if after, err := os.ReadFile(at.File); err != nil || string(after) != string(before) {
		t.Errorf("the file was changed, %v", err)
	}
	other := at
	other.Folder = t.TempDir()
	if c, err := OpenReadOnly(t.Context(), other); !errors.Is(err, ErrIndexOfOtherFolder) {
		t.Errorf("that of another folder: %v, %v", c, err)
	}
	inFile(t, at.File, fmt.Sprintf("UPDATE meta SET value = '%d' WHERE key = 'format'", catalog.FormatVersion+1))
	if c, err := OpenReadOnly(t.Context(), at); !errors.Is(err, errNewer) {
		t.Errorf("a newer one: %v, %v", c, err)
	}
	if c, err := Open(t.Context(), at, "m"); !errors.Is(err, errNewer) {
		t.Errorf("a newer one is opened: %v, %v", c, err)
	}
	inFile(t, at.File, fmt.Sprintf("UPDATE meta SET value = '%d' WHERE key = 'format'", catalog.FormatVersion-1))
	if c, err := OpenReadOnly(t.Context(), at); c != nil || err != nil {
		t.Errorf("an older one: %v, %v", c, err)
	}
	again := opened(t, at)
	if mustHold(t, again, "", 1); again.RebuildReason == "" {
		t.Error("an older one is not emptied")
	}
}

// TestFilesOfOthers are left alone.
func TestFilesOfOthers(t *testing.T) {
	for name, make := range map[string]func(t *testing.T, at Location){
		"a text": func(t *testing.T, at Location) { must(t, os.WriteFile(at.File, []byte("dear diary"), 0o600)) },
		"a long text": func(t *testing.T, at Location) {
			must(t, os.WriteFile(at.File, []byte(strings.Repeat("dear diary", 100)), 0o600))
		},
		"a database":            func(t *testing.T, at Location) { inFile(t, at.File, "CREATE TABLE addresses (name)") },
		"a folder":              func(t *testing.T, at Location) { must(t, os.Mkdir(at.File, 0o700)) },
		"another's index":       func(t *testing.T, at Location) { other := at; other.Folder = t.TempDir(); made(t, other, "a.md") },
		"a folder that is gone": func(t *testing.T, at Location) { must(t, os.Remove(at.Folder)) },
	} {
		t.Run(name, func(t *testing.T) {
			at := newPlace(t)
			if name == "a folder that is gone" {
				at.File = filepath.Join(at.Folder, "sub", "x.db")
			}
			make(t, at)
			before, _ := os.ReadFile(at.File)
			if c, err := Open(t.Context(), at, "m"); err == nil {
				t.Errorf("it is opened, %v", c.Close())
			}
			if after, _ := os.ReadFile(at.File); string(after) != string(before) {
				t.Error("it was changed")
			}
		})
	}
}

// TestMovedFolder: an index goes with its folder, and is private whoever made the file.
func TestMovedFolder(t *testing.T) {
	at := newPlace(t)
	must(t, os.WriteFile(at.File, nil, 0o644))
	must(t, os.Chmod(at.File, 0o644))
	made(t, at, "a.md")
	if info, err := os.Stat(at.File); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	moved := at
	moved.Folder = filepath.Join(t.TempDir(), "moved")
	must(t, os.Rename(at.Folder, moved.Folder))
	mustHold(t, opened(t, moved), "a.md", 1)
}

// TestFilesOfOtherFormats: the first time vectors are taken over from the other files of
// the folder, which stay, and the names of all differ.
func TestFilesOfOtherFormats(t *testing.T) {
	for _, variable := range []string{"HOME", "XDG_CACHE_HOME", "LocalAppData"} {
		t.Setenv(variable, t.TempDir())
	}
	dir := filepath.Join(t.TempDir(), strings.Repeat("很长的名字", 20))
	file, err := DefaultIndexPath(dir)
	must(t, err)
	generated := strings.TrimSuffix(file, formatSuffix()) + "-generated" + formatSuffix() // of a former version
	other, err := DefaultIndexPath(t.TempDir())
	must(t, err)
	if file == other || len(filepath.Base(file)) > 100 || !strings.HasSuffix(file, formatSuffix()) {
		t.Errorf("they are %s and %s", file, other)
	}
	place := func(file string) Location { return Location{File: file, Folder: dir, IsInCacheDir: true} }
	made(t, place(generated), "a.md")
	c := opened(t, place(file))
	mustHold(t, c, "", 1)
	mustHold(t, opened(t, place(generated)), "a.md", 1)
	if c.Size() != SizeOf(file) || c.Size() == 0 || SizeOf("") != 0 {
		t.Errorf("it has %d bytes, the file %d", c.Size(), SizeOf(file))
	}
	must(t, c.Flush())
}

// TestPruneOfModels: the vectors of a model go when nobody has used it for long.
func TestPruneOfModels(t *testing.T) {
	at := newPlace(t)
	made(t, at, "a.md")
	c, err := Open(t.Context(), at, "other")
	must(t, err)
	defer c.Close()
	if c.PreviousModel != "m" {
		t.Errorf("the model before was %q", c.PreviousModel)
	}
	must(t, c.SaveVectors(t.Context(), "other", map[catalog.EmbeddingKey][]float32{{7}: {1}}))
	must(t, c.SaveVectors(t.Context(), "builtin/1", map[catalog.EmbeddingKey][]float32{{8}: {1}})) // which are not worth it
	used := func() map[catalog.EmbeddingKey]bool { return map[catalog.EmbeddingKey]bool{{7}: true} }
	old := opened(t, at)
	for _, s := range []struct {
		after time.Duration
		want  int
	}{{0, 1}, {catalog.UnusedVectorTTL / 2, 1}, {catalog.UnusedVectorTTL + 2*catalog.PruneInterval, 0}} {
		must(t, c.PruneVectors(t.Context(), time.Now().Add(s.after), used))
		mustHold(t, old, "a.md", s.want)
		mustHold(t, c, "a.md", 1)
	}
}

// TestPatience: who finds another writing waits for it no longer than that.
func TestPatience(t *testing.T) {
	at := newPlace(t)
	at.OtherProcessTimeout = 50 * time.Millisecond
	c := opened(t, at)
	tx, err := opened(t, at).Writer().BeginTx(context.WithoutCancel(t.Context()), nil)
	must(t, err)
	if _, err := c.Put(t.Context(), document("a.md", "alpha")); !errors.Is(err, catalog.ErrLocked) {
		t.Errorf("while another writes: %v", err)
	}
	must(t, tx.Rollback())
	_, err = c.Put(t.Context(), document("a.md", "alpha"))
	must(t, err)
}
