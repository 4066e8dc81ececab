// Package catalog defines the persistent index of a folder in terms of plain values: documents,
// chunks, changes, and the errors that callers can react to. The stores beside it implement it;
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
	ID             int64  // row number; a changed document gets a new one
	Path           string // path in its folder
	Size           int64
	Modified       time.Time
	ChangeTime     time.Time // last change of the content or the metadata of the file, see docs.File
	ReadAt         time.Time
	Hash           [32]byte // SHA-256 of the bytes on disk
	TextHash       [32]byte // hash of the text, see docs.Document.TextHash
	Title          string
	MIME           string          // media type of the file
	TextMIME       string          // media type of the text
	Encoding       string          // name of the encoding for people; "" for UTF-8
	ExtractionNote message.Message // what is missing from the text; "" if nothing is
	SkipReason     message.Message // why it is not indexed; "" if it is
	Meta           meta.Data       // metadata such as tags and front matter
	Chunks         []Chunk
	SlotRange      lexical.SlotRange // slots of its chunks; empty unless their postings are stored
}

// Chunk is one chunk of a record.
type Chunk struct {
	Span        text.Span
	Heading     []string
	Key         EmbeddingKey
	ContentHash rank.ChunkTextHash
	Traits      kind.Traits
	Terms       analysis.TermCounts
}

// EmbeddingKey identifies the embedded text of a chunk: the first half of its SHA-256.
type EmbeddingKey [16]byte

// RecordWithBody is a document with its text, for Put.
type RecordWithBody struct {
	Record
	Body text.Body
}

// CommitResult describes a commit.
type CommitResult struct {
	IDs                     []int64             // rows of the documents that were put, in order
	SlotRanges              []lexical.SlotRange // slots of each document, see Record.SlotRange; nil if there are none
	FirstChange, LastChange int64               // numbers of its changes; 0 if there were none
}

// Errors of a catalogue that callers can react to.
var (
	// ErrDamaged means that the content of the catalogue is corrupt.
	ErrDamaged = blob.ErrDamaged
	// ErrWriteRejected means that the disk accepts no more data.
	ErrWriteRejected = message.Errorf("the disk accepts no more data")
	// ErrOtherFormat means that a program of another version has taken over the file.
	ErrOtherFormat = message.Errorf("another version of vademecum has taken over its file")
	// ErrLocked means that another process does not end its transaction.
	ErrLocked = message.Errorf("another process is writing to the index but makes no progress; it may be stopped")
	// ErrLeaseLost means that this process is no longer the indexer: it did not renew its lease for
	// long, and another process has taken it over.
	ErrLeaseLost = message.Errorf("another process keeps the index up to date now")
	// ErrDatabaseUnreachable means that the storage does not answer now.
	ErrDatabaseUnreachable = message.Errorf("the database cannot be reached")
	// ErrDatabaseReadOnly means that the storage can be read, but accepts no changes now.
	ErrDatabaseReadOnly = message.Errorf("the database accepts no changes")
	// ErrSetupRequired means that this program cannot use the storage until the operator fixes it.
	ErrSetupRequired = message.Errorf("the database is not ready for this program")
	// ErrLibraryNotFound means that a library does not exist and this machine cannot fill it.
	ErrLibraryNotFound = message.Errorf("there is no such library yet; a server with access to its files creates it")
	// ErrStorageRemoved means that the storage of the catalogue no longer exists. Another with different rows
	// may have replaced it, so the catalogue must be opened again.
	ErrStorageRemoved = message.Errorf("the index was removed")
	// ErrMayNotIndexVectors means that this program may not build an index of so many vectors.
	ErrMayNotIndexVectors = message.Errorf("the vectors have no index, so a question is compared with all of them: vademecum store vacuum, run as the role that owns the tables, creates it")
	// ErrRequestNotFound means that a request is neither answered nor waiting.
	ErrRequestNotFound = message.Errorf("the request was lost")
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

// Vectors that no document uses, and those of unused models, are kept for UnusedVectorTTL, because files
// and models may come back.
const (
	UnusedVectorTTL = 30 * 24 * time.Hour
	PruneInterval   = 24 * time.Hour
)

// IsPruneDue reports whether vectors are to be pruned that were last pruned at the given time.
func IsPruneDue(last, now time.Time) bool {
	since := now.Sub(last) // negative if the clock was set back
	return since < 0 || since > PruneInterval
}

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

// guessed is the suffix of a stored encoding that was guessed.
const guessed = ", guessed"

// MarkGuessedEncoding returns the stored form of a guessed encoding.
func MarkGuessedEncoding(encoding string) string { return encoding + guessed }

// ParseStoredEncoding parses a stored encoding, and reports whether it was guessed.
func ParseStoredEncoding(saved string) (encoding string, isGuess bool) {
	return strings.CutSuffix(saved, guessed)
}

// codeUnread is the message code of ReadFailureReason.
const codeUnread = "unread"

// ReadFailureReason returns the reason for skipping a file that could not be read this time, and is to
// be tried again even if it has not changed.
func ReadFailureReason(cause error) message.Message {
	return message.New("cannot be read: %v", cause).WithCode(codeUnread)
}

// IsReadFailureReason reports whether a reason was made by ReadFailureReason.
func IsReadFailureReason(reason message.Message) bool { return reason.Code() == codeUnread }
