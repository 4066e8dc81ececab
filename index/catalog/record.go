// Package catalog says what keeps the index of a folder for longer than a process
// lives, in plain values: documents, chunks, changes, and the errors that who uses
// it may do something about. catalog/sqlite keeps it in a file; catalogtest has the
// suite that each such package passes.
package catalog

import (
	"strings"
	"time"

	"vademecum/docs/kind"
	"vademecum/docs/meta"
	"vademecum/docs/text"
	"vademecum/index/blob"
	"vademecum/index/lexical"
	"vademecum/index/lexical/analysis"
	"vademecum/index/rank"
	"vademecum/internal/base/message"
)

// Record is a document as the catalogue keeps it.
type Record struct {
	ID       int64  // row; a changed document gets a new one
	Path     string // in its folder
	Size     int64
	Modified time.Time
	Changed  time.Time // of anything about the file, as that of a docs.File
	ReadAt   time.Time
	Hash     [32]byte // of the bytes on disk
	TextHash [32]byte // of the text, see docs.Document.TextHash
	Title    string
	MIME     string          // of the file
	TextMIME string          // of its text
	Encoding string          // as shown to people, "" for UTF-8
	Note     message.Message // what of the file is missing in its text, "" when nothing is
	Skip     message.Message // why it is not indexed, "" when it is
	Meta     meta.Data       // what it says of itself
	Chunks   []Chunk
	Run      lexical.SlotRange // slots of its chunks, where the catalogue keeps their postings; else none
}

// Chunk is one chunk of a record.
type Chunk struct {
	Span        text.Span
	Heading     []string
	Key         Key
	ContentHash rank.ContentHash
	Traits      kind.Traits
	Terms       analysis.TermCounts
}

// Key names the text that was embedded for a chunk: the first half of its
// SHA-256.
type Key [16]byte

// Entry is a document with its text, to be put.
type Entry struct {
	Record
	Body text.Body
}

// CommitResult says what a commit has changed.
type CommitResult struct {
	IDs         []int64             // rows of the documents that were put, in their order
	Runs        []lexical.SlotRange // the slots of each, see Record; nil where there are none
	First, Last int64               // numbers of the changes; 0 when there were none
}

// Delta is what has changed since a change: the documents as they are now, by
// their rows, and the rows that are gone.
type Delta struct {
	Records []Record
	Gone    []int64
	Last    int64 // the number of the last change that is in it
	More    bool  // others follow
	Reset   bool  // not all changes are listed any more: all documents are to be read again
}

// The errors of a catalogue that who uses it may do something about.
var (
	// ErrDamaged says that what the catalogue holds cannot be right.
	ErrDamaged = blob.ErrDamaged
	// ErrRefused says that the disk takes no more.
	ErrRefused = message.Errorf("the disk takes no more")
	// ErrOtherFormat says that a program of another version has taken the place.
	ErrOtherFormat = message.Errorf("a vademecum of another version has taken its file")
	// ErrHeld is about a process that does not come to the end of a transaction.
	ErrHeld = message.Errorf("another process is writing to the index and does not go on, it may be stopped")
	// ErrOvertaken is about a process that is no longer the indexer: it gave no sign
	// of life for long, and another has taken its duty over.
	ErrOvertaken = message.Errorf("another process keeps the index up to date now")
	// ErrUnreachable says that what keeps the catalogue does not answer now.
	ErrUnreachable = message.Errorf("the database cannot be reached")
	// ErrNoWrites says that what keeps the catalogue can be read, and takes no changes now.
	ErrNoWrites = message.Errorf("the database takes no changes")
	// ErrUnready says that what keeps the catalogue does not let this program work with
	// it, as long as the operator has not put that right.
	ErrUnready = message.Errorf("the database is not ready for this program")
	// ErrAbsent says that there is nothing yet of a library that this machine cannot fill.
	ErrAbsent = message.Errorf("there is no such library yet, a server that sees its files makes it")
	// ErrGone says that what the catalogue was opened from is not there any more. Another
	// may be in its place, with rows of its own: it is opened again.
	ErrGone = message.Errorf("the index was removed")
	// ErrUnindexed says that this program may not make an index of so many vectors.
	ErrUnindexed = message.Errorf("the vectors have no index, so that a question is compared with all of them: vademecum store vacuum makes it, as the role that owns the tables")
	// ErrLostRequest says that a request is neither answered nor waiting.
	ErrLostRequest = message.Errorf("the request was lost")
)

// Nanoseconds is the number of nanoseconds of a time since 1970; 0 for the zero time.
func Nanoseconds(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixNano()
}

// TimeOfNanoseconds is the time that is so many nanoseconds after the beginning of 1970.
func TimeOfNanoseconds(nanoseconds int64) time.Time { return time.Unix(0, nanoseconds) }

// A vector that no document uses is kept for a while, and those of a model that
// nobody uses: files and models come back.
const (
	KeepSpare  = 30 * 24 * time.Hour
	PruneEvery = 24 * time.Hour
)

// PageRows is how many documents are read at once, for the sake of memory.
const PageRows = 500

// EmbeddingInput is a chunk's text after those headings above it that do not
// stand in it. The file's name is left out, so that a renamed document keeps
// its vectors.
func EmbeddingInput(text string, heading []string) string {
	if above := HeadingsAbove(text, heading); above != "" {
		return above + "\n" + text
	}
	return text
}

// HeadingsAbove is the headings above a chunk that do not stand in its text, a line each.
func HeadingsAbove(text string, heading []string) string {
	var above []string
	for _, h := range heading {
		if !strings.Contains(text, h) {
			above = append(above, h)
		}
	}
	return strings.Join(above, "\n")
}

// guessed ends a saved encoding that nothing in the file says.
const guessed = ", guessed"

// MarkGuessed is how an encoding is saved that nothing in the file says.
func MarkGuessed(encoding string) string { return encoding + guessed }

// ParseCharset is an encoding that was saved, and whether it was guessed.
func ParseCharset(saved string) (encoding string, isGuess bool) {
	return strings.CutSuffix(saved, guessed)
}

// codeUnread is the code of the reason for a file that could not be read this time.
const codeUnread = "unread"

// UnreadReason is the reason of a file that could not be read this time, and is to be
// tried again although it is the same.
func UnreadReason(why error) message.Message {
	return message.New("cannot be read: %v", why).WithCode(codeUnread)
}

// IsUnreadReason reports whether the reason why a document is skipped is such a one.
func IsUnreadReason(skip message.Message) bool { return skip.Code() == codeUnread }
