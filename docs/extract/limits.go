package extract

// Limits for one file. A reader observes them itself.
const (
	MaxSize           = 50 << 20  // bytes of a file
	MaxTextSize       = 32 << 20  // bytes of the text of a document that is not a text file
	MaxUnpackedSize   = 256 << 20 // bytes unpacked from a file
	MaxArchiveEntries = 20_000    // files in an archive
	MaxNestingDepth   = 256       // nested elements, groups or parts
	CellCost          = 16        // cost of a cell or a similar object, in bytes of text
)

// SniffLength is the number of bytes at the start of a file that are used to detect its type.
const SniffLength = 8 << 10
