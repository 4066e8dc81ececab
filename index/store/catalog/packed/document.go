package packed

import (
	"vademecum/docs/meta"
	"vademecum/docs/text"
	"vademecum/index/blob"
	"vademecum/index/lexical"
	"vademecum/index/store/catalog"
)

// Document holds what a store that compresses texts keeps of a document.
type Document struct {
	Plain catalog.Record // without Meta, Chunks and SlotRange, which are in Row or not stored
	Row   Row
	// the text and its parts, for ParseBody, with their checksum; nil for a skipped document
	Text, Parts  []byte
	TextChecksum uint32
}

// Pack encodes a document for the row with the given number.
func Pack(id int64, e *catalog.RecordWithBody) Document {
	m := PackMeta(e.Meta)
	d := Document{Plain: e.Record, Row: Row{Meta: m, RecordChecksum: RecordChecksum(&e.Record, m)}}
	d.Plain.ID, d.Plain.Meta, d.Plain.Chunks, d.Plain.SlotRange = id, meta.Data{}, nil, lexical.SlotRange{}
	d.Touch(&e.Record)
	if e.SkipReason == "" {
		chunks := Compress(PackChunks(e.Chunks))
		d.Row.HasChunks, d.Row.ChunkCount, d.Row.Chunks, d.Row.ChunksChecksum = true, len(e.Chunks), chunks, blob.Checksum(e.TextHash[:], chunks)
		d.Text, d.Parts = CompressText(e.Body.Text), PackParts(e.Body.Parts)
		d.TextChecksum = TextChecksum(e.TextHash, d.Text, d.Parts)
	}
	return d
}

// Touch sets what may change without replacing a document, with the precision of all stores.
func (d *Document) Touch(by *catalog.Record) {
	d.Plain.Size = by.Size
	d.Plain.Modified = catalog.TimeOfNanoseconds(catalog.Nanoseconds(by.Modified))
	d.Plain.ChangeTime = catalog.TimeOfNanoseconds(catalog.Nanoseconds(by.ChangeTime))
	d.Plain.ReadAt = catalog.TimeOfNanoseconds(catalog.Nanoseconds(by.ReadAt))
}

// Record decodes the record. The error matches catalog.ErrDamaged if it is not what was packed.
func (d *Document) Record() (catalog.Record, error) {
	r, row := d.Plain, d.Row
	err := row.Unpack(&r)
	return r, err
}

// Body decodes the text, given the hash under which it was stored. The error matches catalog.ErrDamaged
// if it is not what was packed.
func (d *Document) Body(hash [32]byte) (text.Body, error) {
	if TextChecksum(hash, d.Text, d.Parts) != d.TextChecksum {
		return text.Body{}, catalog.ErrDamaged
	}
	return ParseBody(d.Text, d.Parts)
}
