// Package embedding computes the vectors of chunks: it sends chunks without vectors to the
// embedding model in batches, saves the vectors, retries after failures, and lets a database index
// its vectors. It also embeds queries. It does not decide which process embeds a folder.
package embedding

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"vademecum/embed"
	"vademecum/index/freshness"
	"vademecum/index/live"
	"vademecum/index/progress"
	"vademecum/index/roots"
	"vademecum/index/search"
	"vademecum/index/store/catalog"
)

// A document can be found by its words as soon as it is saved. Its chunks stay unembedded until a
// separate pass has sent them to the embedding model, so that a slow or unreachable model delays
// nothing else.

// Store stores documents, chunks and vectors. It is safe for concurrent use.
type Store interface {
	// DocumentsToEmbed lists the documents with chunks to embed, folder by folder and newest first.
	DocumentsToEmbed() []*search.Document
	// HasPendingChunks reports whether any chunk in the folders for which isIn returns true needs to be embedded.
	HasPendingChunks(isIn func(folder int) bool) bool
	// CountPendingChunks counts the chunks to embed of the given documents.
	CountPendingChunks(of []*search.Document) int
	// UnembeddedChunks returns the chunks to embed of the given documents. isComplete is false if another
	// process has replaced one of the documents; Follow then loads the replacement.
	UnembeddedChunks(ctx context.Context, of ...*search.Document) (chunks []live.UnembeddedChunk, isComplete bool, err error)
	Follow(ctx context.Context, folder int) (changed bool, err error)
	CountChunks() (all, unembedded int)

	// SavedVectors returns the stored vectors of texts, SaveVectors saves vectors, and
	// AttachVectors makes chunks searchable by their vectors.
	SavedVectors(ctx context.Context, folder int, keys []catalog.EmbeddingKey) (map[catalog.EmbeddingKey][]float32, error)
	SaveVectors(ctx context.Context, folder int, vectors map[catalog.EmbeddingKey][]float32) error
	AttachVectors(chunks []live.UnembeddedChunk, vectors map[catalog.EmbeddingKey][]float32) error
	// RecordRefusals records why the model returned no vectors for chunks. These are not sent to it
	// again for a day.
	RecordRefusals(ctx context.Context, folder int, chunks []live.UnembeddedChunk, reasons map[catalog.EmbeddingKey]string) error

	// HasOtherLength reports whether a vector has a different length than the stored ones, and
	// DropVectorsOfOtherLength drops the stored ones in that case. PruneVectors deletes vectors that have
	// not been used for a long time.
	HasOtherLength(vector []float32) bool
	DropVectorsOfOtherLength(ctx context.Context, vector []float32) error
	PruneVectors(ctx context.Context, folder int) error

	// RecordEmbeddedChunks records which chunks have vectors, and IndexVectors builds the vector index of a
	// database. The latter may take an hour, during which other calls proceed.
	RecordEmbeddedChunks(ctx context.Context, folder int) error
	IndexVectors(ctx context.Context, folder int, tell func(done, total int)) error

	// Follower returns the follower of a folder's catalogue, or nil while that is not loaded.
	Follower(folder int) *live.Follower
}

// Peers are the processes that use the same folders; one of them embeds each folder.
type Peers interface {
	// IsEmbedder reports whether this process embeds a folder.
	IsEmbedder(folder int) bool
	// FollowEmbedder loads the vectors saved by the process that embeds a folder, and returns its
	// progress.
	FollowEmbedder(ctx context.Context, folder int, c *live.Follower) (progress.EmbeddingProgress, error)
}

// Dependencies are the dependencies of a Service.
type Dependencies struct {
	Folders            roots.Set // empty for texts sent by clients
	Store              Store
	Embedder           embed.Embedder
	FreshnessPublisher *freshness.Publisher // to which the progress is published
	Peers              Peers
	Log                *slog.Logger

	// CatchPanic calls f, and returns a panic in f as an error. activity says for the log what f was
	// doing.
	CatchPanic func(activity string, f func() error) error
	// MoveRejectedCatalogsToMemory moves catalogues whose disk accepts no more data to memory, and reports
	// whether there were any.
	MoveRejectedCatalogsToMemory func(context.Context) (moved bool, err error)
	// SaveSnapshots saves new snapshots to replace old ones, so that the next start is fast.
	SaveSnapshots func(context.Context)
}

// Service embeds the chunks of a store, and queries. It is safe for concurrent use.
type Service struct {
	Dependencies
	passing  sync.Mutex // held during a pass, and while snapshots are saved afterwards
	indexing indexingState
	wanted   chan struct{} // holds a token if there may be chunks to embed
	answers  chan struct{} // holds a token if the model has responded
}

// New returns a Service. All fields of dependencies are required.
func New(dependencies Dependencies) *Service {
	return &Service{
		Dependencies: dependencies,
		indexing:     indexingState{again: make(retries)},
		wanted:       make(chan struct{}, 1),
		answers:      make(chan struct{}, 1),
	}
}

// Wake makes Run check for chunks to embed, and returns at once.
func (s *Service) Wake() { leaveToken(s.wanted) }

// recordRecovery makes Run retry at once, because the model responds again.
func (s *Service) recordRecovery() { leaveToken(s.answers) }

func leaveToken(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// WhileIdle calls f, unless a pass is in progress, and delays passes until f returns.
func (s *Service) WhileIdle(f func()) {
	if s.passing.TryLock() {
		defer s.passing.Unlock()
		f()
	}
}

// HasPendingChunks reports whether this process has chunks to embed: those in folders that another process
// embeds do not count.
func (s *Service) HasPendingChunks() bool {
	known := s.FreshnessPublisher.Current().Folders
	return s.Store.HasPendingChunks(func(folder int) bool { return folder == search.NoFolder || known[folder].EmbedderProgress == nil })
}

// Pauses after a failure of the model.
const (
	firstRetry = 5 * time.Second
	lastRetry  = 20 * time.Second // short, because the embedder itself limits requests after failures
)

// Run embeds chunks whenever Wake signals that there may be some, until ctx ends. It retries a
// failing model after growing pauses, calls afterPass at the end of each pass, and indexes vectors in
// the background.
func (s *Service) Run(ctx context.Context, afterPass func()) {
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
			afterPass()
			if err == nil || ctx.Err() != nil {
				wait, said = firstRetry, ""
				indexing.Go(func() { s.indexAll(ctx) })
				break
			}
			level := slog.LevelWarn
			if err.Error() == said {
				level = slog.LevelDebug // log each error once
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
