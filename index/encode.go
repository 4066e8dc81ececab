package index

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"

	"vademecum/docs/extract"
	"vademecum/docs/text"
	"vademecum/index/blob"
	"vademecum/index/vector"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// checksumOf is the CRC-32C of several byte strings (RFC 3720, 12.1).
func checksumOf(parts ...[]byte) uint32 {
	sum := uint32(0)
	for _, p := range parts {
		sum = crc32.Update(sum, castagnoli, p)
	}
	return sum
}

// checksumOfRecord is that of what does not change while a document is the same.
func checksumOfRecord(r *record) uint32 {
	var row []byte
	for _, s := range []string{r.path, r.title, r.mime, r.textMIME, r.encoding, r.note, r.skip} {
		row = blob.AppendBytes(row, []byte(s))
	}
	return checksumOf(row, r.hash[:], r.textHash[:])
}

// encodeChunks packs chunks into bytes: for each its byte and line range,
// its heading path, its key, its wording and its terms.
func encodeChunks(chunks []chunkRecord) []byte {
	var out []byte
	for _, c := range chunks {
		for _, n := range []int{c.span.StartByte, c.span.EndByte, c.span.StartLine, c.span.EndLine, len(c.heading)} {
			out = binary.AppendUvarint(out, uint64(n))
		}
		for _, h := range c.heading {
			out = blob.AppendBytes(out, []byte(h))
		}
		out = append(out, c.key[:]...)
		out = append(out, c.wording[:]...)
		out = blob.AppendBytes(out, c.terms)
	}
	return out
}

// decodeChunks is the inverse of encodeChunks; the terms alias them.
func decodeChunks(b []byte, count int) ([]chunkRecord, error) {
	r := blob.Reader{Rest: b}
	chunks := make([]chunkRecord, 0, min(count, len(b)))
	for len(r.Rest) > 0 && r.Err == nil {
		var c chunkRecord
		c.span = text.Span{StartByte: r.Number(), EndByte: r.Number(), StartLine: r.Number(), EndLine: r.Number()}
		for range min(r.Number(), len(r.Rest)) {
			c.heading = append(c.heading, string(r.Bytes()))
		}
		copy(c.key[:], r.Take(len(c.key)))
		copy(c.wording[:], r.Take(len(c.wording)))
		c.terms = r.Bytes()
		chunks = append(chunks, c)
	}
	if r.Err == nil && len(chunks) != count {
		return nil, errDamaged
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

func sealVector(key textKey, vec []float32) []byte {
	out := blob.AppendFloats(make([]byte, 0, 4*len(vec)+sealBytes), vec)
	return append(out, seal(key[:], out)...)
}

func seal(key, floats []byte) []byte {
	return binary.LittleEndian.AppendUint32(nil, checksumOf(key, floats))[:sealBytes]
}

// unsealVector is the inverse of sealVector; ok is false when the row is
// damaged.
func unsealVector(key, b []byte) (vec []float32, ok bool) {
	floats := b[:len(b)/4*4]
	if rest := b[len(floats):]; len(key) != len(textKey{}) || len(rest) > 0 && !bytes.Equal(rest, seal(key, floats)) {
		return nil, false
	}
	vec = blob.Floats(floats)
	return vec, len(b) > len(floats) || vector.IsUnit(vec)
}
