package catalog

// Format is the version of what a catalogue holds: raise it when the chunker, the
// analyser or the tables in SQLite change. Files in our cache folder have it in their
// names. Another file of an older format is emptied, all but its vectors, and filled
// again from the folder, unless an older program has it in use. In a database each
// format has documents of its own.
const Format = 20
