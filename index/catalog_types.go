package index

import (
	"errors"
	"time"

	"vademecum/docs/text"
	"vademecum/index/blob"
	"vademecum/index/lexical"
	"vademecum/index/rank"
)

// record is a document as the catalogue keeps it.
type record struct {
	id       int64  // row; a changed document gets a new one
	path     string // in its folder
	size     int64
	modified time.Time
	changed  time.Time // of anything about the file, as that of a docs.File
	readAt   time.Time
	hash     [32]byte // of the bytes on disk
	textHash [32]byte // of the text, see docs.Document.TextHash
	title    string
	mime     string // of the file
	textMIME string // of its text
	encoding string // as told to people, "" for UTF-8
	note     string // what of the file is missing in its text, "" when nothing is
	skip     string // why it is not indexed, "" when it is
	chunks   []chunkRecord
}

// chunkRecord is one chunk of a record.
type chunkRecord struct {
	span    text.Span
	heading []string
	key     textKey
	wording rank.Wording
	terms   lexical.Counts
}

// textKey names the text that was embedded for a chunk: the first half of its
// SHA-256.
type textKey [16]byte

// written says what a commit has changed.
type written struct {
	id          int64 // row of the document that was put
	first, last int64 // numbers of the changes; 0 when there were none
}

// delta is what has changed since a change: the documents as they are now, by
// their rows, and the rows that are gone.
type delta struct {
	records []record
	gone    []int64
	last    int64 // the number of the last change that is in it
	more    bool  // others follow
	reset   bool  // not all changes are listed any more: all documents are to be read again
}

// The errors of a catalogue that who uses it may do something about.
var (
	// errDamaged says that what the catalogue holds cannot be right.
	errDamaged = blob.ErrDamaged
	// errRefused says that the disk takes no more.
	errRefused = errors.New("the disk takes no more")
	// errOtherFormat says that a program of another version has taken the place.
	errOtherFormat = errors.New("a vademecum of another version has taken its file")
	// errHeld is about a process that does not come to the end of a transaction.
	errHeld = errors.New("another process is writing to the index and does not go on, it may be stopped")
	// errOvertaken is about a process that is no longer the indexer: it gave no sign
	// of life for long, and another has taken its duty over.
	errOvertaken = errors.New("another process keeps the index up to date now")
	// errLostRequest says that a request is neither answered nor waiting.
	errLostRequest = errors.New("the request was lost")
)
