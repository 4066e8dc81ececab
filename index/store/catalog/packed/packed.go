// Package packed encodes what a catalogue stores about a document as the bytes of a row, and
// decodes it. The encoding is the same in every catalogue. Checksums ensure that corrupt bytes are
// not taken for a text.
package packed

import (
	"encoding/binary"

	"vademecum/docs/extract"
	"vademecum/docs/text"
	"vademecum/index/blob"
	"vademecum/index/store/catalog"
)

// Row holds the encoded fields of a document's row, beside its plain fields.
type Row struct {
	Meta           []byte
	RecordChecksum uint32 // of Meta and the plain fields, see RecordChecksum

	HasChunks      bool // false for a skipped document, which differs from one with zero chunks
	ChunkCount     int
	Chunks         []byte
	ChunksChecksum uint32 // of the hash of the text and of Chunks

	summed []byte // buffer for the input of the checksum, reused for the next row
}

// Unpack sets the metadata and chunks of a record, after verifying that these and the fields
// already set are as they were saved.
func (p *Row) Unpack(r *catalog.Record) (err error) {
	p.summed = appendRecord(p.summed[:0], r, p.Meta)
	if blob.Checksum(p.summed, r.Hash[:], r.TextHash[:]) != p.RecordChecksum || p.HasChunks != (r.SkipReason == "") || p.HasChunks && blob.Checksum(r.TextHash[:], p.Chunks) != p.ChunksChecksum {
		return catalog.ErrDamaged
	}
	if r.Meta, err = parseMeta(p.Meta); err != nil {
		return err
	}
	r.Chunks, err = ParseChunks(p.Chunks, p.ChunkCount)
	return err
}

// RecordChecksum returns the checksum of the fields that do not change until the document is
// replaced; packedMeta is the result of PackMeta.
func RecordChecksum(r *catalog.Record, packedMeta []byte) uint32 {
	return blob.Checksum(appendRecord(nil, r, packedMeta), r.Hash[:], r.TextHash[:])
}

func appendRecord(row []byte, r *catalog.Record, packedMeta []byte) []byte {
	row = blob.AppendBytes(row, packedMeta)
	for _, s := range []string{r.Path, r.Title, r.MIME, r.TextMIME, r.Encoding, string(r.ExtractionNote), string(r.SkipReason)} {
		row = blob.AppendBytes(row, s)
	}
	return row
}

// TextChecksum returns the checksum of a text as stored and its encoded parts; hash is that of the
// document.
func TextChecksum(hash [32]byte, text, parts []byte) uint32 {
	return blob.Checksum(hash[:], text, parts)
}

// ParseBody returns the text and the parts of a document, given the results of CompressText and
// PackParts. They must have been verified.
func ParseBody(stored, parts []byte) (text.Body, error) {
	plain, err := decompress(stored)
	if err != nil {
		return text.Body{}, err
	}
	body := text.Body{Text: string(plain)}
	body.Parts, err = ParseParts(parts)
	return body, err
}

// PackParts encodes the pages, slides, sheets, chapters or cells of a document.
func PackParts(parts []extract.Part) []byte {
	out := []byte{}
	for _, p := range parts {
		for _, n := range []int{int(p.Kind), p.Number, p.FirstRow, p.StartByte} {
			out = binary.AppendUvarint(out, uint64(n))
		}
		out = blob.AppendBytes(out, p.Name)
		out = blob.AppendBytes(out, p.PackedLayout)
	}
	return out
}

// ParseParts is the inverse of PackParts.
func ParseParts(b []byte) ([]extract.Part, error) {
	r := blob.Reader{Rest: b}
	var parts []extract.Part
	for len(r.Rest) > 0 && r.Err == nil {
		var p extract.Part
		p.Kind = extract.PartKind(r.Number())
		p.Number, p.FirstRow, p.StartByte = r.Number(), r.Number(), r.Number()
		p.Name = string(r.Bytes())
		p.PackedLayout = string(r.Bytes())
		parts = append(parts, p)
	}
	return parts, r.Err
}
