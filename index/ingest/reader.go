// Package ingest turns a file, or a text from a client, into what is committed: a document with
// its chunks, their terms and traits. It reads files and writes nothing.
package ingest

import (
	"log/slog"

	"vademecum/docs/ocr"
	"vademecum/index/roots"
	"vademecum/index/search"
	"vademecum/index/throttle"
	"vademecum/internal/base/panics"
)

// Reader reads files of folders. Its methods may be called from several goroutines at once.
type Reader struct {
	Folders    roots.Set
	Throttle   *throttle.RereadBackoff
	Recogniser *ocr.Recogniser // recognises the text of scanned pages; nil: none
	Guard      *panics.Guard
	Log        *slog.Logger

	// IsGenerated reports whether a document is marked as made by a machine. A former version
	// has indexed it; it is read again, which leaves it out.
	IsGenerated func(*search.Document) bool
}
