package catalog

import (
	"context"
	"time"

	"vademecum/docs/text"
)

// Catalog stores the index of one folder: its documents with their texts and chunks, the vectors
// of a model, and the messages between the processes on the folder. Several processes may have it
// open at once. The commits of one are seen by the others. Methods may be called from several
// goroutines at once.
//
// Writes wait for other writers, as long as the catalogue's patience, and fail with ErrHeld after
// that; reads wait only for a database that is slow or unreachable. An error matches one of those
// of this package if the caller can react to it: any method may fail with ErrDamaged, in a file
// writes with ErrRefused, in a database with ErrUnreachable, ErrNoWrites, ErrUnready and ErrGone.
type Catalog interface {
	Documents

	// Its parts; getting one takes no time.
	Vectors() Vectors
	Values() Values
	Mailbox() Mailbox
	Health() Health

	// File returns the path of the catalogue, beside which derived files may be stored; "" if it
	// is not a file.
	File() string
	// Flush writes the commits to the disk itself, and waits for that.
	Flush() error
	// Close waits a little for reads under way.
	Close() error
}

// Documents are the documents of the folder, by their paths in it. A document has a row as long
// as it is the same; rows are never reused. Each commit has the numbers of its changes, which are
// consecutive from 1.
type Documents interface {
	// Put replaces the documents at the paths of entries, whose rows are ignored: all of them or
	// none. The error of Put, Remove and Touch matches ErrOvertaken if another process has the
	// duty to index now, and ErrOtherFormat if a program of another format has taken the file.
	Put(ctx context.Context, entries ...Entry) (CommitResult, error)
	// Remove removes the documents at paths, if they exist: all or none.
	Remove(ctx context.Context, paths ...string) (CommitResult, error)
	// Touch saves size and times of records whose files have not changed in content.
	Touch(ctx context.Context, touched []Record) (CommitResult, error)

	// Compact makes the result of several commits faster to read. It may take seconds, has no
	// visible effect, and need not be waited for.
	Compact(ctx context.Context) error

	// Version returns a number that changes whenever another process has committed.
	Version(ctx context.Context) (int64, error)
	// LastChange returns the number of the last change, 0 when there was none.
	LastChange(ctx context.Context) (int64, error)
	// Changes lists the changes after a change, at most PageRows at a time.
	Changes(ctx context.Context, after int64) (Delta, error)
	// ForgetChanges allows changes long before one to be dropped from the list.
	ForgetChanges(ctx context.Context, number int64) error
	// EachPage calls f with all documents by row, without their texts, at most PageRows at a
	// time. f must not keep a page: it is reused.
	EachPage(ctx context.Context, f func(page []Record) error) error
	// Record returns the document of a row; its ID is 0 when it no longer exists.
	Record(ctx context.Context, id int64) (Record, error)
	// Bodies returns the texts of documents by row, given the hash of each, without those whose
	// rows no longer exist.
	Bodies(ctx context.Context, hashes map[int64][32]byte) (map[int64]text.Body, error)
	// RowsWithText lists the rows of the documents whose texts are stored completely, in no
	// order. It does not read the texts, but takes longer than listing the documents.
	RowsWithText(ctx context.Context) ([]int64, error)
}

// Vectors are the vectors of embedding models, by the embedded texts. Except for SaveForModel and
// LastRow all methods concern the model in use.
type Vectors interface {
	// Model returns the name of the model in use.
	Model(ctx context.Context) (string, error)
	// Find returns the vectors of texts.
	Find(ctx context.Context, keys []Key) (map[Key][]float32, error)
	// SavedAfter returns the vectors that were saved after a row.
	SavedAfter(ctx context.Context, row int64) (map[Key][]float32, error)
	// LastRow returns the row of the vector that was saved last, for any model.
	LastRow(ctx context.Context) (int64, error)
	// Save saves vectors. Existing ones stay.
	Save(ctx context.Context, vectors map[Key][]float32) error
	// SaveForModel saves vectors of the named model, if vectors of that model are stored.
	SaveForModel(ctx context.Context, model string, vectors map[Key][]float32) error
	// DropAll deletes all vectors.
	DropAll(ctx context.Context) error

	// RecordRefusals records why the model gives texts no vectors.
	RecordRefusals(ctx context.Context, reasons map[Key]string) error
	// Refusals returns the reasons recorded after a time.
	Refusals(ctx context.Context, after time.Time) (map[Key]string, error)
	// ForgetRefusals deletes the recorded reasons.
	ForgetRefusals(ctx context.Context) error

	// PruneDue reports whether the last Prune was at least PruneEvery ago.
	PruneDue(ctx context.Context) (bool, error)
	// Prune records which vectors are in use now, and deletes those unused for KeepSpare.
	Prune(ctx context.Context, used map[Key]bool, now time.Time) error
}

// Health reports the condition of a catalogue, as far as this process knows, and repairs it in
// place if possible. Otherwise the code that opened it replaces it.
type Health interface {
	// Condition returns what is wrong with it. It checks the storage, without waiting.
	Condition() Condition
	// IsUnsaved reports whether it is only in the memory of this process, although it has, or
	// should have, another place.
	IsUnsaved() bool
	// RecordError records an error that shows damage, or a disk that accepts no more, and returns
	// it. The methods of a catalogue do so themselves.
	RecordError(err error) error
	// SetRetired records whether another catalogue is replacing this one: operations may fail
	// then, and apparent damage is none.
	SetRetired(retired bool)
	// IsRetired reports whether another catalogue is replacing this one.
	IsRetired() bool

	// TakeSkippedDamage reports whether damage was met and skipped since the last call.
	TakeSkippedDamage() bool
	// VerifyCounts compares the number of rows with what was written, if others than this program
	// may have changed it, and fails if they differ: it does not read everything, and does not
	// find all damage.
	VerifyCounts(ctx context.Context) error
	// Mend removes what is damaged, so that it is indexed again, and returns what it was: the
	// whole catalogue, if necessary, only if that is allowed. It reads everything, which may take
	// long. A file is not mended but replaced.
	Mend(ctx context.Context, whole bool) (RemovedDamage, error)
	// Paths lists the paths of the documents that have a text, damaged or not.
	Paths(ctx context.Context) ([]string, error)
}

// Condition is what is wrong with a catalogue, if anything.
type Condition struct {
	State State
	Why   error // in words, if there is something to say
}

// State is what should be done about a catalogue.
type State int

const (
	// Well: nothing.
	Well State = iota
	// Unsaved: it is in memory, and moves back to its place as soon as that accepts it.
	Unsaved
	// Refused: its place accepts no more, so that it moves to memory with all its content.
	Refused
	// Displaced: a program of another format has its place, and it moves to memory.
	Displaced
	// Cut: it cannot be read any more, but is intact: it is opened again.
	Cut
	// Gone: its file was deleted or replaced: that one is opened or created.
	Gone
	// Damaged: it is rebuilt.
	Damaged
)

// RemovedDamage is what was damaged and removed.
type RemovedDamage struct {
	Damage    error // nil: none
	Documents int   // number removed
	Vectors   int   // number removed
	All       bool  // everything was removed: the catalogue is to be opened again
	Left      bool  // nothing was removed, as it would have been everything
}

// Values are short texts by key, "" if not set.
type Values interface {
	Get(ctx context.Context, key string) (string, error)
	Set(ctx context.Context, key, value string) error
	// ModelKey returns the key of a value about the model in use.
	ModelKey(of string) string
}

// Mailbox holds the requests to the process that has a duty, and their answers.
type Mailbox interface {
	// Ask saves a request and returns its number.
	Ask(ctx context.Context, request string) (number int64, err error)
	// Unanswered returns the requests without an answer, by number.
	Unanswered(ctx context.Context) (map[int64]string, error)
	// Amend replaces a request; asked is false when it has been withdrawn or answered meanwhile.
	Amend(ctx context.Context, number int64, request string) (asked bool, err error)
	// Reply answers a request.
	Reply(ctx context.Context, number int64, answer string) error
	// AnswerTo returns the answer to a request, "" while there is none. The error
	// matches ErrLostRequest when there is no such request.
	AnswerTo(ctx context.Context, number int64) (string, error)
	// Withdraw deletes a request.
	Withdraw(ctx context.Context, number int64) error
}
