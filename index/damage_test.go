package index

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vademecum/embed"
	"vademecum/index/indextest"
	"vademecum/index/memindex"
	"vademecum/index/store/catalog"
	"vademecum/index/store/location"
	"vademecum/index/sync"
)

var (
	damages = flag.Int("damages", 12, "how many times the files of an index are damaged at random")
	inFull  = flag.Bool("full", false, "damage an index in each way, as .ci/kills does; else in ways of which each stands for some others")
)

// wrecked is an index on disk that is damaged again and again, and one made
// anew that it must equal in the end.
type wrecked struct {
	indextest.NotesFolder
	fresh *Index
	model *indextest.CountingModel
	whole map[string][]byte // the files of the index, by suffix, before any damage
	all   int               // texts that have a vector
}

// suffixes of the files that hold an index.
var suffixes = []string{"", "-wal", memindex.SnapshotSuffix}

func newWrecked(t *testing.T) *wrecked {
	t.Helper()
	w := &wrecked{NotesFolder: indextest.NewNotesFolder(t, indextest.ManyTexts(20)), whole: make(map[string][]byte)}
	for i := range 20 {
		w.Backdate(indextest.TextPath(i))
	}
	fresh := indextest.NewCountingModel(t)
	w.fresh = open(t, t.TempDir(), fresh, w.Dir)
	mustSync(t, w.fresh, sync.Scope{})
	w.all = fresh.TakeCount()
	w.model = indextest.NewCountingModel(t)
	file := filepath.Join(t.TempDir(), "x.db")
	ix := w.open(t, file)
	mustSync(t, ix, sync.Scope{})
	if err := ix.store.SaveSnapshot(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	// Half of it is in the file and half in the log, as after a kill.
	if _, err := onDisk(ix.store.Follower(0)).Writer().Exec("PRAGMA wal_checkpoint(TRUNCATE)"); err != nil {
		t.Fatal(err)
	}
	if _, err := ix.Sync(t.Context(), sync.Scope{Force: true, Paths: []string{"1*.md"}}); err != nil {
		t.Fatal(err)
	}
	mustSync(t, ix, sync.Scope{})
	for _, suffix := range suffixes {
		content, err := os.ReadFile(file + suffix)
		if err != nil || len(content) == 0 {
			t.Fatalf("%q: %d bytes, %v", suffix, len(content), err)
		}
		w.whole[suffix] = content
	}
	if err := ix.Close(); err != nil {
		t.Fatal(err)
	}
	return w
}

// lay puts the whole files at a place, those that are to be there.
func (w *wrecked) lay(t *testing.T, file string, there func(suffix string) bool) {
	t.Helper()
	for _, suffix := range suffixes {
		if there(suffix) {
			write(t, file+suffix, w.whole[suffix])
		}
	}
}

func always(string) bool { return true }

// open opens the index as one in the cache folder is, and does not load it yet.
func (w *wrecked) new(t testing.TB, file string, e embed.Embedder) *Index {
	t.Helper()
	ix, err := New(Options{Folders: []string{w.Dir}, IndexPaths: []string{file}, Embedder: e, Logger: indextest.QuietLog})
	if err != nil {
		t.Fatal(err)
	}
	ix.folders[0].Storage.(*location.FileStorage).Location.IsInCacheDir = true
	return ix
}

func (w *wrecked) open(t testing.TB, file string) *Index {
	t.Helper()
	ix := w.new(t, file, w.model)
	if err := ix.Load(t.Context()); err != nil {
		t.Fatal(errors.Join(err, ix.Close()))
	}
	return ix
}

// asked are questions with words of all notes and of one.
var asked = []Query{{Text: "warfarin and insulin", TopK: 20}, {Text: "血压 line3", TopK: 20}, {Text: "Note7 line2 sleep", TopK: 5}, {Text: `"Note12 line5"`, TopK: 5}}

// checkAnswers checks that each passage stands in its file, at its lines. An
// answer may fail when the index is found to be damaged.
func (w *wrecked) checkAnswers(t testing.TB, ix *Index) {
	t.Helper()
	for _, q := range asked {
		a, err := ix.Search(t.Context(), q)
		if err != nil {
			if !errors.Is(err, ErrDamaged) {
				t.Errorf("%q: %v", q.Text, err)
			}
			continue
		}
		for _, p := range a.Passages {
			raw, err := os.ReadFile(w.Path(p.Path))
			lines := strings.Split(string(raw), "\n")
			if a.Incomplete && strings.Contains(p.Text, olderText) {
				continue // the folder has not been compared with it yet
			}
			if err != nil || p.StartLine < 1 || p.EndLine > len(lines) || !strings.Contains(strings.Join(lines[p.StartLine-1:p.EndLine], "\n"), p.Text) {
				t.Errorf("%q: %s is cited with lines %d to %d as %.60q, %v", q.Text, p.Path, p.StartLine, p.EndLine, p.Text, err)
			}
		}
		if len(a.Passages) == 0 && len(a.Notes) == 0 {
			t.Errorf("%q: nothing is found, and no word of why", q.Text)
		}
	}
}

// recovers checks that what is at file, whatever it is, becomes the index
// again. It returns how many texts were embedded.
func (w *wrecked) recovers(t *testing.T, file string) (embedded int) {
	t.Helper()
	w.model.TakeCount()
	ix := w.open(t, file)
	defer func() {
		if err := ix.Close(); err != nil {
			t.Error(err)
		}
	}()
	w.checkAnswers(t, ix)
	mustSync(t, ix, sync.Scope{})
	w.checkAnswers(t, ix)
	if ix.store.Follower(0).Condition().State == catalog.Damaged { // found by the answers
		mustSync(t, ix, sync.Scope{})
	}
	if faults := differences(t.Context(), ix, w.fresh); len(faults) > 0 {
		c := ix.store.Follower(0)
		if all := strings.Join(faults, "\n"); strings.Contains(all, "malformed") || strings.Contains(all, "belong to no document") {
			_ = c.RecordDamage(catalog.ErrDamaged) // what only this comparison has read
		} else if c.Condition().State != catalog.Damaged {
			t.Errorf("it differs from a fresh index, and is not known to be damaged: %.600s", all)
		}
		mustSync(t, ix, sync.Scope{})
		compareIndexes(t, ix, w.fresh)
	}
	if c := ix.store.Follower(0); c.Describe().IsUnsaved() {
		t.Error("it is kept in memory")
	}
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if _, err := os.Stat(file + ".damaged" + suffix); err == nil {
			t.Errorf("%s is left", ".damaged"+suffix)
		}
	}
	return w.model.TakeCount()
}

func TestTruncated(t *testing.T) {
	t.Parallel()
	w := newWrecked(t)
	rng := rand.New(rand.NewPCG(21, 22))
	embedded, cases := 0, 0
	for _, suffix := range suffixes {
		size := int64(len(w.whole[suffix]))
		sizes := []int64{0, 1, 16, 100, 4096, size / 4096 / 2 * 4096, size - 1, rng.Int64N(size)}
		if testing.Short() {
			sizes = sizes[4:6]
		}
		for i, to := range sizes {
			withouts := []string{"nothing", "-wal", memindex.SnapshotSuffix, "-wal" + memindex.SnapshotSuffix}
			if !*inFull {
				withouts = withouts[i%len(withouts):][:1]
			}
			for _, without := range withouts {
				lost := func(s string) bool { return s != suffix && s != "" && strings.Contains(without, s) }
				t.Run(fmt.Sprintf("x.db%s cut to %d, %s lost", suffix, to, without), func(t *testing.T) {
					file := filepath.Join(t.TempDir(), "x.db")
					w.lay(t, file, func(s string) bool { return !lost(s) })
					if to < size {
						cut(t, file+suffix, to)
					}
					n := w.recovers(t, file)
					if !lost(memindex.SnapshotSuffix) && suffix != memindex.SnapshotSuffix && n > 0 {
						t.Errorf("%d texts were embedded again, which are in the snapshot", n)
					}
					embedded, cases = embedded+n, cases+1
				})
			}
		}
	}
	t.Logf("%d cases, %d of %d texts were embedded again in the mean", cases, embedded/max(1, cases), w.all)
}

func TestNoise(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("TestTruncated does the same")
	}
	w := newWrecked(t)
	embedded := 0
	for seed := range *damages {
		rng := rand.New(rand.NewPCG(uint64(seed), 7))
		suffix := suffixes[seed%len(suffixes)]
		size := len(w.whole[suffix])
		length := []int{1, 16, 4096, size / 2}[rng.IntN(4)]
		at := rng.IntN(size - length)
		if length == 4096 {
			at = at / 4096 * 4096
		}
		t.Run(fmt.Sprintf("%d: %d bytes at %d of x.db%s", seed, length, at, suffix), func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "x.db")
			w.lay(t, file, func(s string) bool { return s == "" || s == suffix || rng.IntN(2) == 0 })
			noisy := append([]byte(nil), w.whole[suffix]...)
			for i := range length {
				noisy[at+i] = byte(rng.Uint32())
			}
			write(t, file+suffix, noisy)
			embedded += w.recovers(t, file)
		})
	}
	t.Logf("%d cases, %d of %d texts were embedded again in the mean", *damages, embedded/max(1, *damages), w.all)
}
