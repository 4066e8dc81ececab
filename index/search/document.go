package search

import (
	"time"

	"vademecum/docs/meta"
	"vademecum/docs/text"
	"vademecum/index/catalog"
	"vademecum/index/lexical"
	"vademecum/index/rank"
	"vademecum/internal/base/message"
)

// Document is a document that can be found: what is held of its record, without chunks
// and text. There may be a million of them, so what is the same for many is held once,
// and times are numbers. One that was handed out is never changed.
type Document struct {
	*SharedFields
	ID       int64 // row; a changed document gets a new one
	Path     string
	Title    string
	Size     int64
	Hash     [32]byte          // of the bytes on disk
	TextHash [32]byte          // of the text
	Meta     *meta.Data        // what it says of itself, never nil
	Run      lexical.SlotRange // slots of its chunks, where its catalogue keeps their postings; else none
	Slots    []rank.Slot       // where the searcher has its chunks, in order; none where Run says it
	Body     *text.Body        // of a document in NoFolder, which no catalogue keeps; else nil
	Number   uint32            // that the searcher has for it

	modified, changed, readAt int64 // nanoseconds since 1970
}

// SharedFields is what a document has in common with many others.
type SharedFields struct {
	Folder   int
	Source   uint64          // the catalogue that its row is of; 0 in NoFolder
	MIME     string          // of the file
	TextMIME string          // of its text
	Encoding string          // as shown to people, "" for UTF-8
	Note     message.Message // what of the file is missing in its text, "" when nothing is
	Skip     message.Message // why it is not indexed, "" when it is
}

// SharedFieldsOf is what the document of a record in a folder may have in common with others.
func SharedFieldsOf(r *catalog.Record, folder int, source uint64) SharedFields {
	return SharedFields{Folder: folder, Source: source, MIME: r.MIME, TextMIME: r.TextMIME, Encoding: r.Encoding, Note: r.Note, Skip: r.Skip}
}

// nothing is what most documents say of themselves.
var nothing meta.Data

// DocumentOf is the document of a record, without slots in memory.
func DocumentOf(r *catalog.Record, c *SharedFields) Document {
	d := Document{SharedFields: c, ID: r.ID, Path: r.Path, Title: r.Title, Hash: r.Hash, TextHash: r.TextHash, Meta: &nothing, Run: r.Run}
	if !r.Meta.IsZero() {
		said := r.Meta
		d.Meta = &said
	}
	d.SetFile(r)
	return d
}

// NewDocument returns a document of a record in a folder, which has nothing in common with others.
func NewDocument(r *catalog.Record, folder int) *Document {
	c := SharedFieldsOf(r, folder, 0)
	d := DocumentOf(r, &c)
	return &d
}

// SetFile notes the size and the times of a record of the same document. It is for whoever
// has not handed the document out yet.
func (d *Document) SetFile(r *catalog.Record) {
	d.Size = r.Size
	d.modified, d.changed, d.readAt = catalog.Nanoseconds(r.Modified), catalog.Nanoseconds(r.Changed), catalog.Nanoseconds(r.ReadAt)
}

// Record returns the record of the document, as far as it is held.
func (d *Document) Record() catalog.Record {
	return catalog.Record{
		ID: d.ID, Path: d.Path, Size: d.Size, Modified: d.Modified(), Changed: d.ChangeTime(), ReadAt: d.ReadAt(), Hash: d.Hash, TextHash: d.TextHash,
		Title: d.Title, MIME: d.MIME, TextMIME: d.TextMIME, Encoding: d.Encoding, Note: d.Note, Skip: d.Skip, Meta: *d.Meta, Run: d.Run,
	}
}

// Modified is when the file was.
func (d *Document) Modified() time.Time { return catalog.TimeOfNanoseconds(d.modified) }

// ChangeTime is when anything about the file was, as that of a docs.File.
func (d *Document) ChangeTime() time.Time { return catalog.TimeOfNanoseconds(d.changed) }

// ReadAt is when the file was read.
func (d *Document) ReadAt() time.Time { return catalog.TimeOfNanoseconds(d.readAt) }

// Charset is the encoding of the file, "" for UTF-8, and whether it was guessed.
func (d *Document) Charset() (encoding string, isGuess bool) { return catalog.ParseCharset(d.Encoding) }

// IsUnread reports whether the document is skipped for a file that could not be read this
// time.
func (d *Document) IsUnread() bool { return catalog.IsUnreadReason(d.Skip) }

// CountChunks counts the chunks of the document.
func (d *Document) CountChunks() int { return max(len(d.Slots), int(d.Run.Count)) }

// SlotOf is where the searcher, or the catalogue, has a chunk by its number.
func (d *Document) SlotOf(number int) rank.Slot {
	if d.Run.Count > 0 {
		return rank.Slot(d.Run.First) + rank.Slot(number)
	}
	return d.Slots[number]
}

// Location is where the document is.
func (d *Document) Location() Location { return Location{d.Folder, d.Path} }
