package chm

import "encoding/binary"

// A bitReader reads bits from little-endian 16-bit words, the highest bit first. Past the end it
// reads zeros.
type bitReader struct {
	compressed   []byte
	nextByte     int    // offset of the next byte
	buffer       uint64 // bits read ahead, right-aligned
	buffered     int    // number of bits in buffer
	wordsPastEnd int    // words read past the end
}

// maxBeyond is how many words a decoder may read past the end of an intact frame, because codes are
// peeked at before they are consumed.
const maxBeyond = 4

func (r *bitReader) isExhausted() bool { return r.wordsPastEnd > maxBeyond }

// peekBits returns the next n bits, at most 17, without consuming them.
func (r *bitReader) peekBits(n int) uint32 {
	for r.buffered < n {
		word := uint64(0)
		switch left := len(r.compressed) - r.nextByte; {
		case left >= 2:
			word = uint64(binary.LittleEndian.Uint16(r.compressed[r.nextByte:]))
		case left == 1:
			word = uint64(r.compressed[r.nextByte])
		default:
			r.wordsPastEnd++
		}
		r.nextByte += 2
		r.buffer = r.buffer<<16 | word
		r.buffered += 16
	}
	return uint32(r.buffer>>(r.buffered-n)) & (1<<n - 1)
}

// readBits consumes and returns the next n bits, at most 17.
func (r *bitReader) readBits(n int) uint32 {
	bits := r.peekBits(n)
	r.buffered -= n
	return bits
}

// alignToWord skips to the next 16-bit word, where raw bytes begin. A reader that is already at the
// start of a word skips that whole word.
func (r *bitReader) alignToWord() {
	if r.buffered%16 == 0 {
		r.readBits(16)
	}
	r.nextByte -= r.buffered / 16 * 2
	r.buffered = 0
}

// readBytes returns the next n bytes, or fewer at the end of the data.
func (r *bitReader) readBytes(n int) []byte {
	start := min(r.nextByte, len(r.compressed))
	end := min(start+n, len(r.compressed))
	if r.nextByte += n; end-start < n {
		r.wordsPastEnd = maxBeyond + 1
	}
	return r.compressed[start:end]
}

// readUint32 reads a little-endian 32-bit number.
func (r *bitReader) readUint32() int {
	b := r.readBytes(4)
	if len(b) < 4 {
		return 0
	}
	return int(int32(binary.LittleEndian.Uint32(b)))
}
