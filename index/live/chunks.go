package live

import (
	"context"

	"vademecum/index/catalog"
	"vademecum/index/rank"
	"vademecum/index/search"
)

// Chunks holds the chunks of the documents in a Store, with their postings and vectors: package
// memindex in memory, package index/postgres/searcher in a database.
type Chunks interface {
	ChunkHolder
	Vectors
	Snapshots

	// View implements search.Searcher.
	View(ctx context.Context, f func(context.Context, search.View) error) error
}

// ChunkHolder is what the Store itself needs of Chunks when documents are added, moved and
// removed. Methods that are called within Store.Update or Store.Read say so.
type ChunkHolder interface {
	// Insert adds the chunks of a new document, within Update, with their known vectors. It
	// assigns Slots if it holds the chunks itself, and records which of them lack a vector.
	Insert(docs *Documents, d *search.Document, chunks []catalog.Chunk, vectors map[catalog.Key][]float32) error
	// Delete removes the chunks of a document, within Update.
	Delete(docs *Documents, d *search.Document)
	// Move replaces a document by one with the same chunks, within Update.
	Move(old, d *search.Document)
	// NewFor returns one for another Store, without chunks, that knows what a model refuses. The
	// returned takeOver takes over its content, within Update.
	NewFor(*Store) (of Chunks, takeOver func())

	// Find returns chunks of documents by number, without those of removed documents.
	Find(ctx context.Context, numbers map[*search.Document][]int) (map[*search.Document][]search.Chunk, error)
	// IsGenerated reports whether the file of a document is machine-made, as far as that is known
	// without reading a catalogue. Either all of its chunks say so or none.
	IsGenerated(d *search.Document) bool
	// Fits reports whether the chunks of a document lie within its text, if that is uncertain.
	Fits(d *search.Document, text string) bool
}

// Vectors are the vectors of chunks by the model in use. The Documents record which chunks lack
// one.
type Vectors interface {
	// KnownVectors returns the known vectors for the chunks of entries that are about to be put.
	KnownVectors(ctx context.Context, folder int, entries []catalog.Entry) (map[catalog.Key][]float32, error)
	// FollowVectors brings the vectors of a folder up to date with its catalogue. The caller
	// holds the Follower.
	FollowVectors(ctx context.Context, folder int, f *Follower) error
	// RecordCommit is called after documents were put and are in the Store. The caller holds the
	// Follower.
	RecordCommit(ctx context.Context, folder int, f *Follower) error

	// AttachVectors assigns saved vectors to those of some chunks that still exist.
	AttachVectors(chunks []UnembeddedChunk, vectors map[catalog.Key][]float32) error
	// HasOtherLength reports whether a vector has another length than the existing ones.
	HasOtherLength(vec []float32) bool
	// DropVectors drops all vectors, in the catalogues too, if vec has another length.
	DropVectors(ctx context.Context, vec []float32) error

	// Refusal returns why the model refuses a chunk of a document, "" if it does not: within
	// Read.
	Refusal(d *search.Document, number int) string
	// RecordRefusals records the reasons for some chunks of a folder, by their texts.
	RecordRefusals(folder int, chunks []UnembeddedChunk, reasons map[catalog.Key]string)
	// ForgetRefusals removes the recorded reasons of a folder.
	ForgetRefusals(folder int)

	// CountUnembedded returns how many chunks of a folder have no vector of the model that it is
	// indexed with, if the model in use is free: that one has vectors for all of them.
	CountUnembedded(ctx context.Context, folder int) (int, error)
	// Prune drops vectors that have not been used for a long time.
	Prune(ctx context.Context, folder int) error
	// MarkEmbedded records in a catalogue which chunks have vectors, for the next process that
	// loads it.
	MarkEmbedded(ctx context.Context, folder int) error
	// IsUnindexed reports whether many vectors of a folder lack an index.
	IsUnindexed(ctx context.Context, folder int) (bool, error)
	// IndexVectors builds that index. It may take many minutes, during which other calls proceed,
	// and reports from time to time how many are indexed. The error matches catalog.ErrUnindexed
	// if the operator of the database has to build it.
	IndexVectors(ctx context.Context, folder int, tell func(done, total int)) error
}

// Snapshots are stored beside a catalogue to load fast.
type Snapshots interface {
	// Restore reads the snapshot of a folder. It returns the change up to which it reaches, and a
	// function that takes it over within Update, nil when no snapshot fits. With rescue, it saves
	// other useful content to the catalogue. The caller holds the Follower.
	Restore(ctx context.Context, folder int, f *Follower, rescue bool) (change int64, takeOver func(*Documents) error, err error)
	// IsSnapshotDue reports whether the snapshot of a folder is old.
	IsSnapshotDue(folder int) bool
	// SaveSnapshot saves the snapshot of a folder.
	SaveSnapshot(ctx context.Context, folder int) error
	// HeldVectors lists the vectors of a folder that are in memory.
	HeldVectors(folder int) map[catalog.Key][]float32
	// RemoveLeftovers deletes files that killed processes have left beside the catalogue. Only
	// the indexer of the folder may call it, as it alone writes there.
	RemoveLeftovers(file string) error
	// TrimCapacity releases spare capacity, as few more documents are expected.
	TrimCapacity()
}

// UnembeddedChunk is a chunk that needs a vector.
type UnembeddedChunk struct {
	search.Chunk
	Slot  rank.Slot
	Input string
}
