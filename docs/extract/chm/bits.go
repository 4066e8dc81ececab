package chm

import "encoding/binary"

// A bitReader reads bits from the highest of words of 16 bits, the lower byte of
// which comes first. Beyond the end they are 0.
type bitReader struct {
	packed   []byte
	next     int    // byte
	buffer   uint64 // bits that are read ahead, at the right
	buffered int    // how many
	beyond   int    // words that were read beyond the end
}

// maxBeyond is how many words beyond the end are read of a sound frame: codes are
// looked at ahead.
const maxBeyond = 4

func (r *bitReader) exhausted() bool { return r.beyond > maxBeyond }

// peek returns the next n bits, up to 17.
func (r *bitReader) peek(n int) uint32 {
	for r.buffered < n {
		word := uint64(0)
		switch left := len(r.packed) - r.next; {
		case left >= 2:
			word = uint64(binary.LittleEndian.Uint16(r.packed[r.next:]))
		case left == 1:
			word = uint64(r.packed[r.next])
		default:
			r.beyond++
		}
		r.next += 2
		r.buffer = r.buffer<<16 | word
		r.buffered += 16
	}
	return uint32(r.buffer>>(r.buffered-n)) & (1<<n - 1)
}

// take returns the next n bits, up to 17, and goes behind them.
func (r *bitReader) take(n int) uint32 {
	bits := r.peek(n)
	r.buffered -= n
	return bits
}

// align goes to the next word, for bytes to be read. Where it stands at one, it
// leaves that out.
func (r *bitReader) align() {
	if r.buffered%16 == 0 {
		r.take(16)
	}
	r.next -= r.buffered / 16 * 2
	r.buffered = 0
}

// bytes returns so many bytes, as far as there are.
func (r *bitReader) bytes(n int) []byte {
	start := min(r.next, len(r.packed))
	end := min(start+n, len(r.packed))
	if r.next += n; end-start < n {
		r.beyond = maxBeyond + 1
	}
	return r.packed[start:end]
}

func (r *bitReader) skip(n int) { r.next += n }

// word returns a number of four bytes, the lowest first.
func (r *bitReader) word() int {
	b := r.bytes(4)
	if len(b) < 4 {
		return 0
	}
	return int(int32(binary.LittleEndian.Uint32(b)))
}
