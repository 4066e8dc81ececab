// Package ingest turns a file, or a text from a client, into a document ready to be committed, with
// its chunks, their terms and traits. It reads files and writes nothing.
package ingest

import (
	"log/slog"

	"vademecum/docs/ocr"
	"vademecum/index/roots"
	"vademecum/index/search"
	"vademecum/internal/base/panics"
)

// Reader reads files of folders. It is safe for concurrent use.
type Reader struct {
	Folders    roots.Set
	Recogniser *ocr.Recogniser // recognises the text of scanned pages; nil if there is none
	Guard      *panics.Guard
	Log        *slog.Logger

	// IsMachineGenerated reports whether a document is marked as machine-generated. Such a document was
	// indexed by an earlier version; it is read again and then left out.
	IsMachineGenerated func(*search.Document) bool
}
