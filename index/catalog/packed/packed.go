// Package packed turns what a catalogue keeps of a document into the bytes of a row
// and back, the same in every catalogue, and guards them with checksums: noise must
// not pass for a text.
package packed

import (
	"encoding/binary"

	"vademecum/docs/extract"
	"vademecum/index/blob"
	"vademecum/index/catalog"
)

// Row is what the rows of a document hold beside its plain fields.
type Row struct {
	Meta     []byte
	Checksum uint32 // see RecordChecksum

	HasChunks      bool // a document that is skipped has none, not even none of them
	Count          int
	Chunks         []byte
	ChunksChecksum uint32 // of the hash of its text and of Chunks

	summed []byte // what was summed up last: the next one of many takes its room
}

// Unpack sets the metadata and chunks of a record, after checking that they and the fields
// already set are those that were saved.
func (p *Row) Unpack(r *catalog.Record) (err error) {
	p.summed = appendRecord(p.summed[:0], r, p.Meta)
	if blob.Checksum(p.summed, r.Hash[:], r.TextHash[:]) != p.Checksum || p.HasChunks != (r.Skip == "") || p.HasChunks && blob.Checksum(r.TextHash[:], p.Chunks) != p.ChunksChecksum {
		return catalog.ErrDamaged
	}
	if r.Meta, err = ParseMeta(p.Meta); err != nil {
		return err
	}
	r.Chunks, err = ParseChunks(p.Chunks, p.Count)
	return err
}

// RecordChecksum returns the record checksum of what does not change while a document is the same;
// said is what it says of itself, packed.
func RecordChecksum(r *catalog.Record, said []byte) uint32 {
	return blob.Checksum(appendRecord(nil, r, said), r.Hash[:], r.TextHash[:])
}

func appendRecord(row []byte, r *catalog.Record, said []byte) []byte {
	row = blob.AppendBytes(row, said)
	for _, s := range []string{r.Path, r.Title, r.MIME, r.TextMIME, r.Encoding, string(r.Note), string(r.Skip)} {
		row = blob.AppendBytes(row, s)
	}
	return row
}

// TextChecksum returns the text checksum of a text and its parts, packed; hash is that of the document.
func TextChecksum(hash [32]byte, text string, parts []byte) uint32 {
	sum := blob.NewChecksum()
	sum.Write(hash[:])
	blob.WriteText(sum, text)
	sum.Write(parts)
	return sum.Sum32()
}

// PackParts packs the pages, slides, sheets, chapters or cells of a document.
func PackParts(parts []extract.Part) []byte {
	out := []byte{}
	for _, p := range parts {
		for _, n := range []int{int(p.Unit), p.Number, p.Row, p.Start} {
			out = binary.AppendUvarint(out, uint64(n))
		}
		out = blob.AppendBytes(out, p.Name)
		out = blob.AppendBytes(out, p.Layout)
	}
	return out
}

// ParseParts is the inverse of PackParts.
func ParseParts(b []byte) ([]extract.Part, error) {
	r := blob.Reader{Rest: b}
	var parts []extract.Part
	for len(r.Rest) > 0 && r.Err == nil {
		var p extract.Part
		p.Unit = extract.Unit(r.Number())
		p.Number, p.Row, p.Start = r.Number(), r.Number(), r.Number()
		p.Name = string(r.Bytes())
		p.Layout = string(r.Bytes())
		parts = append(parts, p)
	}
	return parts, r.Err
}
