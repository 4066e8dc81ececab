package live

import (
	"context"

	"vademecum/index/catalog"
	"vademecum/index/rank"
	"vademecum/index/search"
)

// Chunks is what has the chunks of the documents in a Store, with their postings and
// vectors: package memindex in memory, package index/postgres/searcher in a database.
type Chunks interface {
	ChunkHolder
	Vectors
	Snapshots

	// View implements search.Searcher.
	View(ctx context.Context, f func(context.Context, search.View) error) error
}

// ChunkHolder is what the Store itself asks of Chunks: their documents come, change places and
// go. What is called within Store.Update or Store.Read says so.
type ChunkHolder interface {
	// Insert takes the chunks of a document that comes, within Update, with those of their
	// vectors that are known, gives it Slots where it has the chunks itself, and notes
	// which of them lack a vector.
	Insert(docs *Documents, d *search.Document, chunks []catalog.Chunk, vectors map[catalog.Key][]float32) error
	// Delete forgets the chunks of a document that goes, within Update.
	Delete(docs *Documents, d *search.Document)
	// Move has a document in the place of one with the same chunks, within Update.
	Move(old, d *search.Document)
	// NewFor makes one for another Store that has no chunks, and knows what a model refuses. What
	// it has is taken over by the returned takeOver, within Update.
	NewFor(*Store) (of Chunks, takeOver func())

	// Find finds chunks of documents by their numbers, without those of documents that are
	// gone.
	Find(ctx context.Context, numbers map[*search.Document][]int) (map[*search.Document][]search.Chunk, error)
	// IsGenerated reports whether machines made the file of a document for machines, as far as
	// that is known without asking a catalogue. Either all of its chunks say so or none.
	IsGenerated(d *search.Document) bool
	// Fits reports whether the chunks of a document lie in its text, as far as that is not
	// certain.
	Fits(d *search.Document, text string) bool
}

// Vectors are the vectors of chunks by the model in use. Which chunks lack one is noted in the
// Documents.
type Vectors interface {
	// KnownVectors are the vectors of the chunks of entries that are to be put with them.
	KnownVectors(ctx context.Context, folder int, entries []catalog.Entry) (map[catalog.Key][]float32, error)
	// FollowVectors brings what is known of the vectors in a folder up to date with its catalogue.
	// The caller holds the Follower.
	FollowVectors(ctx context.Context, folder int, f *Follower) error
	// RecordCommit is reported documents that were put, and are in the Store. Who calls it
	// holds the Follower.
	RecordCommit(ctx context.Context, folder int, f *Follower) error

	// AttachVectors gives vectors, which are saved, to those of some chunks that are still there.
	AttachVectors(chunks []UnembeddedChunk, vectors map[catalog.Key][]float32) error
	// HasOtherLength reports whether a vector has another length than those that there are.
	HasOtherLength(vec []float32) bool
	// DropVectors forgets all vectors, in the catalogues too, if vec has another length.
	DropVectors(ctx context.Context, vec []float32) error

	// Refusal is why the model gives a chunk of a document no vector, "" where it does:
	// within Read.
	Refusal(d *search.Document, number int) string
	// RecordRefusals notes that, of some chunks of a folder, by their texts.
	RecordRefusals(folder int, chunks []UnembeddedChunk, reasons map[catalog.Key]string)
	// ForgetRefusals forgets what was noted of a folder.
	ForgetRefusals(folder int)

	// CountUnembedded is how many chunks of a folder have no vector of the model that it is
	// indexed with, where the one in use is free: that has vectors for all of them.
	CountUnembedded(ctx context.Context, folder int) (int, error)
	// Prune drops vectors that nothing has used for a long time.
	Prune(ctx context.Context, folder int) error
	// MarkEmbedded has a catalogue note which chunks have vectors, for the next process to load it.
	MarkEmbedded(ctx context.Context, folder int) error
	// IsUnindexed reports whether many vectors of a folder lack an index.
	IsUnindexed(ctx context.Context, folder int) (bool, error)
	// IndexVectors makes that. It may take many minutes, in which others go on, and calls
	// tell from time to time with how many are indexed. The error matches
	// catalog.ErrUnindexed where it is left to the operator of what keeps the catalogue.
	IndexVectors(ctx context.Context, folder int, tell func(done, total int)) error
}

// Snapshots are what is kept beside a catalogue to be loaded fast.
type Snapshots interface {
	// Restore reads what is kept of a folder. It returns up to which change that is, and
	// what takes it over within Update, nil when there is nothing that fits. Where rescue
	// says so, it gives the catalogue what else is of use in it. The caller holds the
	// Follower.
	Restore(ctx context.Context, folder int, f *Follower, rescue bool) (change int64, takeOver func(*Documents) error, err error)
	// IsSnapshotDue reports whether what is kept of a folder is old.
	IsSnapshotDue(folder int) bool
	// SaveSnapshot keeps what there is of a folder.
	SaveSnapshot(ctx context.Context, folder int) error
	// HeldVectors lists the vectors of a folder that are in memory.
	HeldVectors(folder int) map[catalog.Key][]float32
	// RemoveLeftovers deletes what processes that were killed have left beside a file. Only
	// the indexer of the folder may, as it alone writes there.
	RemoveLeftovers(file string) error
	// TrimCapacity gives back the room that there is for more documents, as there will be few.
	TrimCapacity()
}

// UnembeddedChunk is a chunk that needs a vector.
type UnembeddedChunk struct {
	search.Chunk
	Slot  rank.Slot
	Input string
}
