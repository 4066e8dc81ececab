// Package embedding gives chunks their vectors: it sends those that have none to the embedding
// model in batches, saves the vectors, retries after failures, and lets a database index its
// vectors. It embeds questions too. Which process embeds a folder is decided elsewhere.
package embedding

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"

	"vademecum/embed"
	"vademecum/index/catalog"
	"vademecum/index/live"
	"vademecum/index/progress"
	"vademecum/index/roots"
	"vademecum/index/search"
)

// A document can be found by its words as soon as it is saved. Its chunks are unembedded until
// the embedding model has given them vectors, in a pass of its own: a model that is slow or
// unreachable delays nothing else.

// Store stores documents, chunks and vectors. Its methods may be called from several goroutines
// at once.
type Store interface {
	// PendingDocuments lists the documents with chunks to embed, folder by folder and newest
	// first, and CountPending counts these chunks of some documents.
	PendingDocuments() []*search.Document
	CountPending(of []*search.Document) int
	// Unembedded returns those chunks. whole is false when another process has replaced one of
	// the documents, which Follow finds.
	Unembedded(ctx context.Context, of ...*search.Document) (chunks []live.UnembeddedChunk, whole bool, err error)
	Follow(ctx context.Context, folder int) (bool, error)
	CountChunks() (all, unembedded int)

	// SavedVectors returns earlier vectors of texts, SaveVectors saves vectors, and AttachVectors
	// makes chunks searchable by them.
	SavedVectors(ctx context.Context, folder int, keys []catalog.Key) (map[catalog.Key][]float32, error)
	SaveVectors(ctx context.Context, folder int, vectors map[catalog.Key][]float32) error
	AttachVectors(chunks []live.UnembeddedChunk, vectors map[catalog.Key][]float32) error
	// RecordRefusals records why the model gives texts no vectors. They are not sent to it again
	// for a day.
	RecordRefusals(ctx context.Context, folder int, chunks []live.UnembeddedChunk, reasons map[catalog.Key]string) error

	// HasOtherLength reports whether a vector has another length than the existing ones, and
	// DropVectors drops these if so. Prune deletes vectors that have not been used for a long
	// time.
	HasOtherLength(vector []float32) bool
	DropVectors(ctx context.Context, vector []float32) error
	Prune(ctx context.Context, folder int) error

	// MarkEmbedded records what has vectors, and IndexVectors builds the index of a database for
	// them. The latter may take an hour, during which other calls proceed.
	MarkEmbedded(ctx context.Context, folder int) error
	IndexVectors(ctx context.Context, folder int, tell func(done, total int)) error

	// Follower returns the catalogue of a folder, nil while it is not loaded.
	Follower(folder int) *live.Follower
}

// Progress receives the progress of the service, and knows that of other processes.
type Progress interface {
	BeginEmbedding(chunks int) // a pass over so many begins, or so many of it are left
	AdvanceEmbedding(chunks int)
	EndEmbedding(err error)
	SetVectorIndexing(done, total int)

	OwnState() progress.State // of this process alone
	CombinedState() progress.State
	EmbeddedByOthers() map[int]bool // set of folders
}

// Peers are the processes on the same folders, of which one embeds each.
type Peers interface {
	// IsEmbedder reports whether this process embeds a folder.
	IsEmbedder(folder int) bool
	// FollowEmbedder loads the vectors of the embedding process, and returns its progress.
	FollowEmbedder(ctx context.Context, folder int, c *live.Follower) (progress.Embedder, error)
}

// Dependencies are what a Service works with.
type Dependencies struct {
	Folders  roots.Set // empty for texts from clients
	Store    Store
	Embedder embed.Embedder
	Progress Progress
	Peers    Peers
	Log      *slog.Logger

	// Guard calls f and returns a panic in it as an error. doing describes in the log what f was
	// doing.
	Guard func(doing string, f func() error) error
	// Salvage moves those catalogues to memory that the disk no longer accepts, and reports
	// whether there were any.
	Salvage func(context.Context) (bool, error)
	// SaveSnapshots saves new snapshots where the last ones are old, so that the next start is
	// fast.
	SaveSnapshots func(context.Context)
}

// Service embeds chunks and questions. Its methods may be called from several goroutines
// at once.
type Service struct {
	Dependencies
	passing  sync.Mutex // held during a pass, and while snapshots are saved after it
	indexing indexingState
	wanted   chan struct{} // holds a token when there may be something to embed
	answers  chan struct{} // holds a token when the model has answered
}

// New returns a Service with its parts, all of which are needed.
func New(p Dependencies) *Service {
	return &Service{
		Dependencies: p,
		indexing:     indexingState{again: make(retries)},
		wanted:       make(chan struct{}, 1),
		answers:      make(chan struct{}, 1),
	}
}

// Wake makes Run check for chunks to embed. It does not wait for that.
func (s *Service) Wake() { leaveToken(s.wanted) }

// recordRecovery makes Run continue at once: the model answers again.
func (s *Service) recordRecovery() { leaveToken(s.answers) }

func leaveToken(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// WhileIdle calls f unless a pass is under way; no pass begins before f returns.
func (s *Service) WhileIdle(f func()) {
	if s.passing.TryLock() {
		defer s.passing.Unlock()
		f()
	}
}

// HasPending reports whether there are chunks to embed, except those of folders that another
// process embeds.
func (s *Service) HasPending() bool {
	others := s.Progress.EmbeddedByOthers()
	return slices.ContainsFunc(s.Store.PendingDocuments(), func(d *search.Document) bool { return !others[d.Folder] })
}

// Pauses after a model did not answer.
const (
	firstRetry = 5 * time.Second
	lastRetry  = 20 * time.Second // the embedder itself knows how long to send nothing
)

// Run embeds whenever Wake signals that there may be something to embed, until ctx ends. It
// retries a failing model after growing pauses. It calls after at the end of each pass. Vectors
// are indexed meanwhile.
func (s *Service) Run(ctx context.Context, after func(context.Context)) {
	var indexing sync.WaitGroup
	defer indexing.Wait()
	wait, said := firstRetry, ""
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.wanted:
		}
		for {
			err := s.runPass(ctx)
			after(ctx)
			if err == nil || ctx.Err() != nil {
				wait, said = firstRetry, ""
				indexing.Go(func() { s.indexAll(ctx) })
				break
			}
			level := slog.LevelWarn
			if err.Error() == said {
				level = slog.LevelDebug // log it once
			}
			said = err.Error()
			s.Log.Log(ctx, level, "some passages have no vector yet, they are found by their words only", "error", err, "next try", wait)
			select {
			case <-ctx.Done():
				return
			case <-time.After(wait):
			case <-s.answers:
			}
			wait = min(2*wait, lastRetry)
		}
	}
}
