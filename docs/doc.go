// Package docs turns a folder of files into documents.
//
// A [Folder] is a root on disk that is never left: links are not followed, and hidden,
// ignored and temporary files are not seen, as package ignore decides. [Folder.Scan] lists
// its files, [Folder.Load] reads one of them, and a [Watcher] reports the paths that have
// changed since, merged by [ChangedPaths].
//
// A [Document] is the text of one file, or one that has no file, together with its title,
// its hash and its times. Package text defines its text and the citation of places in it;
// package chunk splits it, and package formats knows the kinds of files.
//
// # The way of a file
//
// [Folder.Load] reads the bytes of a file as a [Raw], unless it is too large, no document
// or locked by another program. [Raw.Document] calls [vademecum/docs/formats.Read], which
// finds the reader of the format, a function of package extract or below, and runs it in a
// child process where a broken file could take the program down. The result is text with
// parts (pages, slides, sheets) and a form, by which [vademecum/docs/chunk.ParseBlocks]
// finds the blocks, and [Document.Chunks] the passages.
//
// The package knows nothing of embeddings, indexes or protocols.
package docs
