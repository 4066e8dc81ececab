// Package extract defines what reading a file means: a [Reader] turns the bytes of a file
// into a [Content], which is text, its markup ([TextForm]), and where its pages, slides,
// sheets or chapters begin ([Part]); or it fails with a [SkipError].
//
// The package contains only the contract and the limits that every reader observes. The readers are
// the packages beside it, one for each format; package formats chooses among them. No reader opens
// files, and none depends on folders, chunks or indexes.
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

// Limits for one file. A reader observes them itself.
const (
	MaxFileBytes      = 50 << 20  // maximum size of a file in bytes
	MaxTextBytes      = 32 << 20  // maximum size in bytes of the text of a document that is not a text file
	MaxUnpackedBytes  = 256 << 20 // maximum number of bytes that are unpacked from one file
	MaxArchiveEntries = 20_000    // maximum number of files in an archive
	MaxNestingDepth   = 256       // maximum depth of nested elements, groups or parts
	CellOverheadBytes = 16        // number of bytes of text for which a table cell or a similar object counts in addition to its own text
)

// SniffBytes is the number of bytes at the start of a file that are used to detect its type.
const SniffBytes = 8 << 10
