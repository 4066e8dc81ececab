package catalog

// FormatVersion is the version of the content of a catalogue. Raise it when the text that readers
// make of files, the chunker, the analyser, the tables of a store or the messages between processes
// change. Files in our cache folder have it in their names. A file elsewhere with an older format is
// emptied, except for its vectors, and filled again from the folder, unless an older program is
// using it. In a database, the documents of each format are stored separately.
const FormatVersion = 26
