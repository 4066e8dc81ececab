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
// The package knows nothing of embeddings, indexes or protocols.
package docs
