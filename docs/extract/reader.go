package extract

// A Reader returns the content of a file: its text, parts and title, the note on what is missing and,
// if it differs from the default of the format, the form. It may retain raw. The error is a *SkipError
// if the file is at fault. A reader observes the limits itself; one that runs in a child process may
// also panic, hang or run out of memory.
//
// A slow reader reports to p what it has read so far.
type Reader func(raw []byte, p ProgressReporter) (Content, error)

// A ProgressReporter receives the progress of a reader.
type ProgressReporter interface {
	// ReportPreparation reports that work not caused by the file, such as starting the PDF engine, has
	// begun. It lasts until the returned function is called.
	ReportPreparation() (finished func())

	// ReportPage reports that page pages have been read, of pages in all. c holds the text and the
	// parts of these pages; from one call to the next they only grow.
	ReportPage(c *Content, page, pages int)
}

// NoProgress is a ProgressReporter that ignores all reports.
var NoProgress ProgressReporter = noProgress{}

type noProgress struct{}

func (noProgress) ReportPreparation() (finished func()) { return func() {} }
func (noProgress) ReportPage(*Content, int, int)        {}
