package extract

// Limits for one file. A reader observes them itself.
const (
	MaxSize     = 50 << 20  // bytes of a file
	MaxText     = 32 << 20  // bytes of the text of a document that is not a text file
	MaxUnpacked = 256 << 20 // unpacked bytes that are read of a file
	MaxEntries  = 20_000    // files in an archive
	MaxDepth    = 256       // nested elements, groups or parts
	CellCost    = 16        // cost of a cell or a similar object, in bytes of text
)

// HeadLength is how many bytes at the start of a file show what it is.
const HeadLength = 8 << 10
