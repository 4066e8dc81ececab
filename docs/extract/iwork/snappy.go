package iwork

import "encoding/binary"

// decodeIWA decompresses an IWA file: Snappy chunks, each preceded by a zero byte and a three-byte
// length, without the stream identifier and the checksums of the Snappy framing format. It fails if
// the file is damaged or decompresses to more than limit bytes.
func decodeIWA(packed []byte, limit int) ([]byte, error) {
	var all []byte
	for len(packed) > 0 {
		if len(packed) < 4 || packed[0] != 0 {
			return nil, errDamaged
		}
		size := int(packed[1]) | int(packed[2])<<8 | int(packed[3])<<16
		if size > len(packed)-4 {
			return nil, errDamaged
		}
		var err error
		if all, err = appendSnappyChunk(all, packed[4:4+size], limit); err != nil {
			return nil, err
		}
		packed = packed[4+size:]
	}
	return all, nil
}

// maxSnappyRatio is an upper bound on the compression ratio of a chunk. The most efficient element
// is a copy of 64 bytes, which takes 3 bytes.
const maxSnappyRatio = 22

// appendSnappyChunk decompresses a Snappy chunk
// (github.com/google/snappy/blob/main/format_description.txt) and appends the result to all.
func appendSnappyChunk(all, chunk []byte, limit int) ([]byte, error) {
	length, n := binary.Uvarint(chunk)
	if n <= 0 || length > maxSnappyRatio*uint64(len(chunk)) {
		return nil, errDamaged
	}
	if length > uint64(limit-len(all)) {
		return nil, errTooMuch
	}
	start, end := len(all), len(all)+int(length)
	for chunk = chunk[n:]; len(chunk) > 0; {
		e, size := readSnappyElement(chunk)
		if size == 0 || e.length > end-len(all) || e.distance > len(all)-start {
			return nil, errDamaged
		}
		if e.distance == 0 {
			all = append(all, chunk[size-e.length:size]...)
		}
		for range min(e.distance, 1) * e.length { // the copy may overlap its own output
			all = append(all, all[len(all)-e.distance])
		}
		chunk = chunk[size:]
	}
	if len(all) != end {
		return nil, errDamaged
	}
	return all, nil
}

// A snappyElement is a literal of length bytes or, if distance is not 0, a copy of the output
// distance bytes back.
type snappyElement struct{ length, distance int }

// readSnappyElement returns the first element of a chunk, and its size in bytes, including the
// bytes of a literal. The size is 0 if the element is damaged.
func readSnappyElement(chunk []byte) (e snappyElement, size int) {
	tag := int(chunk[0])
	number := func(bytes int) int {
		n := 0
		for i := range bytes {
			n |= int(chunk[1+i]) << (8 * i)
		}
		return n
	}
	const literal, copy1 = 0, 1
	kind := tag & 3
	size = [4]int{1, 2, 3, 5}[kind]
	if kind == literal && tag>>2 >= 60 {
		size = tag>>2 - 58
	}
	if size > len(chunk) {
		return e, 0
	}
	switch kind {
	case literal:
		if e.length = tag>>2 + 1; size > 1 {
			e.length = number(size-1) + 1
		}
		if e.length > len(chunk)-size {
			return e, 0
		}
		return e, size + e.length
	case copy1:
		e = snappyElement{length: tag>>2&7 + 4, distance: tag>>5<<8 | number(1)}
	default:
		e = snappyElement{length: tag>>2 + 1, distance: number(size - 1)}
	}
	if e.distance <= 0 {
		return e, 0
	}
	return e, size
}
