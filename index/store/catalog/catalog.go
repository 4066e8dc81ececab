package catalog

import (
	"context"
	"time"

	"vademecum/docs/text"
)

// Catalog stores the index of one folder: its documents with their texts and chunks, the vectors of a
// model, and the messages between the processes that use the folder. Several processes may have it open
// at once, and each sees the commits of the others. It is safe for concurrent use.
//
// Writes wait for other writers at most as long as the patience set for the catalogue, and then fail
// with ErrLocked. Reads wait only for a database that is slow or unreachable. An error matches one of
// those of this package if the caller can react to it: any method may fail with ErrDamaged, writes to a
// file with ErrWriteRejected, and methods of a database with ErrDatabaseUnreachable,
// ErrDatabaseReadOnly, ErrSetupRequired and ErrStorageRemoved.
type Catalog interface {
	Documents
	Vectors
	KeyValueStore

	// Describe returns what does not change while the catalogue is open.
	Describe() Description
	// Condition returns what is wrong with the catalogue, as far as its own methods have found. It checks
	// the storage without waiting.
	Condition() Condition
	// Repair removes damaged parts, so that they are indexed again, and returns what it removed. It
	// removes the whole catalogue if necessary, but only if mayRemoveAll then allows that. If
	// isDamageSuspected is set, it reads everything, which may take long; otherwise only if the number of
	// rows shows that other programs have changed them. It does nothing with a catalogue that no other
	// program can change, which is replaced as a whole if it is damaged.
	Repair(ctx context.Context, isDamageSuspected bool, mayRemoveAll func() bool) (RepairResult, error)

	// Flush syncs the commits to the disk, and waits until that is done.
	Flush() error
	// Close closes the catalogue, after waiting briefly for reads in progress.
	Close() error
}

// Description is what does not change while a catalogue is open.
type Description struct {
	Model string // name of the embedding model in use
	// path of the file, beside which derived files may be stored; "" if it is not stored in a file
	File string
	// why it exists only in the memory of this process, although it belongs in permanent storage;
	// nil if it is saved, or has no other place
	UnsavedReason error
}

// IsUnsaved reports whether the catalogue is lost when this process ends.
func (d Description) IsUnsaved() bool { return d.UnsavedReason != nil }

// ModelScopedKey returns the key of the value called name that belongs to the model in use.
func (d Description) ModelScopedKey(name string) string { return name + " of model " + d.Model }

// Documents stores the documents of the folder, identified by their paths in it. A document keeps
// its row until it is replaced; row numbers are never reused. The changes of all commits are
// numbered consecutively from 1.
type Documents interface {
	// Put replaces the documents at the paths of entries: all of them or none. It ignores the rows
	// of the entries. The error of Put, Remove and Touch matches ErrLeaseLost if another process is
	// the indexer now, and ErrOtherFormat if a program of another format has taken over the file.
	Put(ctx context.Context, entries ...RecordWithBody) (CommitResult, error)
	// Remove removes those of the documents at paths that exist: all of them or none.
	Remove(ctx context.Context, paths ...string) (CommitResult, error)
	// Touch saves the size and times of records whose files have the same content as before.
	Touch(ctx context.Context, touched []Record) (CommitResult, error)

	// ForeignVersion returns a number that changes whenever another process commits.
	ForeignVersion(ctx context.Context) (int64, error)
	// Changes lists the changes after the change numbered after, at most PageRows of them; of all
	// changes, only the last ones are listed, see KeptChanges. After NoKnownChange there is only the
	// number of the last change, with MustReload.
	Changes(ctx context.Context, after int64) (Delta, error)
	// EachPage calls f with all documents in row order, without their texts, at most PageRows at a
	// time. f must not retain page, which is reused.
	EachPage(ctx context.Context, f func(page []Record) error) error
	// Record returns the document in a row. Its ID is 0 if the row no longer exists.
	Record(ctx context.Context, id int64) (Record, error)
	// LoadBodies returns the texts of documents by row, given the hash of each text. Rows that no
	// longer exist are left out.
	LoadBodies(ctx context.Context, hashes map[int64][32]byte) (map[int64]text.Body, error)
	// RowsWithText lists the rows of the documents whose texts are stored completely, in no
	// particular order. It does not read the texts, but takes longer than listing the documents.
	RowsWithText(ctx context.Context) ([]int64, error)
}

// Vectors stores the vectors of embedding models by the keys of the embedded texts. All methods
// concern the model in use, except that SaveVectors can name another.
type Vectors interface {
	// FindVectors returns the stored vectors of texts.
	FindVectors(ctx context.Context, keys []EmbeddingKey) (map[EmbeddingKey][]float32, error)
	// VectorsSavedAfter returns the vectors saved in rows after the given one, and the last of these rows,
	// or row if there are none. All rows are greater than 0.
	VectorsSavedAfter(ctx context.Context, row int64) (vectors map[EmbeddingKey][]float32, last int64, err error)
	// SaveVectors saves vectors of the named model, if its vectors are worth storing, or of the model in
	// use if model is "". Keys that already have a vector keep it.
	SaveVectors(ctx context.Context, model string, vectors map[EmbeddingKey][]float32) error
	// DeleteVectors deletes all vectors.
	DeleteVectors(ctx context.Context) error
	// PruneVectors records which vectors the documents use now, and deletes those unused for
	// UnusedVectorTTL. It does nothing if that was done less than PruneInterval before now; otherwise
	// it may call used, unless it knows the vectors in use itself.
	PruneVectors(ctx context.Context, now time.Time, used func() map[EmbeddingKey]bool) error
}

// Condition describes what is wrong with a catalogue, if anything.
type Condition struct {
	State              State
	Reason             error // explanation; nil if there is none
	SkippedDamageCount int64 // how often damage has been met and skipped since it was opened
}

// WithDamage returns the condition of a catalogue in which its user has found damage. That matters more
// than a disk that accepts no more data, but not if the file is another one now.
func (c Condition) WithDamage(damage error) Condition {
	if damage != nil && c.State != FileReplaced && c.State != OwnedByOtherFormat && c.State != Damaged {
		c.State, c.Reason = Damaged, damage
	}
	return c
}

// State says what is wrong with a catalogue, which determines what to do about it.
type State int

const (
	// Healthy means that nothing need be done.
	Healthy State = iota
	// Unsaved means that the catalogue is in memory, and moves back to its storage as soon as that
	// accepts data again.
	Unsaved
	// WriteRejected means that the storage of the catalogue accepts no more data, so that the
	// catalogue moves to memory with all its content.
	WriteRejected
	// OwnedByOtherFormat means that a program of another format uses the file of the catalogue, so
	// that the catalogue moves to memory.
	OwnedByOtherFormat
	// Unreadable means that the catalogue can no longer be read but is intact, and is opened again.
	Unreadable
	// FileReplaced means that the file of the catalogue was deleted or replaced. The new file is
	// opened, or one is created.
	FileReplaced
	// Damaged means that the catalogue must be rebuilt.
	Damaged
)

// RepairResult describes damaged content that was removed.
type RepairResult struct {
	Damage             error // nil if there was none
	RemovedDocuments   int   // number of documents removed
	RemovedVectors     int   // number of vectors removed
	RemovedAll         bool  // everything was removed, and the catalogue must be opened again
	RefusedToRemoveAll bool  // nothing was removed, because it would have been everything
}

// KeyValueStore stores short texts by key. The value of a key that is not set is "". The mailbox of
// requests, the reports of package progress and the refusals of package memindex are made of them. Other processes notice
// each SetValue as a commit, see Documents.ForeignVersion.
type KeyValueStore interface {
	// Value returns the value of a key.
	Value(ctx context.Context, key string) (string, error)
	// Values returns the values of all keys with a prefix that are set.
	Values(ctx context.Context, prefix string) (map[string]string, error)
	// SetValue sets the value of a key.
	SetValue(ctx context.Context, key, value string) error
}
