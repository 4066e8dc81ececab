package catalog

// Format is the version of the content of a catalogue: raise it when the chunker, the analyser or
// the tables in SQLite change. Files in our cache folder have it in their names. Another file of
// an older format is emptied, except for its vectors, and filled again from the folder, unless an
// older program is using it. In a database each format has documents of its own.
const Format = 20
