package search

import (
	"time"

	"vademecum/docs/meta"
	"vademecum/docs/text"
	"vademecum/index/lexical"
	"vademecum/index/rank"
	"vademecum/index/store/catalog"
	"vademecum/internal/base/message"
)

// Document is a searchable document: its record without chunks and text. There may be a million of
// them, so values shared by many are stored once, and times are numbers. A document that was
// returned to readers is never changed.
type Document struct {
	*InternedFields
	ID       int64 // row in the catalogue; a changed document gets a new one
	Path     string
	Title    string
	Size     int64
	Hash     [32]byte   // SHA-256 of the bytes on disk
	TextHash [32]byte   // hash of the text
	Meta     *meta.Data // metadata; never nil
	// slots of its chunks, if its catalogue stores their postings; empty otherwise
	SlotRange     lexical.SlotRange
	Slots         []rank.Slot // slots of its chunks in memory, in order; empty if SlotRange is set
	Body          *text.Body  // text of a document in NoFolder, which is in no catalogue; nil otherwise
	NumberInStore uint32      // number by which package live refers to it

	modified, changed, readAt int64 // nanoseconds since 1970
}

// InternedFields holds fields whose values many documents share.
type InternedFields struct {
	Folder         int
	CatalogID      uint64          // identifies the catalogue that has its row, see live.Follower.CatalogID; 0 in NoFolder
	MIME           string          // MIME type of the file
	TextMIME       string          // MIME type of its text
	Encoding       string          // as shown to people; "" for UTF-8
	ExtractionNote message.Message // what part of the file is missing from its text; "" if nothing
	SkipReason     message.Message // why it is not indexed; "" if it is
}

// InternedFieldsOf returns the fields of a record in a folder that other documents may share.
func InternedFieldsOf(r *catalog.Record, folder int, catalogID uint64) InternedFields {
	return InternedFields{Folder: folder, CatalogID: catalogID, MIME: r.MIME, TextMIME: r.TextMIME, Encoding: r.Encoding, ExtractionNote: r.ExtractionNote, SkipReason: r.SkipReason}
}

// nothing is the empty metadata, which most documents share.
var nothing meta.Data

// DocumentOf returns the document for a record and its shared fields, without slots in memory.
func DocumentOf(r *catalog.Record, shared *InternedFields) Document {
	d := Document{InternedFields: shared, ID: r.ID, Path: r.Path, Title: r.Title, Hash: r.Hash, TextHash: r.TextHash, Meta: &nothing, SlotRange: r.SlotRange}
	if !r.Meta.IsZero() {
		said := r.Meta
		d.Meta = &said
	}
	d.SetFileSizeAndTimes(r)
	return d
}

// NewDocument returns the document for a record in a folder. It shares no fields with others.
func NewDocument(r *catalog.Record, folder int) *Document {
	c := InternedFieldsOf(r, folder, 0)
	d := DocumentOf(r, &c)
	return &d
}

// SetFileSizeAndTimes sets the size and the times of the file from a record of the same document. It
// must be called before the document is returned to readers.
func (d *Document) SetFileSizeAndTimes(r *catalog.Record) {
	d.Size = r.Size
	d.modified, d.changed, d.readAt = catalog.Nanoseconds(r.Modified), catalog.Nanoseconds(r.ChangeTime), catalog.Nanoseconds(r.ReadAt)
}

// Record returns the fields of the document's record that are in memory.
func (d *Document) Record() catalog.Record {
	return catalog.Record{
		ID: d.ID, Path: d.Path, Size: d.Size, Modified: d.Modified(), ChangeTime: d.ChangeTime(), ReadAt: d.ReadAt(), Hash: d.Hash, TextHash: d.TextHash,
		Title: d.Title, MIME: d.MIME, TextMIME: d.TextMIME, Encoding: d.Encoding, ExtractionNote: d.ExtractionNote, SkipReason: d.SkipReason, Meta: *d.Meta, SlotRange: d.SlotRange,
	}
}

// Modified returns the modification time of the file.
func (d *Document) Modified() time.Time { return catalog.TimeOfNanoseconds(d.modified) }

// ChangeTime returns the time of the last change of anything about the file, as in docs.File.
func (d *Document) ChangeTime() time.Time { return catalog.TimeOfNanoseconds(d.changed) }

// ReadAt returns when the file was read.
func (d *Document) ReadAt() time.Time { return catalog.TimeOfNanoseconds(d.readAt) }

// Charset returns the name of the encoding of the file, "" for UTF-8, and whether it was guessed.
func (d *Document) Charset() (encoding string, isGuess bool) {
	return catalog.ParseStoredEncoding(d.Encoding)
}

// IsReadFailure reports whether the document is skipped because the file could not be read this time.
func (d *Document) IsReadFailure() bool { return catalog.IsReadFailureReason(d.SkipReason) }

// CountChunks returns the number of chunks of the document.
func (d *Document) CountChunks() int { return max(len(d.Slots), int(d.SlotRange.Count)) }

// SlotOf returns the slot of a chunk, given by its number in the document: in memory, or in the
// catalogue that stores its postings.
func (d *Document) SlotOf(chunkNumber int) rank.Slot {
	if d.SlotRange.Count > 0 {
		return rank.Slot(d.SlotRange.First) + rank.Slot(chunkNumber)
	}
	return d.Slots[chunkNumber]
}

// Location returns the location of the document.
func (d *Document) Location() Location { return Location{d.Folder, d.Path} }
