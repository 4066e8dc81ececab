package extract

// Limits of what is read of one file. A reader observes them itself.
const (
	MaxSize     = 50 << 20  // bytes of a file
	MaxText     = 32 << 20  // bytes of the text of a document that is not a text file
	MaxUnpacked = 256 << 20 // bytes that a file may hold unpacked, of what is read of it
	MaxEntries  = 20_000    // files in an archive
	MaxDepth    = 256       // nested elements, groups or parts
	CellCost    = 16        // what a cell, or another thing that is held, counts itself of the text
)

// HeadLength is how many bytes at the start of a file show what it is.
const HeadLength = 8 << 10
