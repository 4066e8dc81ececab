package embedding

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"vademecum/docs"
	"vademecum/docs/text"
	"vademecum/embed"
	"vademecum/index/freshness"
	"vademecum/index/indextest"
	"vademecum/index/lexical/analysis"
	"vademecum/index/live"
	"vademecum/index/memindex"
	"vademecum/index/notice"
	"vademecum/index/progress"
	"vademecum/index/roots"
	"vademecum/index/search"
	"vademecum/index/store/catalog"
	"vademecum/index/store/sqlite"
)

// peers say which folders other processes embed, and how far these are.
type peers struct {
	mu     sync.Mutex
	others map[int]progress.EmbeddingProgress
	heard  int
}

func (p *peers) IsEmbedder(folder int) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	_, other := p.others[folder]
	return !other
}

func (p *peers) FollowEmbedder(_ context.Context, folder int, _ *live.Follower) (progress.EmbeddingProgress, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.heard++
	return p.others[folder], nil
}

func (p *peers) set(folder int, e progress.EmbeddingProgress) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.others[folder] = e
}

// lines are what was logged, at Warn and above.
type lines struct {
	slog.Handler
	mu  sync.Mutex
	all []string
}

func (l *lines) Enabled(context.Context, slog.Level) bool { return true }

func (l *lines) Handle(_ context.Context, r slog.Record) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if r.Level >= slog.LevelWarn {
		l.all = append(l.all, r.Message)
	}
	return nil
}

func (l *lines) count(part string) (n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, line := range l.all {
		if strings.Contains(line, part) {
			n++
		}
	}
	return n
}

// process is a Service with what a test looks at.
type process struct {
	*Service
	store  *live.Store
	peers  *peers
	logged *lines
	saved  int // how often snapshots were due
}

// newProcess makes one on index files, which others may have, too. It is closed at the
// end of the test.
func newProcess(t testing.TB, model embed.Embedder, files ...string) *process {
	t.Helper()
	p := processOf(memindex.New(len(files), model), len(files))
	t.Cleanup(func() { indextest.Must(t, p.store.Close()) })
	for i, file := range files {
		c, err := sqlite.Open(t.Context(), sqlite.Location{File: file}, model.ModelIdentity())
		indextest.Must(t, err)
		_, err = p.store.Load(t.Context(), i, c)
		indextest.Must(t, err)
	}
	return p
}

// processOf makes one of a store that somebody else loads and closes.
func processOf(store *live.Store, folders int) *process {
	p := &process{store: store, peers: &peers{others: make(map[int]progress.EmbeddingProgress)}, logged: &lines{Handler: slog.DiscardHandler}}
	var set roots.Set
	for i := range folders {
		set = append(set, roots.Root{Folder: docs.NewRemote(fmt.Sprint("notes", i))})
	}
	p.Service = New(Dependencies{
		Folders: set, Store: store, Embedder: store.Embedder, FreshnessPublisher: freshness.NewPublisher(folders), Peers: p.peers, Log: slog.New(p.logged),
		CatchPanic:                   func(_ string, f func() error) error { return f() },
		MoveRejectedCatalogsToMemory: func(context.Context) (bool, error) { return false, nil },
		SaveSnapshots:                func(context.Context) { p.saved++ },
	})
	return p
}

func indexFile(t testing.TB) string {
	t.Helper()
	return filepath.Join(t.TempDir(), "x.db")
}

// entry is a document with a chunk for each text.
func entry(path string, chunks ...string) catalog.RecordWithBody {
	body := strings.Join(chunks, "\n\n")
	e := catalog.RecordWithBody{Record: catalog.Record{Path: path, Size: int64(len(body))}, Body: text.Body{Text: body}}
	at := 0
	for _, c := range chunks {
		sum := sha256.Sum256([]byte(c))
		e.Chunks = append(e.Chunks, catalog.Chunk{
			Span: text.Span{StartByte: at, EndByte: at + len(c), StartLine: 1, EndLine: 1}, Key: catalog.EmbeddingKey(sum[:len(catalog.EmbeddingKey{})]), Terms: analysis.CountTerms(analysis.ChunkNames{}, c),
		})
		at += len(c) + 2
	}
	return e
}

// put has a folder hold a document with a chunk for each text, or memory alone.
func (p *process) put(t testing.TB, folder int, path string, chunks ...string) {
	t.Helper()
	if folder == search.NoFolder {
		indextest.Must(t, p.store.PutClientText(t.Context(), entry(path, chunks...)))
		return
	}
	indextest.Must(t, p.store.Put(t.Context(), folder, entry(path, chunks...)))
}

func (p *process) mustHaveUnembedded(t testing.TB, want int) {
	t.Helper()
	if _, unembedded := p.store.CountChunks(); unembedded != want {
		t.Errorf("%d chunks have no vector, want %d", unembedded, want)
	}
}

// numbered are texts that differ.
func numbered(n int) (all []string) {
	for i := range n {
		all = append(all, fmt.Sprint("Note number ", i))
	}
	return all
}

// run starts Run in a bubble, and returns what it calls after each pass.
func (p *process) run(t *testing.T) (passes *atomic.Int32) {
	passes = new(atomic.Int32)
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan bool)
	go func() {
		p.Run(ctx, func() { passes.Add(1) })
		close(done)
	}()
	t.Cleanup(func() { stop(); <-done })
	return passes
}

// TestRetries: a model that does not answer is left alone for longer and longer, which is
// told once, until a question shows that it answers again.
func TestRetries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		model := indextest.NewCountingModel(t)
		model.SetDown(true)
		p := newProcess(t, model)
		p.put(t, search.NoFolder, "text:1", "alpha")
		passes := p.run(t)
		p.Wake()
		for _, step := range []struct {
			after time.Duration
			want  int32
		}{{0, 1}, {firstRetry, 1}, {2 * firstRetry, 1}, {lastRetry, 1}, {lastRetry, 1}} {
			time.Sleep(step.after)
			synctest.Wait()
			if n := passes.Swap(0); n != step.want {
				t.Errorf("after %v more there were %d passes, want %d", step.after, n, step.want)
			}
		}
		if n := p.logged.count("have no vector yet"); n != 1 || p.FreshnessPublisher.Current().State.EmbedFailure == "" {
			t.Errorf("it was told %d times, the state is %+v", n, p.FreshnessPublisher.Current().State)
		}
		model.SetDown(false)
		if _, notes := p.EmbedQuestion(t.Context(), []string{"alpha"}); len(notes) > 0 {
			t.Errorf("the question: %q", notice.EnglishLines(notes))
		}
		synctest.Wait()
		if p.mustHaveUnembedded(t, 0); passes.Load() != 1 || p.FreshnessPublisher.Current().State.EmbedFailure != "" {
			t.Errorf("after the answer there were %d passes, the state is %+v", passes.Load(), p.FreshnessPublisher.Current().State)
		}
		time.Sleep(time.Hour)
		if synctest.Wait(); passes.Load() != 1 {
			t.Errorf("there were %d passes although nothing was to do", passes.Load())
		}
		p.put(t, search.NoFolder, "text:2", "beta")
		p.Wake()
		if synctest.Wait(); passes.Load() != 2 {
			t.Errorf("there were %d passes, and what came was to be embedded", passes.Load())
		}
		p.mustHaveUnembedded(t, 0)
	})
}

// TestWhileIdle: nothing is called during a pass, nor by two at once.
func TestWhileIdle(t *testing.T) {
	model := &partly{CountingModel: indextest.NewCountingModel(t), give: 1}
	p := newProcess(t, model)
	p.put(t, search.NoFolder, "text:1", "alpha")
	calls := 0
	try := func() { p.WhileIdle(func() { calls++ }) }
	model.stop = try
	indextest.Must(t, p.EmbedMissing(t.Context(), 0))
	p.WhileIdle(try)
	if calls != 0 || model.calls.Load() != 1 {
		t.Errorf("it was called %d times during %d passes", calls, model.calls.Load())
	}
	if try(); calls != 1 {
		t.Error("it is not called when nothing is under way")
	}
}

// TestHasPending: what another process embeds is not pending here.
func TestHasPending(t *testing.T) {
	p := newProcess(t, indextest.NewCountingModel(t), indexFile(t), indexFile(t))
	must := func(want bool) {
		t.Helper()
		if got := p.HasPendingChunks(); got != want {
			t.Errorf("something is pending: %v", got)
		}
	}
	must(false)
	p.put(t, 1, "a.md", "alpha")
	must(true)
	p.FreshnessPublisher.UpdateFolder(1, func(f *freshness.Folder) { f.EmbedderProgress = &progress.EmbeddingProgress{} })
	must(false)
	p.put(t, 0, "a.md", "alpha")
	must(true)
}

// TestOthersEmbed: of two folders only that is embedded which no other process embeds, and
// only there vectors are looked through.
func TestOthersEmbed(t *testing.T) {
	model := indextest.NewCountingModel(t)
	p := newProcess(t, model, indexFile(t), indexFile(t))
	p.put(t, 0, "a.md", "alpha")
	p.put(t, 1, "a.md", "beta")
	p.peers.set(1, progress.EmbeddingProgress{})
	indextest.Must(t, p.EmbedMissing(t.Context(), 0))
	if n := model.TakeCount(); n != 1 || p.store.CountMissingVectors(0) != 0 || p.store.CountMissingVectors(1) != 1 {
		t.Errorf("%d texts were embedded, %d and %d have no vector", n, p.store.CountMissingVectors(0), p.store.CountMissingVectors(1))
	}
	for folder, want := range []bool{false, true} {
		due := false
		indextest.Must(t, p.store.Follower(folder).PruneVectors(t.Context(), time.Now(), func() map[catalog.EmbeddingKey]bool {
			due = true
			return nil
		}))
		if due != want {
			t.Errorf("folder %d: vectors are to be looked through: %v", folder, due)
		}
	}
	if through := p.store.Follower(0).EmbeddedThroughChange.Load(); through == 0 || through != p.store.Follower(0).LastFollowedChange() {
		t.Errorf("all is embedded up to change %d", through)
	}
	if p.saved != 1 {
		t.Errorf("snapshots were saved %d times", p.saved)
	}
}

// TestFinishWaits for the process that embeds instead, as long as it may, and fails as
// that one does.
func TestFinishWaits(t *testing.T) {
	var e progress.EmbeddingProgress
	e.IsEmbeddingDue = true
	for name, c := range map[string]struct {
		patience time.Duration
		through  time.Duration // when the other process is through; 0: never
		failure  string
		want     time.Duration
	}{
		"to its end":             {0, time.Hour, "", time.Hour},
		"as long as it may":      {3 * time.Second, time.Hour, "", 3 * time.Second},
		"or shorter":             {3 * time.Second, time.Second, "", time.Second},
		"not for one that fails": {0, 0, "it is away", 0},
	} {
		t.Run(name, func(t *testing.T) {
			store := memindex.New(1, indextest.NewCountingModel(t))
			synctest.Test(t, func(t *testing.T) {
				p := processOf(store, 1)
				e.Failure = c.failure
				p.peers.set(0, e)
				if c.through > 0 {
					defer time.AfterFunc(c.through, func() { p.peers.set(0, progress.EmbeddingProgress{}) }).Stop()
				}
				began := time.Now()
				err := p.EmbedMissing(t.Context(), c.patience)
				if (err == nil) != (c.failure == "") || err != nil && err.Error() != c.failure {
					t.Errorf("it fails: %v", err)
				}
				if took := time.Since(began); took < c.want || took > c.want+2*hearEvery {
					t.Errorf("it took %v, want %v", took, c.want)
				}
			})
		})
	}
}

// TestFinishGivenUp: who waits for another process may give up.
func TestFinishGivenUp(t *testing.T) {
	store := memindex.New(1, indextest.NewCountingModel(t))
	synctest.Test(t, func(t *testing.T) {
		p := processOf(store, 1)
		p.peers.set(0, progress.EmbeddingProgress{IsEmbeddingDue: true})
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if err := p.EmbedMissing(ctx, 0); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("it fails: %v", err)
		}
	})
}

// TestFinishGoesOn after a failure as long as vectors come, and a while longer.
func TestFinishGoesOn(t *testing.T) {
	for name, c := range map[string]struct {
		give       []int // vectors that each call gives before it fails; then none
		calls      int64
		unembedded int
	}{
		"none come":       {nil, 1, 30},
		"some come":       {[]int{10}, 1 + fruitless, 20},
		"some come later": {[]int{10, 0, 0, 5}, 4 + fruitless, 15},
		"all come":        {[]int{10, 0, 20}, 3, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				model := &partly{CountingModel: indextest.NewCountingModel(t)}
				model.stop = func() { // before the next call
					model.give = 0
					if n := int(model.calls.Load()); n < len(c.give) {
						model.give = c.give[n]
					}
				}
				if len(c.give) > 0 {
					model.give = c.give[0]
				}
				p := newProcess(t, model)
				p.put(t, search.NoFolder, "text:1", numbered(30)...)
				if err := p.EmbedMissing(t.Context(), 0); (err == nil) != (c.unembedded == 0) {
					t.Errorf("it fails: %v", err)
				}
				if p.mustHaveUnembedded(t, c.unembedded); model.calls.Load() != c.calls {
					t.Errorf("the model was called %d times, want %d", model.calls.Load(), c.calls)
				}
			})
		})
	}
}

// TestNotWithPatience: whoever has little time tries once.
func TestNotWithPatience(t *testing.T) {
	model := &partly{CountingModel: indextest.NewCountingModel(t), give: 10}
	p := newProcess(t, model)
	p.put(t, search.NoFolder, "text:1", numbered(30)...)
	if err := p.EmbedMissing(t.Context(), time.Second); err == nil || model.calls.Load() != 1 {
		t.Errorf("after %d calls: %v", model.calls.Load(), err)
	}
}

// TestSalvage: when the disk takes nothing and the index has gone over to memory the pass
// is made again.
func TestSalvage(t *testing.T) {
	for _, salvaged := range []bool{true, false} {
		model := indextest.NewCountingModel(t)
		p := newProcess(t, model)
		p.put(t, search.NoFolder, "text:1", "alpha")
		model.SetDown(true)
		p.MoveRejectedCatalogsToMemory = func(context.Context) (bool, error) {
			model.SetDown(false)
			return salvaged, nil
		}
		if err := p.EmbedMissing(t.Context(), time.Second); (err == nil) != salvaged {
			t.Errorf("salvaged: %v, %v", salvaged, err)
		}
	}
}

// TestHostIsTold: the host that gets the texts is told the first time, and remembered.
func TestHostIsTold(t *testing.T) {
	model := indextest.NewCountingModel(t)
	p := newProcess(t, model, indexFile(t))
	c := p.store.Follower(0)
	for i, step := range []struct {
		host string
		told int
	}{{"", 0}, {"api.example.com", 1}, {"api.example.com", 1}, {"other.example.com", 2}} {
		model.Host = step.host
		indextest.Must(t, p.LogHostOnce(t.Context(), 0, c))
		host, err := c.Value(t.Context(), c.Describe().ModelScopedKey(EmbedHostKey))
		if indextest.Must(t, err); host != step.host || p.logged.count("is sent to the host") != step.told {
			t.Errorf("step %d: told %q, %q is kept", i, p.logged.all, host)
		}
	}
}

// TestEstimator counts each text once that has no vector from before.
func TestEstimator(t *testing.T) {
	p := newProcess(t, indextest.NewCountingModel(t), indexFile(t))
	p.put(t, 0, "a.md", "alpha", "beta")
	indextest.Must(t, p.EmbedMissing(t.Context(), 0))
	for _, c := range []struct {
		free bool
		want Cost
	}{{false, Cost{Chunks: 5, TextsToEmbed: 2, Tokens: 4}}, {true, Cost{Chunks: 5}}} {
		e := NewEstimator(embed.Properties{IsCheapToCompute: c.free})
		for _, d := range []catalog.RecordWithBody{entry("a.md", "alpha", "gamma delta"), entry("b.md", "gamma delta", "epsilon", "beta")} {
			indextest.Must(t, e.Add(t.Context(), d, p.store.Follower(0)))
		}
		if e.Cost.Tokens = min(e.Cost.Tokens, c.want.Tokens); e.Cost != c.want {
			t.Errorf("free: %v: %+v, want %+v", c.free, e.Cost, c.want)
		}
	}
}

// TestPanicsAreCaught wherever the service begins something, so that they are errors.
func TestPanicsAreCaught(t *testing.T) {
	p := newProcess(t, indextest.NewCountingModel(t), indexFile(t))
	p.put(t, 0, "a.md", "alpha")
	var doing []string
	var mu sync.Mutex
	p.CatchPanic = func(what string, f func() error) error {
		mu.Lock()
		doing = append(doing, what)
		mu.Unlock()
		return f()
	}
	indextest.Must(t, p.EmbedMissing(t.Context(), 0))
	if want := []string{"embed", "embed passages", "drop unused vectors", "note what is embedded", "index vectors"}; !slices.Equal(doing, want) {
		t.Errorf("guarded are %q, want %q", doing, want)
	}
}
