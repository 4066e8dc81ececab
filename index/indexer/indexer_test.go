package indexer

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/semaphore"

	"vademecum/docs"
	"vademecum/docs/formats"
	"vademecum/embed"
	"vademecum/index/compare"
	"vademecum/index/embedding"
	"vademecum/index/freshness"
	"vademecum/index/heap"
	"vademecum/index/home"
	"vademecum/index/indextest"
	"vademecum/index/ingest"
	"vademecum/index/memindex"
	"vademecum/index/peer"
	"vademecum/index/recovery"
	"vademecum/index/roots"
	"vademecum/index/say"
	"vademecum/index/search"
	"vademecum/index/throttle"
	"vademecum/internal/panics"
)

func TestMain(m *testing.M) {
	formats.RunChild()
	os.Exit(m.Run())
}

// fixture is an Indexer with all that it works with, of one process.
type fixture struct {
	*Indexer
}

// scope is what a run of a test is over.
type scope struct {
	paths []string
	force bool
}

// open makes and loads one of folders, with their index files in a folder.
func open(t testing.TB, files string, e embed.Embedder, dirs ...string) *fixture {
	t.Helper()
	log := slog.New(slog.DiscardHandler)
	var paths []string
	for i := range dirs {
		paths = append(paths, filepath.Join(files, string(rune('x'-i))+".db"))
	}
	folders, err := roots.Open(dirs, nil, docs.Open, false, home.Files{Paths: paths, Model: e.Model()})
	indextest.Must(t, err)
	store, tracker := memindex.New(len(folders), e), freshness.NewTracker(len(folders))
	guard, limit, turn, memory := panics.NewGuard(log), throttle.New(), semaphore.NewWeighted(1), new(heap.Heap)
	peers := peer.New(folders, store, tracker, log)
	x := &fixture{}
	fresh := freshness.New(tracker, freshness.Sources{
		Folders: folders, Store: store, Indexer: x, Log: log,
		Late: func() []search.Location { return x.Throttle.Late(time.Now()) }, HasPending: func() bool { return x.Embedding.HasPending() },
	})
	reader := &ingest.Reader{Folders: folders, Throttle: limit, IsGenerated: store.IsGenerated, Guard: guard, Log: log}
	comparer := compare.New(compare.Parts{Folders: folders, Store: store, Reader: reader, Throttle: limit, Fresh: fresh, Leads: peers.Leads, Guard: guard, Log: log})
	repairs := recovery.New(recovery.Parts{
		Folders: folders, Store: store, Comparer: comparer, Peers: peers, Fresh: fresh, Heap: memory, Turn: turn, Guard: guard, Log: log,
		Reread: func(ctx context.Context, _ int, areas []compare.Area) error { return x.compare(ctx, areas) },
	})
	repairs.Embedding = embedding.New(embedding.Parts{
		Folders: folders, Store: store, Embedder: e, Progress: tracker, Peers: peers, Log: log,
		Guard: guard.Catch, Salvage: repairs.SalvageInTurn, SaveSnapshots: func(context.Context) {},
	})
	x.Indexer = New(Parts{
		Folders: folders, Store: store, Reader: reader, Comparer: comparer, Recovery: repairs, Throttle: limit, Embedding: repairs.Embedding,
		Peers: peers, Fresh: fresh, Turn: turn, Heap: memory, Guard: guard, Log: log,
	})
	t.Cleanup(func() {
		x.Close()
		indextest.Must(t, store.Close())
		indextest.Must(t, folders.ReleaseDuties())
	})
	indextest.Must(t, repairs.Load(t.Context()))
	return x
}

// Leads tells that this process indexes all.
func (x *fixture) Leads(folder int) bool { return x.Peers.Leads(folder) }

// Compare is for freshness.
func (x *fixture) Compare(ctx context.Context, folders []int) error {
	return x.compare(ctx, compare.AllOf(folders))
}

func (x *fixture) compare(ctx context.Context, areas []compare.Area) error {
	for i := range x.Folders {
		x.Peers.Leads(i)
	}
	_, err := x.Index(ctx, x.NewRun(compare.Comparison{}), areas)
	return err
}

// sync runs over a scope and waits for the files that are read in the background.
func (x *fixture) sync(ctx context.Context, s scope) (say.Report, error) {
	areas, err := x.Comparer.Areas(s.paths)
	if err != nil {
		return say.Report{}, err
	}
	for i := range x.Folders {
		x.Peers.Leads(i)
	}
	r, err := x.Index(ctx, x.NewRun(compare.Comparison{Force: s.force}), areas)
	if err == nil {
		err = r.Wait(ctx)
	}
	r.Finish()
	return r.Report, err
}

func mustSync(t testing.TB, x *fixture, s scope) say.Report {
	t.Helper()
	r, err := x.sync(t.Context(), s)
	indextest.Must(t, err)
	indextest.Must(t, x.Embedding.Finish(t.Context(), 0))
	return r
}

// best is the document whose passage a question finds first.
func best(t testing.TB, x *fixture, question string) *search.Document {
	t.Helper()
	var a search.Found
	indextest.Must(t, x.Store.View(t.Context(), func(ctx context.Context, v search.View) (err error) {
		a, err = v.Search(ctx, []search.Phrasing{{Text: question, Weight: 1}}, search.Filter{}, 10)
		return err
	}))
	if len(a.Candidates) == 0 {
		return &search.Document{}
	}
	return a.Candidates[0].Document
}

// found is the path of that document.
func found(t testing.TB, x *fixture, question string) string {
	t.Helper()
	return best(t, x, question).Path
}

// content is what a document holds.
func content(t testing.TB, x *fixture, path string) string {
	t.Helper()
	d, ok := x.Store.Document(search.Location{Folder: 0, Path: path})
	if !ok {
		return ""
	}
	body, _, err := x.Store.Body(t.Context(), d)
	indextest.Must(t, err)
	return body.Text
}

func notes(x *fixture) string { return strings.Join(say.Lines(x.Fresh.Notes()), "\n") }
