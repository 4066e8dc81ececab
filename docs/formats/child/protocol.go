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

// A request is a file for a child to read or draw.
type request struct {
	Format string                  // an extension of the format
	Draw   *extract.DrawingRequest // nil to read the file
	Size   int                     // bytes of the file
	Memory uint64                  // memory limit of the whole process in bytes
}

// An answer is one step of reading a file.
type answer struct {
	Kind  answerKind
	Title string
	Text  string         // text added since the previous answer
	Parts []extract.Part // parts added since the previous answer
	Page  int            // pages read so far
	Pages int            // total number of pages
	Spent time.Duration  // processor time of the child so far

	Content *extract.Content // of done: the content without Text and Parts
	Picture []byte           // of done: the drawn page
	Reason  message.Message  // of skipped and failed
	Program string           // of greeting: identity of the executable
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
	panicked // the reader panicked; the child must be replaced
)

// isFinal reports whether an answer is the last one to its request.
func (k answerKind) isFinal() bool { return k >= done }

const (
	exitMemory = 86      // exit code of a child that takes too much memory
	pieceSize  = 1 << 20 // bytes of text in one answer
)
