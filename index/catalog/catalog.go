package catalog

import (
	"context"
	"time"

	"vademecum/docs/text"
)

// Catalog keeps what is indexed of one folder: its documents with their texts and
// chunks, the vectors of a model, and what the processes on the folder tell each
// other. Several processes may have it open at once. What is committed by one is
// seen by the others. Methods may be called from several goroutines at once.
//
// What writes waits for other writers, as long as the catalogue has patience, and fails
// with ErrHeld after that; what reads waits for nobody but a database that is slow or
// away. An error matches one of those of this package where who gets it may do something
// about it: any method may fail with ErrDamaged, in a file what writes with ErrRefused,
// in a database with ErrUnreachable, ErrNoWrites, ErrUnready and ErrGone.
type Catalog interface {
	Documents

	// The parts of it; to get one takes no time.
	Vectors() Vectors
	Values() Values
	Mailbox() Mailbox
	Health() Health

	// File is where the catalogue is kept, and what can be made again from it may
	// be put beside; "" where there is no such place.
	File() string
	// Flush puts what was committed on the disk itself, and waits for that.
	Flush() error
	// Close waits a little for questions that are under way.
	Close() error
}

// Documents are the documents of the folder, by their paths in it. A document has a row for
// as long as it is the same; rows are never used again. Each commit has the
// numbers of its changes, which count on from 1.
type Documents interface {
	// Put replaces the documents at the paths of entries, whose rows are ignored: all
	// of them or none. The error of Put, Remove and Touch matches ErrOvertaken where another
	// process has the duty to index now, and ErrOtherFormat where another format has the place.
	Put(ctx context.Context, entries ...Entry) (CommitResult, error)
	// Remove forgets the documents at paths, those of them that there are: all or none.
	Remove(ctx context.Context, paths ...string) (CommitResult, error)
	// Touch saves size and times of records: their files hold what they held.
	Touch(ctx context.Context, touched []Record) (CommitResult, error)

	// Compact makes what several commits have written quicker to read. It takes seconds at
	// times, changes nothing that anybody sees, and need not be waited for.
	Compact(ctx context.Context) error

	// Version is a number that changes whenever another process has committed.
	Version(ctx context.Context) (int64, error)
	// LastChange is the number of the last change, 0 when there was none.
	LastChange(ctx context.Context) (int64, error)
	// Changes lists what has changed after a change, at most PageRows at a time.
	Changes(ctx context.Context, after int64) (Delta, error)
	// ForgetChanges says that nobody will ask for the changes long before one.
	ForgetChanges(ctx context.Context, number int64) error
	// EachPage calls f with all documents in the order of rows, without their texts, at
	// most PageRows at a time. A page is not to be kept: the next one takes its place.
	EachPage(ctx context.Context, f func(page []Record) error) error
	// Record returns the document of a row; its ID is 0 when that is gone.
	Record(ctx context.Context, id int64) (Record, error)
	// Bodies returns the texts of documents by their rows, for each of which the
	// hash is known, without those whose rows are gone.
	Bodies(ctx context.Context, hashes map[int64][32]byte) (map[int64]text.Body, error)
	// RowsWithText lists the rows of the documents whose texts are stored, with all that is
	// stored beside them, in no order. It reads none of that, but takes longer than to list
	// the documents.
	RowsWithText(ctx context.Context) ([]int64, error)
}

// Vectors are those that embedding models gave, by the texts that they were given.
// But for Keep all is about the model in use.
type Vectors interface {
	// Model is the name of the model in use.
	Model(ctx context.Context) (string, error)
	// Find finds those of some texts.
	Find(ctx context.Context, keys []Key) (map[Key][]float32, error)
	// SavedAfter lists those that were saved after a row.
	SavedAfter(ctx context.Context, row int64) (map[Key][]float32, error)
	// LastRow is the row of the vector that was saved last, of whichever model.
	LastRow(ctx context.Context) (int64, error)
	// Save keeps vectors. One that is there already stays.
	Save(ctx context.Context, vectors map[Key][]float32) error
	// SaveForModel keeps vectors of the model named, if that is one whose vectors are stored.
	SaveForModel(ctx context.Context, model string, vectors map[Key][]float32) error
	// DropAll forgets all vectors.
	DropAll(ctx context.Context) error

	// RecordRefusals notes of texts why the model gives them no vectors.
	RecordRefusals(ctx context.Context, reasons map[Key]string) error
	// Refusals lists what was noted so after a time.
	Refusals(ctx context.Context, after time.Time) (map[Key]string, error)
	// ForgetRefusals forgets what was noted so.
	ForgetRefusals(ctx context.Context) error

	// PruneDue reports whether it is PruneEvery since the last Prune.
	PruneDue(ctx context.Context) (bool, error)
	// Prune notes which vectors are in use now, and drops those that were not for
	// KeepSpare.
	Prune(ctx context.Context, used map[Key]bool, now time.Time) error
}

// Health is how a catalogue is, as far as this process knows, and what mends it where it
// is. Its opener makes a new one in its place.
type Health interface {
	// Condition reports what is wrong with it. It looks at what it is kept in, and waits for
	// nobody.
	Condition() Condition
	// IsUnsaved reports whether it is in the memory of this process only, although it has, or
	// should have, another place.
	IsUnsaved() bool
	// RecordError remembers that an error shows damage, or a disk that takes no more, and
	// returns it. The methods of a catalogue do so themselves.
	RecordError(err error) error
	// SetRetired notes whether another catalogue takes the place of this one: what is
	// asked of it may fail then, and what seems to be damage is none.
	SetRetired(retired bool)
	// IsRetired reports whether one does.
	IsRetired() bool

	// TakeSkippedDamage reports whether something damaged was met and passed over since the last time.
	TakeSkippedDamage() bool
	// VerifyCounts counts what there is, and fails where that is not what was written, if somebody
	// else than this program can have changed it: it does not read all, and does not find all.
	VerifyCounts(ctx context.Context) error
	// Mend removes what is damaged, so that it is indexed again, and reports what it was: the
	// whole of it, where it has to, only if that is allowed. It reads all, which takes long
	// where that is much. A file is not mended: another takes its place.
	Mend(ctx context.Context, whole bool) (RemovedDamage, error)
	// Paths lists those of the documents that have a text, damaged or not.
	Paths(ctx context.Context) ([]string, error)
}

// Condition is what is wrong with a catalogue, if anything is.
type Condition struct {
	State State
	Why   error // in which words, where there is something to say
}

// State is what is to be done about a catalogue.
type State int

const (
	// Well: nothing.
	Well State = iota
	// Unsaved: it is in memory, and goes back to its place as soon as that takes it.
	Unsaved
	// Refused: its place takes no more, so that it goes over to memory with all it holds.
	Refused
	// Displaced: a program of another format has its place, and it is kept in memory.
	Displaced
	// Cut: it cannot be read any more, and is whole: it is opened again.
	Cut
	// Gone: what it was kept in is not there, or another is: that one is opened, or made.
	Gone
	// Damaged: it is made again.
	Damaged
)

// RemovedDamage is what was damaged, and removed.
type RemovedDamage struct {
	Damage    error // nil: nothing was
	Documents int   // that were removed
	Vectors   int   // that were removed
	All       bool  // all of them were: the catalogue is to be opened again
	Left      bool  // nothing was, as it would have been all
}

// Values are small texts by their keys, "" where nothing was set.
type Values interface {
	Get(ctx context.Context, key string) (string, error)
	Set(ctx context.Context, key, value string) error
	// ModelKey is the key of a value that is about the model in use.
	ModelKey(of string) string
}

// Mailbox is where a process leaves what it wants of the one that has a duty, and
// finds the answer.
type Mailbox interface {
	// Ask saves a request and returns its number.
	Ask(ctx context.Context, request string) (number int64, err error)
	// Unanswered lists the requests that have no answer yet, by their numbers.
	Unanswered(ctx context.Context) (map[int64]string, error)
	// Amend saves a request anew; asked is false when it has been taken back or
	// answered meanwhile.
	Amend(ctx context.Context, number int64, request string) (asked bool, err error)
	// Reply answers a request.
	Reply(ctx context.Context, number int64, answer string) error
	// AnswerTo returns the answer to a request, "" while there is none. The error
	// matches ErrLostRequest when there is no such request.
	AnswerTo(ctx context.Context, number int64) (string, error)
	// Withdraw takes a request back.
	Withdraw(ctx context.Context, number int64) error
}
