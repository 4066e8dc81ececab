// Package docs turns a folder of files into documents and chunks.
//
// A [Folder] is a root on disk that is never left: links are not followed, and
// hidden, ignored and temporary files are not seen. [Folder.Scan] lists its
// files, [Folder.Read] decodes one of them, and a [Watcher] tells which paths
// have changed since.
//
// A [Document] is the text of one file, together with its title, its hash and
// its times. A block is a stretch of whole lines that belongs together: a
// heading, a paragraph, a list, a table, a code fence. A [Chunk] is one or
// more neighbouring blocks below one heading, or a part of a block that is too
// long: the unit that is embedded, searched and cited. Where in
// the text it is, package text says.
//
// The package knows nothing of embeddings, indexes or protocols.
package docs
