// Package extract turns the bytes of a file into text with structure.
//
// [Read] chooses the reader by the extension of the name, and by the content
// where the extension lies; [formats] is the whole list. A reader is one file
// and one function from bytes to a [Content]: the text, how its blocks are
// told apart ([Form]), and where its pages, slides, sheets or chapters begin
// ([Part]). To add a format, write its reader and add a line to the list.
//
// Formats whose readers run code of others, or unpack, are read in a child
// process of the same program (see [RunChild]): one that hangs, crashes or eats
// memory costs that file alone.
//
// The package knows nothing of folders, chunks or indexes.
package extract
