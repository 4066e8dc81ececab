// Package docs turns a folder of files into documents.
//
// A [Folder] is a root on disk that is never left: links are not followed, and
// hidden, ignored and temporary files are not seen, as package ignore decides.
// [Folder.Scan] lists its files, [Folder.Load] reads one of them, and a [Watcher]
// tells which paths have changed since, as often as package coalesce finds fit.
//
// A [Document] is the text of one file, or one that has no file, together with its
// title, its hash and its times. What its text is and how a place in it is cited,
// package text says; package chunk splits it, and package formats knows the kinds
// of files.
//
// # The way of a file
//
// [Folder.Load] reads the bytes of a file as a [Raw], unless it is too large, no document
// or held open by another. [Raw.Document] has [vademecum/docs/formats.Read] find the reader
// of its format, a function of package extract or below, which runs in a child process
// where a broken file could take the program down. What it returns is text with parts
// (pages, slides, sheets) and a form, by which [vademecum/docs/chunk.ParseBlocks] finds the
// blocks, and [Document.Chunks] the passages.
//
// The package knows nothing of embeddings, indexes or protocols.
package docs
