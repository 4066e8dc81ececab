// Package sync keeps indexes up to date with their folders. It watches and scans folders, compares
// them with their indexes, reads and commits what is new or changed, and removes what is gone; it
// loads indexes, repairs them, and follows or asks another process that indexes a folder.
//
// A saved file passes through watch.go, dirty_set.go, loop.go, run.go, diff.go and commit.go to the store.
package sync

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"vademecum/docs/ocr"
	"vademecum/index/embedding"
	"vademecum/index/freshness"
	"vademecum/index/ingest"
	"vademecum/index/live"
	"vademecum/index/roots"
	"vademecum/index/search"
	"vademecum/internal/base/panics"
)

// Syncer keeps the indexes of folders up to date. It is safe for concurrent use.
type Syncer struct {
	Folders       roots.Set
	Store         *live.Store
	Reader        *ingest.Reader
	Fresh         *freshness.Publisher
	RereadBackoff *rereadBackoff
	Embedding     *embedding.Service
	Recognition   *Recognition
	Guard         *panics.Guard
	Log           *slog.Logger

	waitTimeout time.Duration       // how long to wait for another process that indexes or embeds a folder; 0 means no limit
	turn        *semaphore.Weighted // of weight 1; held while an index is changed
	comparing   *semaphore.Weighted // of weight 1; held while a folder of another process is compared for a query
	adding      *semaphore.Weighted // of weight 1; held while texts of a client are added
	background  *backgroundReader   // reads files outside of runs
	large       sync.Mutex          // held while a large file is indexed
	checks      chan checkRequest   // requests for checks of libraries in a database

	synced       time.Time        // when the time of the last scan was saved; guarded by turn
	whole        map[int]bool     // folders scanned since the last complete scan; guarded by turn
	savedSuccess []*live.Follower // by folder, the follower in whose catalogue it is saved that the last run succeeded; guarded by turn

	released uint64 // change number of the store when memory was last released; used only by releaseMemory
}

// New returns a Syncer of folders. Sync and Embed wait at most waitTimeout for another process that indexes
// or embeds a folder; 0 means no limit. The recogniser reads the text of scanned pages; without one,
// they have no text.
func New(folders roots.Set, store *live.Store, waitTimeout time.Duration, recogniser *ocr.Recogniser, log *slog.Logger) *Syncer {
	s := &Syncer{
		Folders: folders, Store: store, Fresh: freshness.NewPublisher(len(folders)), RereadBackoff: newRereadBackoff(), Guard: panics.NewGuard(log), Log: log,
		waitTimeout: waitTimeout, turn: semaphore.NewWeighted(1), comparing: semaphore.NewWeighted(1), adding: semaphore.NewWeighted(1),
		checks: make(chan checkRequest, 1), whole: make(map[int]bool), savedSuccess: make([]*live.Follower, len(folders)),
	}
	s.Reader = &ingest.Reader{Folders: folders, Recogniser: recogniser, IsMachineGenerated: store.IsMachineGenerated, Guard: s.Guard, Log: log}
	s.background = newBackgroundReader(s)
	s.Embedding = embedding.New(embedding.Dependencies{
		Folders: folders, Store: store, Embedder: store.Embedder, Fresh: s.Fresh, Peers: s, Log: log,
		CatchPanic: s.Guard.Catch, MoveRejectedCatalogsToMemory: s.moveToMemoryInTurn, SaveSnapshots: s.SaveSnapshots,
	})
	s.Recognition = &Recognition{s: s, recogniser: recogniser, givenUp: make(map[search.Location]failedRecognition)}
	return s
}

// NewForClientTexts returns a Syncer without folders, for a store of texts.
func (s *Syncer) NewForClientTexts(store *live.Store) *Syncer { return New(nil, store, 0, nil, s.Log) }

// Close cancels background reads and waits for them to end.
func (s *Syncer) Close() { s.background.close() }

// Embed embeds the chunks that have no vector yet, which Sync does not do. It keeps the results obtained
// before a failure; the error is that of the model or of ctx. If another process embeds, it waits
// for that process.
func (s *Syncer) Embed(ctx context.Context) error {
	if err := s.WaitLoaded(ctx); err != nil {
		return err
	}
	return s.PublishProgressWhile(ctx, func() error { return s.Embedding.EmbedMissing(ctx, s.waitTimeout) })
}
