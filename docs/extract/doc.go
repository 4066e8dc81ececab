// Package extract defines what reading a file means: a [Reader] turns the bytes of a file
// into a [Content], which is text, its markup ([TextForm]), and where its pages, slides,
// sheets or chapters begin ([Part]); or it fails with a [SkipError].
//
// The package contains only the contract and the limits that every reader observes. The readers are
// the packages beside it, one for each format; package formats chooses among them. No reader opens
// files, and none depends on folders, chunks or indexes.
package extract
