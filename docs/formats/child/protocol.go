package child

import (
	"time"

	"vademecum/docs/extract"
	"vademecum/internal/base/message"
)

// The parent sends requests, each a gob with the bytes of the file, as they
// are, behind it. The child sends gobs only: a greeting when it starts, and
// for each request answers up to one that is final. Text comes in the order in
// which it is read, so that the parent has what was read of a file that is
// never finished.

// A request asks a child to read a file, or to draw a page of it.
type request struct {
	Format string                  // an extension of it
	Draw   *extract.DrawingRequest // nil: the file is to be read
	Size   int                     // bytes of the file
	Memory uint64                  // bytes of the whole process above which the child gives up
}

// An answer is one step of reading a file.
type answer struct {
	Kind  answerKind
	Title string
	Text  string         // follows the text of the answers before
	Parts []extract.Part // follow the parts of the answers before
	Page  int            // how many pages are read
	Pages int            // how many there are
	Spent time.Duration  // processor time of the child so far

	Content *extract.Content // of done: the rest of it, without Text and Parts
	Picture []byte           // of done: what was drawn
	Reason  message.Message  // of skipped and failed
	Program string           // of greeting: the identity of the program
}

type answerKind uint8

const (
	greeting  answerKind = iota + 1
	preparing            // the reader starts an engine, which is not the fault of the file
	prepared
	progress // a page is read
	more     // text that is no page
	done
	skipped  // the file is at fault
	failed   // the file is not at fault
	panicked // the reader is; the child is to be replaced
)

// isFinal tells whether no more answers follow to the same request.
func (k answerKind) isFinal() bool { return k >= done }

const (
	exitMemory = 86      // exit code of a child that takes too much memory
	pieceSize  = 1 << 20 // bytes of text in one answer
)
