package packed

import (
	"encoding/binary"

	"vademecum/docs/kind"
	"vademecum/docs/text"
	"vademecum/index/blob"
	"vademecum/index/store/catalog"
)

// PackChunks encodes the chunks of a document: first the terms of all chunks, then for each chunk
// its byte and line range, heading path, key, content hash, traits and term counts. The terms of
// each chunk must be sorted, as analysis.CountTerms returns them.
func PackChunks(chunks []catalog.Chunk) []byte {
	if len(chunks) == 0 { // a document may have no chunks
		return []byte{}
	}
	d := dictionaryOf(chunks)
	out := d.appendTo(nil)
	for _, c := range chunks {
		for _, n := range []int{c.Span.StartByte, c.Span.EndByte, c.Span.StartLine, c.Span.EndLine, len(c.Heading)} {
			out = binary.AppendUvarint(out, uint64(n))
		}
		for _, h := range c.Heading {
			out = blob.AppendBytes(out, h)
		}
		out = append(out, c.Key[:]...)
		out = append(out, c.ContentHash[:]...)
		out = c.Traits.AppendTo(out)
		out = d.appendCounts(out, c.Terms)
	}
	return out
}

// ParseChunks is the inverse of PackChunks, for compressed or uncompressed bytes.
func ParseChunks(b []byte, count int) ([]catalog.Chunk, error) {
	b, err := decompress(b)
	if err != nil {
		return nil, err
	}
	r := blob.Reader{Rest: b}
	chunks := make([]catalog.Chunk, 0, min(count, len(b)))
	var terms []term
	if len(b) > 0 {
		terms = readTerms(&r)
	}
	for len(r.Rest) > 0 && r.Err == nil {
		var c catalog.Chunk
		c.Span = text.Span{StartByte: r.Number(), EndByte: r.Number(), StartLine: r.Number(), EndLine: r.Number()}
		for range min(r.Number(), len(r.Rest)) {
			c.Heading = append(c.Heading, string(r.Bytes()))
		}
		copy(c.Key[:], r.Next(len(c.Key)))
		copy(c.ContentHash[:], r.Next(len(c.ContentHash)))
		known := true
		if c.Traits, known = kind.ParseTraits(r.Next(kind.TraitsBytes)); !known {
			return nil, catalog.ErrDamaged
		}
		if c.Terms, known = readCounts(&r, terms); !known {
			return nil, catalog.ErrDamaged
		}
		chunks = append(chunks, c)
	}
	if r.Err == nil && len(chunks) != count {
		return nil, catalog.ErrDamaged
	}
	return chunks, r.Err
}
