// Package docs turns a folder of files into documents.
//
// A [Folder] is a root directory on disk. Nothing outside it is read: links are not followed, and
// hidden, ignored and temporary files are left out, as package ignore decides. [Folder.Scan] lists
// its files, [Folder.Load] reads one of them, and a [Watcher] reports the paths that have changed
// since, merged by [changedPaths].
//
// A [Document] is the text of one file, or a text without a file, together with its title, hash and
// times. Package text defines the text and the citation of places in it; package chunk splits it,
// and package formats lists the supported file formats.
//
// # How a file is read
//
// [Folder.Load] reads the bytes of a file as a [RawFile], unless the file is too large, not a document
// or locked by another program. [RawFile.Document] calls [vademecum/docs/formats.Read], which finds the
// reader of the format, a function of package extract or of a package below it, and runs it in a
// child process if a broken file could crash the program. The result is a text with parts (pages,
// slides, sheets) and a form, by which [vademecum/docs/chunk.ParseBlocks] finds the blocks, and
// [Document.Chunks] the passages.
//
// The package does not depend on embeddings, indexes or protocols.
package docs
