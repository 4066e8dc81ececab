package extract

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
