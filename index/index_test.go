package index

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"vademecum/embed"
)

func builtin(t testing.TB) embed.Embedder {
	t.Helper()
	e, err := embed.New("builtin")
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// counting is a model that gives the vectors of the built-in embedding, with a
// count of the texts it was given, and a switch to make it fail.
type counting struct {
	embed.Embedder
	mu       sync.Mutex
	passages []string
	down     bool
	shorter  bool   // gives vectors of half the length
	refuse   string // a word that makes it refuse a text
	name     string
}

func newCounting(t testing.TB) *counting {
	t.Helper()
	return &counting{Embedder: builtin(t), name: "test/counting"}
}

func (c *counting) Model() string { return c.name }

func (c *counting) Embed(ctx context.Context, kind embed.Kind, texts []string) ([][]float32, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.down {
		return nil, errors.New("connection refused")
	}
	refused := make(embed.Refused)
	for i, text := range texts {
		if c.refuse != "" && strings.Contains(text, c.refuse) {
			refused[i] = errors.New("400: the input is too long")
		}
	}
	if kind == embed.Passage {
		c.passages = append(c.passages, texts...)
	}
	vectors, err := c.Embedder.Embed(ctx, kind, texts)
	if c.shorter {
		for i, v := range vectors {
			vectors[i] = halve(v)
		}
	}
	for i := range refused {
		vectors[i], err = nil, refused
	}
	return vectors, err
}

// halve keeps the first half of a vector, at unit length.
func halve(v []float32) []float32 {
	var sum float64
	for _, x := range v[:len(v)/2] {
		sum += float64(x) * float64(x)
	}
	out := make([]float32, len(v)/2)
	for i := range out {
		out[i] = v[i] / float32(math.Sqrt(sum))
	}
	return out
}

func (c *counting) setDown(down bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.down = down
}

// taken returns how many texts were embedded since the last call.
func (c *counting) taken() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := len(c.passages)
	c.passages = nil
	return n
}

// notes is a folder of files for a test.
type notes struct {
	t   testing.TB
	dir string
}

func newNotes(t testing.TB, files map[string]string) notes {
	t.Helper()
	n := notes{t, t.TempDir()}
	for path, text := range files {
		n.write(path, text)
	}
	return n
}

func (n notes) path(p string) string { return filepath.Join(n.dir, filepath.FromSlash(p)) }

func (n notes) write(p, text string) {
	n.t.Helper()
	if err := os.MkdirAll(filepath.Dir(n.path(p)), 0o755); err != nil {
		n.t.Fatal(err)
	}
	if err := os.WriteFile(n.path(p), []byte(text), 0o644); err != nil {
		n.t.Fatal(err)
	}
}

func (n notes) rename(from, to string) {
	n.t.Helper()
	if err := os.MkdirAll(filepath.Dir(n.path(to)), 0o755); err != nil {
		n.t.Fatal(err)
	}
	if err := os.Rename(n.path(from), n.path(to)); err != nil {
		n.t.Fatal(err)
	}
}

func (n notes) remove(p string) {
	n.t.Helper()
	if err := os.RemoveAll(n.path(p)); err != nil {
		n.t.Fatal(err)
	}
}

// age sets a file's time back, as if it had not been touched for an hour.
func (n notes) age(p string) {
	n.t.Helper()
	past := time.Now().Add(-time.Hour)
	if err := os.Chtimes(n.path(p), past, past); err != nil {
		n.t.Fatal(err)
	}
}

var quietLog = slog.New(slog.NewTextHandler(io.Discard, nil))

// open makes an index of folders whose files lie in one place, so that a test
// can open it again.
func open(t testing.TB, files string, e embed.Embedder, dirs ...string) *Index {
	t.Helper()
	var names []string
	for _, d := range dirs {
		names = append(names, filepath.Join(files, filepath.Base(filepath.Dir(d))+filepath.Base(d)+".db"))
	}
	return openOn(t, names, e, dirs...)
}

// openOn is open with the files named.
func openOn(t testing.TB, files []string, e embed.Embedder, dirs ...string) *Index {
	t.Helper()
	ix, err := New(Options{Folders: dirs, Files: files, Embedder: e, Logger: quietLog})
	if err != nil {
		t.Fatal(err)
	}
	if err := ix.Load(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := ix.Close(); err != nil {
			t.Error(err)
		}
	})
	return ix
}

// twoOn opens a folder twice with one index file, as two processes do.
func twoOn(t testing.TB, dir string) (both [2]*Index) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "x.db")
	for i := range both {
		both[i] = openOn(t, []string{file}, newCounting(t), dir)
	}
	return both
}

func followAll(t testing.TB, ix *Index) {
	t.Helper()
	for i := range ix.folders {
		if _, err := ix.store.Follow(t.Context(), i); err != nil {
			t.Error(err)
		}
	}
}

func mustSync(t testing.TB, ix *Index, scope Scope) Report {
	t.Helper()
	r, err := ix.Sync(t.Context(), scope)
	if err != nil {
		t.Fatal(err)
	}
	if err := ix.Embed(t.Context()); err != nil {
		t.Fatal(err)
	}
	return r
}

func mustSearch(t testing.TB, ix *Index, q Query) Answer {
	t.Helper()
	a, err := ix.Search(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// found lists the paths of an answer, best first.
func found(a Answer) string {
	var paths []string
	for _, p := range a.Passages {
		paths = append(paths, p.Path)
	}
	return strings.Join(paths, " ")
}

func listed(ix *Index) string {
	var paths []string
	for _, d := range ix.list(nil) {
		if d.Skip != "" {
			paths = append(paths, d.Path+"("+d.Skip+")")
		} else {
			paths = append(paths, d.Path)
		}
	}
	return strings.Join(paths, " ")
}
