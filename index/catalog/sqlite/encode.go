package sqlite

import (
	"bytes"
	"encoding/binary"

	"vademecum/docs/extract"
	"vademecum/docs/kind"
	"vademecum/docs/text"
	"vademecum/index/blob"
	"vademecum/index/catalog"
	"vademecum/index/vector"
)

// checksumOfRecord is that of what does not change while a document is the same;
// said is what it says of itself, encoded.
func checksumOfRecord(r *catalog.Record, said []byte) uint32 {
	row := blob.AppendBytes(nil, said)
	for _, s := range []string{r.Path, r.Title, r.MIME, r.TextMIME, r.Encoding, r.Note, r.Skip} {
		row = blob.AppendBytes(row, []byte(s))
	}
	return blob.Checksum(row, r.Hash[:], r.TextHash[:])
}

// encodeChunks packs chunks into bytes: for each its byte and line range,
// its heading path, its key, its wording, its mark and its terms.
func encodeChunks(chunks []catalog.Chunk) []byte {
	out := []byte{} // a document may have none
	for _, c := range chunks {
		for _, n := range []int{c.Span.StartByte, c.Span.EndByte, c.Span.StartLine, c.Span.EndLine, len(c.Heading)} {
			out = binary.AppendUvarint(out, uint64(n))
		}
		for _, h := range c.Heading {
			out = blob.AppendBytes(out, []byte(h))
		}
		out = append(out, c.Key[:]...)
		out = append(out, c.Wording[:]...)
		out = c.Mark.AppendTo(out)
		out = blob.AppendBytes(out, c.Terms)
	}
	return out
}

// decodeChunks is the inverse of encodeChunks; the terms alias them.
func decodeChunks(b []byte, count int) ([]catalog.Chunk, error) {
	r := blob.Reader{Rest: b}
	chunks := make([]catalog.Chunk, 0, min(count, len(b)))
	for len(r.Rest) > 0 && r.Err == nil {
		var c catalog.Chunk
		c.Span = text.Span{StartByte: r.Number(), EndByte: r.Number(), StartLine: r.Number(), EndLine: r.Number()}
		for range min(r.Number(), len(r.Rest)) {
			c.Heading = append(c.Heading, string(r.Bytes()))
		}
		copy(c.Key[:], r.Take(len(c.Key)))
		copy(c.Wording[:], r.Take(len(c.Wording)))
		known := true
		if c.Mark, known = kind.MarkOf(r.Take(kind.MarkBytes)); !known {
			return nil, catalog.ErrDamaged
		}
		c.Terms = r.Bytes()
		chunks = append(chunks, c)
	}
	if r.Err == nil && len(chunks) != count {
		return nil, catalog.ErrDamaged
	}
	return chunks, r.Err
}

// encodeParts packs the pages, slides, sheets, chapters or cells of a document.
func encodeParts(parts []extract.Part) []byte {
	out := []byte{}
	for _, p := range parts {
		for _, n := range []int{int(p.Unit), p.Number, p.Row, p.Start} {
			out = binary.AppendUvarint(out, uint64(n))
		}
		out = blob.AppendBytes(out, []byte(p.Name))
	}
	return out
}

// decodeParts is the inverse of encodeParts.
func decodeParts(b []byte) ([]extract.Part, error) {
	r := blob.Reader{Rest: b}
	var parts []extract.Part
	for len(r.Rest) > 0 && r.Err == nil {
		var p extract.Part
		p.Unit = extract.Unit(r.Number())
		p.Number, p.Row, p.Start = r.Number(), r.Number(), r.Number()
		p.Name = string(r.Bytes())
		parts = append(parts, p)
	}
	return parts, r.Err
}

// sealBytes is how many bytes of a checksum of both follow a vector in its row.
// There are none in rows of format 6.
const sealBytes = 3

func sealVector(key catalog.Key, vec []float32) []byte {
	out := blob.AppendFloats(make([]byte, 0, 4*len(vec)+sealBytes), vec)
	return append(out, seal(key[:], out)...)
}

func seal(key, floats []byte) []byte {
	return binary.LittleEndian.AppendUint32(nil, blob.Checksum(key, floats))[:sealBytes]
}

// unsealVector is the inverse of sealVector; ok is false when the row is
// damaged.
func unsealVector(key, b []byte) (vec []float32, ok bool) {
	floats := b[:len(b)/4*4]
	if rest := b[len(floats):]; len(key) != len(catalog.Key{}) || len(rest) > 0 && !bytes.Equal(rest, seal(key, floats)) {
		return nil, false
	}
	vec = blob.Floats(floats)
	return vec, len(b) > len(floats) || vector.IsUnit(vec)
}
