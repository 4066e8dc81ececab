package embedding

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"vademecum/embed"
	"vademecum/index/indextest"
)

// recorder is a model that knows in which order it was called, and does something at its
// first call, for which the others wait.
type recorder struct {
	*indextest.CountingModel
	first func()
	once  sync.Once
	mu    sync.Mutex
	calls []string // the first text of each
}

func (r *recorder) Embed(ctx context.Context, kind embed.TextKind, texts []string) ([][]float32, error) {
	r.once.Do(r.first)
	r.mu.Lock()
	r.calls = append(r.calls, texts[0])
	r.mu.Unlock()
	return r.CountingModel.Embed(ctx, kind, texts)
}

func (p *process) putAt(t testing.TB, folder int, path string, modified time.Time, chunks ...string) {
	t.Helper()
	e := entry(path, chunks...)
	e.Modified = modified
	indextest.Must(t, p.store.Put(t.Context(), folder, e))
}

// TestNewestFirst: documents are embedded folder by folder, and the newest first.
func TestNewestFirst(t *testing.T) {
	p := newProcess(t, indextest.NewCountingModel(t), indexFile(t), indexFile(t))
	day := func(n int) time.Time { return time.Date(2026, 1, n, 0, 0, 0, 0, time.UTC) }
	p.putAt(t, 0, "old.md", day(1), "alpha")
	p.putAt(t, 0, "newer.md", day(3), "beta")
	p.putAt(t, 0, "between.md", day(2), "gamma")
	p.putAt(t, 1, "newest.md", day(4), "delta")
	p.putAt(t, 1, "oldest.md", time.Time{}, "epsilon")
	var paths []string
	for _, d := range p.store.DocumentsToEmbed() {
		paths = append(paths, d.Path)
	}
	if want := []string{"newest.md", "oldest.md", "newer.md", "between.md", "old.md"}; !slices.Equal(paths, want) {
		t.Errorf("the order is %q, want %q", paths, want)
	}
}

// TestNoteDuringPass: what is written during a long pass does not wait for its end.
func TestNoteDuringPass(t *testing.T) {
	model := &recorder{CountingModel: indextest.NewCountingModel(t)}
	p := newProcess(t, model, indexFile(t))
	const documents = 20
	size := model.Properties().BatchSize()
	for i := range documents { // each is read by itself
		var chunks []string
		for n := range 8 * size {
			chunks = append(chunks, fmt.Sprintf("Note %d of %d", n, i))
		}
		p.put(t, 0, fmt.Sprint(i, ".md"), chunks...)
	}
	model.first = func() { p.putAt(t, 0, "new.md", time.Now(), "news") }
	indextest.Must(t, p.EmbedMissing(t.Context(), 0))
	p.mustHaveUnembedded(t, 0)
	// What stands before it: the calls under way, as many batches that wait for these, the
	// documents that were read, and the calls that are made together with its own.
	at, most := slices.Index(model.calls, "news"), 3*embed.MaxUsefulConcurrentCalls+2*8
	if all := len(model.calls); at < 0 || at > most || all != 8*documents+1 {
		t.Errorf("it was call %d of %d, want at most %d of %d", at, all, most, 8*documents+1)
	}
}
