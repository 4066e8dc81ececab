// Package catalog defines the persistent index of a folder, in plain values: documents, chunks,
// changes, and the errors that callers can react to. Package sqlite stores it in a file;
// catalogtest has the test suite that each implementation passes.
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

// Record is a document as stored in the catalogue.
type Record struct {
	ID       int64  // row; a changed document gets a new one
	Path     string // in its folder
	Size     int64
	Modified time.Time
	Changed  time.Time // last change of anything about the file, as in docs.File
	ReadAt   time.Time
	Hash     [32]byte // of the bytes on disk
	TextHash [32]byte // of the text, see docs.Document.TextHash
	Title    string
	MIME     string          // of the file
	TextMIME string          // of its text
	Encoding string          // as shown to people, "" for UTF-8
	Note     message.Message // what of the file is missing in its text, "" when nothing is
	Skip     message.Message // why it is not indexed, "" when it is
	Meta     meta.Data       // its metadata
	Chunks   []Chunk
	Run      lexical.SlotRange // slots of its chunks, if the catalogue stores their postings; else empty
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

// Key identifies the embedded text of a chunk: the first half of its SHA-256.
type Key [16]byte

// Entry is a document with its text, for Put.
type Entry struct {
	Record
	Body text.Body
}

// CommitResult is the result of a commit.
type CommitResult struct {
	IDs         []int64             // rows of the documents that were put, in order
	Runs        []lexical.SlotRange // slots of each, see Record; nil if there are none
	First, Last int64               // numbers of the changes; 0 if there were none
}

// Delta is a list of changes: the changed documents as they are now, by row, and the removed
// rows.
type Delta struct {
	Records []Record
	Gone    []int64
	Last    int64 // number of the last change included
	More    bool  // there are further changes
	Reset   bool  // older changes are no longer listed: all documents are to be read again
}

// Errors of a catalogue that callers can react to.
var (
	// ErrDamaged means that the content of the catalogue is corrupt.
	ErrDamaged = blob.ErrDamaged
	// ErrRefused means that the disk accepts no more.
	ErrRefused = message.Errorf("the disk takes no more")
	// ErrOtherFormat means that a program of another version has taken the file.
	ErrOtherFormat = message.Errorf("a vademecum of another version has taken its file")
	// ErrHeld means that another process does not end its transaction.
	ErrHeld = message.Errorf("another process is writing to the index and does not go on, it may be stopped")
	// ErrOvertaken means that this process is no longer the indexer: it gave no sign of life for
	// long, and another has taken over its duty.
	ErrOvertaken = message.Errorf("another process keeps the index up to date now")
	// ErrUnreachable means that the storage does not answer now.
	ErrUnreachable = message.Errorf("the database cannot be reached")
	// ErrNoWrites means that the storage can be read, but accepts no changes now.
	ErrNoWrites = message.Errorf("the database takes no changes")
	// ErrUnready means that the storage does not let this program work with it until the operator
	// fixes that.
	ErrUnready = message.Errorf("the database is not ready for this program")
	// ErrAbsent means that a library does not exist and this machine cannot fill it.
	ErrAbsent = message.Errorf("there is no such library yet, a server that sees its files makes it")
	// ErrGone means that the source of the catalogue no longer exists. Another may have replaced
	// it, with rows of its own: it is opened again.
	ErrGone = message.Errorf("the index was removed")
	// ErrUnindexed means that this program may not build an index of so many vectors.
	ErrUnindexed = message.Errorf("the vectors have no index, so that a question is compared with all of them: vademecum store vacuum makes it, as the role that owns the tables")
	// ErrLostRequest means that a request is neither answered nor waiting.
	ErrLostRequest = message.Errorf("the request was lost")
)

// Nanoseconds returns the nanoseconds of a time since 1970; 0 for the zero time.
func Nanoseconds(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixNano()
}

// TimeOfNanoseconds is the inverse of Nanoseconds.
func TimeOfNanoseconds(nanoseconds int64) time.Time { return time.Unix(0, nanoseconds) }

// Vectors that no document uses are kept for a while, and so are those of unused models: files
// and models come back.
const (
	KeepSpare  = 30 * 24 * time.Hour
	PruneEvery = 24 * time.Hour
)

// PageRows is how many documents are read at once, to limit memory.
const PageRows = 500

// EmbeddingInput returns a chunk's text after the headings above it that are not in it. The
// file's name is left out, so that a renamed document keeps its vectors.
func EmbeddingInput(text string, heading []string) string {
	if above := HeadingsAbove(text, heading); above != "" {
		return above + "\n" + text
	}
	return text
}

// HeadingsAbove returns the headings above a chunk that are not in its text, a line each.
func HeadingsAbove(text string, heading []string) string {
	var above []string
	for _, h := range heading {
		if !strings.Contains(text, h) {
			above = append(above, h)
		}
	}
	return strings.Join(above, "\n")
}

// guessed ends the stored name of a guessed encoding.
const guessed = ", guessed"

// MarkGuessed returns the stored form of a guessed encoding.
func MarkGuessed(encoding string) string { return encoding + guessed }

// ParseCharset parses a stored encoding, and returns whether it was guessed.
func ParseCharset(saved string) (encoding string, isGuess bool) {
	return strings.CutSuffix(saved, guessed)
}

// codeUnread is the code of the reason for a file that could not be read this time.
const codeUnread = "unread"

// UnreadReason returns the reason for a file that could not be read this time, and is to be tried
// again even if it has not changed.
func UnreadReason(why error) message.Message {
	return message.New("cannot be read: %v", why).WithCode(codeUnread)
}

// IsUnreadReason reports whether a document is skipped for such a reason.
func IsUnreadReason(skip message.Message) bool { return skip.Code() == codeUnread }
