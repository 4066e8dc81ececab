package live

import (
	"context"

	"vademecum/index/rank"
	"vademecum/index/search"
	"vademecum/index/store/catalog"
)

// ChunkIndex holds the chunks of the documents in a Store, with their postings and vectors. It is
// implemented in memory by package memindex, and by a database that stores the catalogues.
type ChunkIndex interface {
	chunkHolder
	vectorHolder
	snapshotHolder

	// View implements search.Searcher.
	View(ctx context.Context, f func(context.Context, search.View) error) error
}

// chunkHolder contains the methods that the Store itself needs when documents are added, moved and
// removed. Some must be called within Store.Update or Store.ReadLocked, as documented.
type chunkHolder interface {
	// Insert adds the chunks of a new document with their known vectors, and records which chunks
	// lack a vector. If it holds the chunks itself, it assigns d.Slots. It must be called within
	// Update.
	Insert(docs *Documents, d *search.Document, chunks []catalog.Chunk, vectors map[catalog.EmbeddingKey][]float32) error
	// Delete removes the chunks of a document. It must be called within Update.
	Delete(docs *Documents, d *search.Document)
	// Move replaces a document by one with the same chunks. It must be called within Update.
	Move(old, d *search.Document)
	// NewForStore returns empty Chunks for another Store, which know the recorded refusals of the model.
	// takeOver replaces the content of the receiver by that of the returned Chunks, and must be called
	// within Update.
	NewForStore(store *Store) (chunks ChunkIndex, takeOver func())

	// Find returns chunks of documents by number. Those of removed documents are left out.
	Find(ctx context.Context, numbers map[*search.Document][]int) (map[*search.Document][]search.Chunk, error)
	// IsMachineGenerated reports whether the file of a document is machine-generated, if that is known
	// without reading a catalogue. All chunks of a document agree on it.
	IsMachineGenerated(d *search.Document) bool
	// ChunksFitText reports whether the chunks of a document lie within its text. It only checks chunks for
	// which that is uncertain.
	ChunksFitText(d *search.Document, text string) bool
}

// vectorHolder contains the methods about the vectors of chunks by the model in use. Documents records
// which chunks lack a vector.
type vectorHolder interface {
	// KnownVectors returns the known vectors for the chunks of entries that will be put.
	KnownVectors(ctx context.Context, folder int, entries []catalog.RecordWithBody) (map[catalog.EmbeddingKey][]float32, error)
	// FollowVectors brings the vectors of a folder up to date with its catalogue. The caller must
	// hold the Follower.
	FollowVectors(ctx context.Context, folder int, f *Follower) error
	// OnCommit is called after documents were put and inserted into the Store. The caller must
	// hold the Follower. If tidy is not nil, the caller calls it when it no longer holds the Follower:
	// it makes the result of several commits faster to read, which may take seconds.
	OnCommit(ctx context.Context, folder int, f *Follower) (tidy func(), err error)

	// AttachVectors assigns saved vectors to those of the chunks that still exist.
	AttachVectors(chunks []UnembeddedChunk, vectors map[catalog.EmbeddingKey][]float32) error
	// HasOtherLength reports whether a vector has a different length than the existing ones.
	HasOtherLength(vec []float32) bool
	// DropVectorsOfOtherLength drops all vectors, also in the catalogues, if vec has a different length.
	DropVectorsOfOtherLength(ctx context.Context, vec []float32) error

	// EmbeddingRefusal returns why the model refuses a chunk of a document, or "" if it does not. It must be
	// called within ReadLocked.
	EmbeddingRefusal(d *search.Document, number int) string
	// RecordRefusals records why the model refuses chunks of a folder, with the reasons by key, also in
	// the catalogue. These chunks are not sent to the model again within RefusalTTL.
	RecordRefusals(ctx context.Context, folder int, chunks []UnembeddedChunk, reasons map[catalog.EmbeddingKey]string) error
	// ClearRefusals removes the recorded reasons of a folder, so that the model is tried again.
	ClearRefusals(ctx context.Context, folder int) error

	// CountWithoutSavedVector returns how many chunks of a folder have no saved vector of the model for which
	// its catalogue was opened. It is for a model whose vectors are saved, while the Embedder of the
	// Store computes its own at no cost and does not use these.
	CountWithoutSavedVector(ctx context.Context, folder int) (int, error)
	// PruneVectors drops vectors that have not been used for a long time.
	PruneVectors(ctx context.Context, folder int) error
	// RecordEmbeddedChunks records in a catalogue which chunks have vectors, for processes that load it
	// later.
	RecordEmbeddedChunks(ctx context.Context, folder int) error
	// IsVectorIndexDue reports whether many vectors of a folder lack an index.
	IsVectorIndexDue(ctx context.Context, folder int) (bool, error)
	// IndexVectors builds that index. It may take many minutes, during which other calls proceed,
	// and calls tell from time to time with the number of indexed vectors. The error matches
	// catalog.ErrMayNotIndexVectors if only the operator of the database may build the index.
	IndexVectors(ctx context.Context, folder int, tell func(done, total int)) error
}

// snapshotHolder contains the methods about the snapshots that are stored beside a catalogue to load
// fast.
type snapshotHolder interface {
	// RestoreSnapshot reads the snapshot of a folder. It returns the last change in the snapshot, and a
	// function to be called within Update that makes its content searchable, or nil if no snapshot
	// fits. If rescue is set, it saves other useful content of an unfit snapshot to the catalogue.
	// The caller must hold the Follower.
	RestoreSnapshot(ctx context.Context, folder int, f *Follower, rescue bool) (change int64, takeOver func(*Documents) error, err error)
	// IsSnapshotDue reports whether the snapshot of a folder is outdated.
	IsSnapshotDue(folder int) bool
	// SaveSnapshot saves the snapshot of a folder.
	SaveSnapshot(ctx context.Context, folder int) error
	// InMemoryVectors returns the vectors of a folder that are in memory.
	InMemoryVectors(folder int) map[catalog.EmbeddingKey][]float32
	// RemoveLeftoverSnapshots deletes files that killed processes have left beside the catalogue. Only the
	// indexer of the folder may call it, because only the indexer writes there.
	RemoveLeftoverSnapshots(file string) error
	// TrimCapacity releases spare capacity, when few more documents are expected.
	TrimCapacity()
}

// UnembeddedChunk is a chunk that needs a vector.
type UnembeddedChunk struct {
	search.Chunk
	Slot  rank.Slot
	Input string
}
