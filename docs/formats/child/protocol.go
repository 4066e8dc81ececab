package child

import (
	"time"

	"vademecum/docs/extract"
	"vademecum/internal/base/message"
)

// The parent sends requests, each as a gob followed by the raw bytes of the file. The child sends
// only gobs: a greeting when it starts, and for each request several answers, the last of which is
// final. Text is sent in the order in which it is read, so that the parent has the first part of a
// file that is never finished.

// A request is a file for a child to read or draw.
type request struct {
	Format string                  // first extension of the format, with its dot, which identifies it
	Draw   *extract.DrawingRequest // what to draw; nil if the file is to be read
	Size   int                     // size of the file in bytes
	Memory uint64                  // memory limit of the whole process, in bytes
}

// An answer reports one step of reading a file.
type answer struct {
	Kind  answerKind
	Title string
	Text  string         // text added since the previous answer
	Parts []extract.Part // parts added since the previous answer
	Page  int            // pages read so far
	Pages int            // total number of pages
	Spent time.Duration  // processor time of the child so far

	Content *extract.Content // for done: the content, except for Text and Parts
	Picture []byte           // for done: the drawn page
	Reason  message.Message  // for skipped and failed: the reason
	Program string           // for greeting: identity of the executable
}

type answerKind uint8

const (
	greeting  answerKind = iota + 1
	preparing            // the reader starts an engine, which is not the fault of the file
	prepared
	progress // a page was read
	more     // text that does not complete a page
	done
	skipped  // the file is at fault
	failed   // the file is not at fault
	panicked // the reader panicked; the child must be replaced
)

const (
	exitMemory = 86      // exit code of a child that exceeds its memory limit
	pieceSize  = 1 << 20 // maximum bytes of text in one answer
)
