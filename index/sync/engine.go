// Package engine assembles the parts that keep indexes up to date with their folders, and runs them
// while a server runs: it watches and follows folders, passes changes to the indexer, and schedules
// checks of libraries.
package sync

import (
	"context"
	"log/slog"
	"time"

	"golang.org/x/sync/semaphore"

	"vademecum/docs/ocr"
	"vademecum/index/embedding"
	"vademecum/index/freshness"
	"vademecum/index/ingest"
	"vademecum/index/live"
	"vademecum/index/recognition"
	"vademecum/index/roots"
	"vademecum/index/search"
	"vademecum/internal/base/panics"
)

// Engine keeps indexes up to date with their folders. It is safe for concurrent use.
type Engine struct {
	Folders   roots.Set
	Store     *live.Store
	Guard     *panics.Guard
	Log       *slog.Logger
	Peers     *Coordinator
	Fresh     *freshness.Freshness
	Throttle  *RereadBackoff
	Comparer  *Comparer
	Heap      *Releaser
	Embedding *embedding.Service
	Recovery  *Recovery
	Indexer   *Indexer
	Syncer    *Syncer

	Recognition *recognition.Service
}

// New returns an Engine of folders. Sync and Embed wait at most patience for another process that
// has these duties; 0 means no limit. The recogniser reads the text of scanned pages; without one,
// they have no text.
func New(folders roots.Set, store *live.Store, patience time.Duration, recogniser *ocr.Recogniser, log *slog.Logger) *Engine {
	tracker, turn := freshness.NewTracker(len(folders)), semaphore.NewWeighted(1)
	e := &Engine{Folders: folders, Store: store, Guard: panics.NewGuard(log), Log: log, Throttle: NewRereadBackoff(), Heap: new(Releaser)}
	e.Peers = NewCoordinator(folders, store, tracker, log)
	e.Fresh = freshness.New(tracker, freshness.Sources{Folders: folders, Store: store, Indexer: e, ThrottledFiles: e.lateFiles, HasPending: e.hasUnembedded, Log: log})
	reader := &ingest.Reader{Folders: folders, Recogniser: recogniser, IsGenerated: store.IsGenerated, Guard: e.Guard, Log: log}
	e.Comparer = NewComparer(ComparerDependencies{
		Folders: folders, Store: store, Reader: reader, Throttle: e.Throttle, Fresh: e.Fresh, IsIndexer: e.Peers.IsIndexer, Guard: e.Guard, Log: log,
	})
	e.Recovery = NewRecovery(RecoveryDependencies{
		Folders: folders, Store: store, Comparer: e.Comparer, Peers: e.Peers, Fresh: e.Fresh, Heap: e.Heap, Turn: turn, Reread: e.rereadAreas, Guard: e.Guard, Log: log,
	})
	e.Embedding = embedding.New(embedding.Dependencies{
		Folders: folders, Store: store, Embedder: store.Embedder, Progress: tracker, Peers: e.Peers, Log: log,
		Guard: e.Guard.Catch, Salvage: e.Recovery.MoveToMemoryInTurn, SaveSnapshots: e.Recovery.SaveSnapshots,
	})
	e.Recovery.Embedding = e.Embedding
	e.Indexer = NewIndexer(IndexerDependencies{
		Folders: folders, Store: store, Reader: reader, Comparer: e.Comparer, Recovery: e.Recovery, Throttle: e.Throttle,
		Embedding: e.Embedding, Peers: e.Peers, Fresh: e.Fresh, Heap: e.Heap, Turn: turn, Guard: e.Guard, Log: log,
	})
	e.Syncer = NewSyncer(SyncerDependencies{
		Folders: folders, Store: store, Comparer: e.Comparer, Recovery: e.Recovery, Indexer: e.Indexer, Throttle: e.Throttle,
		Peers: e.Peers, Fresh: e.Fresh, WaitTimeout: patience, Guard: e.Guard, Log: log,
	})
	e.Recognition = recognition.New(recognition.Dependencies{
		Folders: folders, Store: store, Recogniser: recogniser, IsIndexer: e.Peers.IsIndexer, Fresh: e.Fresh, Reread: e.Indexer.Reread, Guard: e.Guard, Log: log,
	})
	return e
}

// NewForTexts returns an Engine without folders, for a store of texts.
func (e *Engine) NewForTexts(store *live.Store) *Engine { return New(nil, store, 0, nil, e.Log) }

// Embed embeds the chunks without vectors, which completes a Sync. It keeps the results obtained
// before a failure; the error is that of the model or of ctx. If another process embeds, it waits
// for that process.
func (e *Engine) Embed(ctx context.Context) error {
	if err := e.Fresh.WaitLoaded(ctx); err != nil {
		return err
	}
	return e.Syncer.PublishWhile(ctx, func() error { return e.Embedding.EmbedMissing(ctx, e.Syncer.WaitTimeout) })
}

func (e *Engine) hasUnembedded() bool { return e.Embedding.HasPending() }

func (e *Engine) lateFiles() []search.Location { return e.Throttle.ThrottledFiles(time.Now()) }

func (e *Engine) rereadAreas(ctx context.Context, folder int, areas []Subtree) error {
	return e.Syncer.Reread(ctx, folder, areas)
}

// IsIndexer reports whether this process indexes a folder. IsIndexer and Compare implement the
// Indexer of package freshness, which is created before the syncer.
func (e *Engine) IsIndexer(folder int) bool { return e.Peers.IsIndexer(folder) }

// Compare scans folders and indexes what has changed in them, see syncer.Compare.
func (e *Engine) Compare(ctx context.Context, folders []int) error {
	return e.Syncer.Compare(ctx, folders)
}
