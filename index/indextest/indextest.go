// Package indextest contains helpers shared by tests of an index: folders of notes, and an
// embedding model that counts texts and fails on request. Only tests import it.
package indextest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"vademecum/embed"
)

func Builtin(t testing.TB) embed.Embedder {
	t.Helper()
	e, err := embed.New("builtin")
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// CountingModel is an embedding model that returns the vectors of the built-in one, counts the
// texts it receives, and can be made to fail.
type CountingModel struct {
	embed.Embedder
	mu                  sync.Mutex
	passages            []string
	IsDown              bool
	ReturnsShortVectors bool   // return vectors of half the length
	RefusedWord         string // refuse texts that contain this word; "" refuses none
	Name                string
	Host                string
}

func NewCountingModel(t testing.TB) *CountingModel {
	t.Helper()
	return &CountingModel{Embedder: Builtin(t), Name: "test/counting"}
}

func (c *CountingModel) ModelIdentity() string { return c.Name }

func (c *CountingModel) Properties() embed.Properties {
	return embed.Properties{Semantic: true, Weight: 0.5, Host: c.Host}
}

func (c *CountingModel) Embed(ctx context.Context, kind embed.TextKind, texts []string) ([][]float32, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.IsDown {
		return nil, errors.New("connection refused")
	}
	refused := make(embed.RefusedTextsError)
	for i, text := range texts {
		if c.RefusedWord != "" && strings.Contains(text, c.RefusedWord) {
			refused[i] = errors.New("400: the input is too long")
		}
	}
	if kind == embed.Passage {
		c.passages = append(c.passages, texts...)
	}
	vectors, err := c.Embedder.Embed(ctx, kind, texts)
	if c.ReturnsShortVectors {
		for i, v := range vectors {
			vectors[i] = halve(v)
		}
	}
	for i := range refused {
		vectors[i], err = nil, refused
	}
	return vectors, err
}

// halve returns the first half of a vector, scaled to unit length.
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

func (c *CountingModel) SetDown(down bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.IsDown = down
}

// TakeCount returns the number of passages embedded since the last call.
func (c *CountingModel) TakeCount() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := len(c.passages)
	c.passages = nil
	return n
}

// NotesFolder is a folder of files for a test.
type NotesFolder struct {
	t   testing.TB
	Dir string
}

func NewNotesFolder(t testing.TB, files map[string]string) NotesFolder {
	t.Helper()
	n := NotesFolder{t, t.TempDir()}
	for path, text := range files {
		n.Write(path, text)
	}
	return n
}

func (n NotesFolder) Path(p string) string { return filepath.Join(n.Dir, filepath.FromSlash(p)) }

func (n NotesFolder) Write(p, text string) {
	n.t.Helper()
	if err := os.MkdirAll(filepath.Dir(n.Path(p)), 0o755); err != nil {
		n.t.Fatal(err)
	}
	if err := os.WriteFile(n.Path(p), []byte(text), 0o644); err != nil {
		n.t.Fatal(err)
	}
}

func (n NotesFolder) Rename(from, to string) {
	n.t.Helper()
	if err := os.MkdirAll(filepath.Dir(n.Path(to)), 0o755); err != nil {
		n.t.Fatal(err)
	}
	if err := os.Rename(n.Path(from), n.Path(to)); err != nil {
		n.t.Fatal(err)
	}
}

func (n NotesFolder) Remove(p string) {
	n.t.Helper()
	if err := os.RemoveAll(n.Path(p)); err != nil {
		n.t.Fatal(err)
	}
}

// Backdate sets the modification time of a file to an hour ago.
func (n NotesFolder) Backdate(p string) {
	n.t.Helper()
	past := time.Now().Add(-time.Hour)
	if err := os.Chtimes(n.Path(p), past, past); err != nil {
		n.t.Fatal(err)
	}
}

var QuietLog = slog.New(slog.NewTextHandler(io.Discard, nil))

// Eventually polls until ok returns true, and fails the test after the time limit.
func Eventually(t testing.TB, limit time.Duration, what string, ok func() bool) {
	t.Helper()
	if !Poll(limit, ok) {
		t.Fatalf("not within %v: %s", limit, what)
	}
}

// Poll polls until ok returns true, and reports whether it did within the time limit. Polling is
// needed for the effects of other processes, and of goroutines that wait for the disk. The longer it
// takes, the longer the pauses are, so that the processor is left to what is waited for.
func Poll(limit time.Duration, ok func() bool) bool {
	for start := time.Now(); !ok(); time.Sleep(pauseAfter(time.Since(start))) {
		if time.Since(start) > limit {
			return false
		}
	}
	return true
}

func pauseAfter(waited time.Duration) time.Duration {
	return min(max(5*time.Millisecond, waited/8), 100*time.Millisecond)
}

// ShortTimeout is the time limit for something that takes a second or two, on a busy machine.
const ShortTimeout = time.Minute

func Must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TextPath(i int) string { return fmt.Sprintf("%d.md", i) }

// ManyTexts returns n notes of several chunks, whose lines contain the number of the note and line.
func ManyTexts(n int) map[string]string {
	rng := rand.New(rand.NewPCG(11, 12))
	words := strings.Fields("heart lung dose pill salt sugar 血压 糖尿病 心脏 warfarin insulin diet sleep asthma sodium visit")
	files := make(map[string]string)
	for i := range n {
		var text strings.Builder
		fmt.Fprintf(&text, "# Note %d\n\n", i)
		for line := range 10 + rng.IntN(60) {
			fmt.Fprintf(&text, "Note%d line%d", i, line)
			for range 5 + rng.IntN(10) {
				text.WriteString(" " + words[rng.IntN(len(words))])
			}
			text.WriteString(".\n")
			if line%7 == 6 {
				fmt.Fprintf(&text, "\n## Part %d\n\n", line)
			}
		}
		files[TextPath(i)] = text.String()
	}
	return files
}

func ManyFiles(n int) map[string]string {
	files := make(map[string]string)
	for i := range n {
		files[fmt.Sprintf("%d.md", i)] = fmt.Sprintf("Note number %d.", i)
	}
	return files
}

// SetTime sets the modification time of a file.
func (n NotesFolder) SetTime(p string, at time.Time) {
	n.t.Helper()
	if err := os.Chtimes(n.Path(p), at, at); err != nil {
		n.t.Fatal(err)
	}
}

func HTMLPage(text string) string { return "<html><body><p>" + text + "</p></body></html>" }

// Incompressible returns a text of n characters that compression makes little shorter.
func Incompressible(n int) string {
	random := rand.New(rand.NewPCG(1, 2))
	out := make([]byte, n)
	for i := range out {
		out[i] = byte('!' + random.IntN('~'-'!'))
	}
	return string(out)
}
