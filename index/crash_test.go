package index

import (
	"context"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"vademecum/docs"
	"vademecum/index/indextest"
	"vademecum/index/store/catalog"
	syncs "vademecum/index/sync"
)

var (
	crashKills = flag.Int("kills", 5, "how often the crash test kills")
	crashSeed  = flag.Uint64("seed", 1, "of the crash test")
)

// TestKilledAtRandom kills processes that edit and index a folder, one or two
// at a time, and checks after each kill every document that they had told to
// be indexed: it is there once, with the text, chunks, postings and vectors
// that its file calls for. Folder and index stay from kill to kill.
func TestKilledAtRandom(t *testing.T) {
	t.Parallel()
	kills := *crashKills
	if testing.Short() {
		kills = min(kills, 2) // of two at a time
	}
	c := newCrash(t)
	for c.kills < kills && !t.Failed() {
		if (c.kills == 0 || c.rng.IntN(3) == 0) && c.kills+2 <= kills {
			c.pair()
		} else {
			c.single()
		}
		if c.rng.IntN(3) == 0 || c.kills >= kills {
			c.verifySynced()
		}
	}
	t.Logf("seed %d: %d kills while, after: %v; checked %d documents of %d with a vector each, %d of them live; compared %d times with a fresh index",
		*crashSeed, c.kills, c.moments, c.checked, c.embedded, c.live, c.compared)
	if c.checked == 0 || c.compared == 0 {
		t.Error("nothing was checked")
	}
}

// crash is the parent of the processes that are killed.
type crash struct {
	t      *testing.T
	rng    *rand.Rand
	dir    string
	folder *docs.Folder // on dir
	file   string
	kills  int

	mu     sync.Mutex
	files  map[string]*crashFile // every path that was ever touched
	faults []string              // that the processes told

	wanted map[string]flatDocument // by path and hash

	moments                           map[string]int // kills by what was told last
	checked, embedded, live, compared int
}

// crashFile is what was reported for one path.
type crashFile struct {
	hash     string // of the content that is indexed; "" when the path is known to be gone
	touched  bool   // what is indexed may be what was there before or after
	embedded bool
	told     []string // the last lines
}

func newCrash(t *testing.T) *crash {
	c := &crash{t: t, rng: rand.New(rand.NewPCG(*crashSeed, 0)), dir: t.TempDir(), file: filepath.Join(t.TempDir(), "x.db"),
		files: make(map[string]*crashFile), wanted: make(map[string]flatDocument), moments: make(map[string]int)}
	var err error
	c.folder, err = docs.Open(c.dir)
	c.must(err)
	t.Cleanup(func() { c.must(c.folder.Close()) })
	for _, sub := range []string{"a", "b"} {
		c.must(os.Mkdir(filepath.Join(c.dir, sub), 0o755))
		c.must(os.WriteFile(filepath.Join(c.dir, sub, "base.md"), []byte("The base of "+sub), 0o644))
		c.files[sub+"/base.md"] = &crashFile{touched: true}
	}
	return c
}

func (c *crash) must(err error) {
	c.t.Helper()
	if err != nil {
		c.t.Fatalf("seed %d, kill %d: %v", *crashSeed, c.kills, err)
	}
}

func (c *crash) fault(format string, args ...any) {
	c.t.Helper()
	c.t.Errorf("seed %d, kill %d: %s", *crashSeed, c.kills, fmt.Sprintf(format, args...))
}

// single starts one process and kills it.
func (c *crash) single() {
	p := c.start([]string{"a", "b"}[c.rng.IntN(2)])
	p.tell("alone")
	c.await(p)
	if c.rng.IntN(6) == 0 {
		p.tell("stop")
		c.pause(20 * time.Millisecond)
	}
	c.kill(p)
	c.verify()
}

// pair starts two processes, kills one, and the other when it has taken over
// or while it does.
func (c *crash) pair() {
	both := []*crashProcess{c.start("a"), c.start("b")}
	c.rng.Shuffle(2, func(i, j int) { both[i], both[j] = both[j], both[i] })
	dead, left := both[0], both[1]
	c.await(dead)
	c.kill(dead)
	left.tell("alone")
	if c.rng.IntN(3) > 0 {
		c.verifyLive(dead.sub)
		c.takesOver(left)
	}
	c.await(left)
	c.kill(left)
	c.verify()
}

// takesOver waits until a process has indexed what it changed from now on.
func (c *crash) takesOver(p *crashProcess) {
	c.t.Helper()
	first := p.rounds()
	indextest.Eventually(c.t, time.Minute, fmt.Sprintf("seed %d, kill %d: the process left over indexes again", *crashSeed, c.kills), func() bool {
		return p.rounds() >= first+2 || p.over()
	})
}

// await lets a process work until a moment to kill it: any, or when it has
// just begun or ended something.
func (c *crash) await(p *crashProcess) {
	marks := []string{"edit", "sync", "force", "age", "round", "embed", "vectors", "snapshot", "loaded"}
	if c.rng.IntN(2) == 0 {
		select {
		case <-p.reaches(marks[c.rng.IntN(len(marks))], 1+c.rng.IntN(6)):
		case <-p.done:
		case <-time.After(time.Second):
		}
		if c.rng.IntN(2) == 0 {
			c.pause(15 * time.Millisecond)
		}
		return
	}
	spans := []time.Duration{60 * time.Millisecond, 400 * time.Millisecond, 400 * time.Millisecond, 1200 * time.Millisecond}
	c.pause(spans[c.rng.IntN(len(spans))])
}

func (c *crash) pause(most time.Duration) { time.Sleep(time.Duration(c.rng.Int64N(int64(most)))) }

// kill ends a process and takes in all that it had told.
func (c *crash) kill(p *crashProcess) {
	c.t.Helper()
	c.kills++
	if err := p.cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		c.must(err)
	}
	<-p.done
	err := p.cmd.Wait()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.Exited() || err != nil && exit == nil {
		c.fault("the process ended by itself: %v", err)
	}
	log, err := os.ReadFile(p.log)
	c.must(err)
	if text := string(log); strings.Contains(text, "built again") || strings.Contains(text, "panic") || c.t.Failed() {
		c.fault("the process logged:\n%s", text)
	}
	c.moments[p.last]++
	c.mu.Lock()
	defer c.mu.Unlock()
	c.report(c.faults)
	c.faults = nil
}

// verify looks into the index as it was left, or a copy of it, so that the
// next process finds what no other has opened since.
func (c *crash) verify() {
	c.t.Helper()
	file := c.file
	if c.rng.IntN(2) == 0 {
		file = filepath.Join(c.t.TempDir(), "x.db")
		left, err := filepath.Glob(c.file + "*")
		c.must(err)
		for _, from := range left {
			content, err := os.ReadFile(from)
			c.must(err)
			c.must(os.WriteFile(file+strings.TrimPrefix(from, c.file), content, 0o600))
		}
	}
	ix := c.open(file)
	defer c.close(ix)
	documents, faults := flatten(c.t.Context(), ix)
	c.report(faults)
	c.report(c.check(documents, ""))
	for _, d := range documents {
		for i, why := range wrongVectors(d) {
			c.fault("%s, chunk %d: %s", d.Path, i, why)
		}
	}
	if aside, err := filepath.Glob(file + "*damaged*"); err != nil || len(aside) > 0 {
		c.fault("the index was taken for damaged: %q, %v", aside, err)
	}
}

// verifyLive looks into the index while another process writes, at the
// documents that it does not edit. It may index them anew meanwhile, so that
// one look can miss the text of a document.
func (c *crash) verifyLive(sub string) {
	c.t.Helper()
	indextest.Eventually(c.t, time.Minute, "a look at the index between two commits", func() bool {
		ix := c.open(c.file)
		defer c.close(ix)
		documents, ok := flattenUnder(c.t.Context(), ix, sub)
		if !ok {
			return false
		}
		before := c.checked
		c.report(c.check(documents, sub+"/"))
		c.live += c.checked - before
		return true
	})
}

// flattenUnder flattens the documents in a folder; ok is false when another
// process has replaced one of them.
func flattenUnder(ctx context.Context, ix *Index, sub string) (documents map[string]flatDocument, ok bool) {
	held, _ := inMemory(ix).Contents()
	documents = make(map[string]flatDocument)
	for d, chunks := range held {
		at := d.Location()
		if !strings.HasPrefix(at.Path, sub+"/") {
			continue
		}
		flat, err := flattenDocument(ctx, ix.store, d, chunks)
		if err != nil {
			return nil, false
		}
		documents[at.Path] = flat
	}
	return documents, true
}

// verifySynced brings the index up to date and compares it with one made anew.
// From then on all files count as indexed.
func (c *crash) verifySynced() {
	c.t.Helper()
	ix := c.open(c.file)
	defer c.close(ix)
	mustSync(c.t, ix, syncs.Scope{})
	fresh := c.open(filepath.Join(c.t.TempDir(), "fresh.db"))
	defer c.close(fresh)
	mustSync(c.t, fresh, syncs.Scope{})
	c.report(differences(c.t.Context(), ix, fresh))
	c.compared++
	for _, f := range c.files {
		f.hash, f.touched = "", false
	}
	hashes, err := filesUnder(c.dir, ".")
	c.must(err)
	for p, hash := range hashes {
		f := c.files[p]
		if f == nil {
			c.fault("%s was made and not told", p)
			continue
		}
		f.hash, f.embedded = hash, true
		f.touched = hash == hashOf(nil) // an empty file has no text to index
	}
	documents, _ := flatten(c.t.Context(), ix)
	c.report(c.check(documents, ""))
}

// check compares what is held with what was reported, of the paths that begin with
// prefix.
func (c *crash) check(documents map[string]flatDocument, prefix string) (faults []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, p := range slices.Sorted(maps.Keys(c.files)) {
		f := c.files[p]
		if f.touched || !strings.HasPrefix(p, prefix) {
			continue
		}
		got, there := documents[p]
		switch {
		case f.hash == "" && there:
			faults = append(faults, c.says(p, "it is gone, and indexed"))
		case f.hash != "" && !there:
			faults = append(faults, c.says(p, "it was indexed, and is not"))
		case f.hash != "":
			if why := c.wrong(got, f); why != "" {
				faults = append(faults, c.says(p, why))
			}
		}
	}
	for p := range documents {
		if c.files[p] == nil {
			faults = append(faults, p+" is indexed, and was never there")
		}
	}
	return faults
}

func (c *crash) says(p, why string) string {
	return fmt.Sprintf("%s: %s\ntold of it: %s", p, why, strings.Join(c.files[p].told, ", "))
}

// wrong reports what of a document is not as its file says, "" when all is.
func (c *crash) wrong(got flatDocument, f *crashFile) string {
	want, err := c.want(got.Path, f.hash)
	if err != nil {
		return err.Error()
	}
	c.checked++
	if f.embedded {
		c.embedded++
		return difference(got, want)
	}
	want.chunks = slices.Clone(want.chunks)
	for i := range min(len(want.chunks), len(got.chunks)) {
		if got.chunks[i].vector == nil {
			want.chunks[i].vector = nil
		}
	}
	return difference(got, want)
}

// want is what an index must hold of a file.
func (c *crash) want(path, hash string) (flatDocument, error) {
	raw, err := c.folder.Load(c.t.Context(), path)
	if err != nil {
		return flatDocument{}, err
	}
	if hex.EncodeToString(raw.Hash[:]) != hash {
		return flatDocument{}, errors.New("the file was changed and that was not told")
	}
	want, ok := c.wanted[path+hash]
	if !ok {
		d, err := raw.Document(c.t.Context(), nil)
		if err != nil {
			return flatDocument{}, err
		}
		want = flatOf(d, crashVector)
		c.wanted[path+hash] = want
	}
	want.Modified, want.ChangeTime = time.Unix(0, raw.ModTime.UnixNano()), time.Unix(0, raw.ChangeTime.UnixNano())
	return want, nil
}

// wrongVectors lists the chunks of a document that have the vector of another
// text.
func wrongVectors(d flatDocument) map[int]string {
	faults := make(map[int]string)
	for i, chunk := range d.chunks {
		input := catalog.EmbeddingInput(d.body.Text[chunk.span.StartByte:chunk.span.EndByte], chunk.heading)
		if chunk.vector != nil && !isNear(chunk.vector, crashVector(input)) {
			faults[i] = "it has the vector of another text"
		}
	}
	return faults
}

func (c *crash) report(faults []string) {
	c.t.Helper()
	const most = 10
	for _, f := range faults[:min(len(faults), most)] {
		c.fault("%s", f)
	}
	if n := len(faults) - most; n > 0 {
		c.fault("and %d faults more", n)
	}
}

func (c *crash) open(file string) *Index {
	c.t.Helper()
	ix, err := New(Options{Folders: []string{c.dir}, IndexPaths: []string{file}, Embedder: crashEmbedder{}, Logger: indextest.QuietLog})
	c.must(err)
	c.must(ix.Load(c.t.Context()))
	return ix
}

func (c *crash) close(ix *Index) { c.must(ix.Close()) }
