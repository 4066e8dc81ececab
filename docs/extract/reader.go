package extract

// A Reader returns what the bytes of a file say: with Text, Parts, Title, Note
// and, if it is not that of the format, Form. It may keep raw. The error is a
// *SkipError if the file is at fault. A reader observes the limits itself; one
// that runs in a child process may also panic, hang or run out of memory.
//
// One that takes long tells p what it has so far.
type Reader func(raw []byte, p Progress) (Content, error)

// A Progress is told by a reader how far it is.
type Progress interface {
	// Preparing says that the reader does something that is no fault of the
	// file, until the function that it returns is called.
	Preparing() (finished func())

	// Page says that so many of the pages are read. The text and the parts of
	// c are the characters of these pages: they grow from one call to the next.
	Page(c *Content, page, pages int)
}

// NoProgress is a Progress that ignores all reports.
var NoProgress Progress = noProgress{}

type noProgress struct{}

func (noProgress) Preparing() (finished func()) { return func() {} }
func (noProgress) Page(*Content, int, int)      {}
