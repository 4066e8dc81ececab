package djvu

import "math/bits"

// A probabilityState is a row of the state table of the ZP coder: it says how probable the more
// probable bit is, and which state follows. The lowest bit of the index of the row is the more
// probable bit.
type probabilityState struct {
	interval  uint32 // width of the interval of the less probable bit
	threshold uint32 // minimum interval from which the more probable bit changes the state
	up, down  uint8  // next state after the more probable bit, and after the less probable one
}

// A contextState is the current state of a context, as an index in the table of probability states.
type contextState uint8

// A zpDecoder decodes bits by adaptive binary arithmetic coding (DjVu3 specification, Z'-coder).
type zpDecoder struct {
	compressed  []byte
	nextByte    int    // offset of the next byte
	buffer      uint64 // bits read ahead, right-aligned
	buffered    int    // number of bits in buffer
	interval    uint32 // register A of the specification, of 16 bits
	codeword    uint32 // register C of the specification, of 16 bits
	isExhausted bool   // whether more than maxBeyond bytes were read past the end
	beyondRead  int    // number of bytes read past the end
}

// maxBeyond is how many bytes past the end a decoder may read in an intact file, because it reads
// ahead.
const maxBeyond = 16

func newZPDecoder(packed []byte) *zpDecoder {
	a := &zpDecoder{compressed: packed}
	a.codeword = a.readBits(16)
	return a
}

// readBits returns the next n bits, at most 16. Past the end, all bits are 1.
func (a *zpDecoder) readBits(n int) uint32 {
	for a.buffered < n {
		b := byte(0xFF)
		if a.nextByte < len(a.compressed) {
			b = a.compressed[a.nextByte]
		} else if a.beyondRead++; a.beyondRead > maxBeyond {
			a.isExhausted = true
		}
		a.nextByte++
		a.buffer = a.buffer<<8 | uint64(b)
		a.buffered += 8
	}
	a.buffered -= n
	return uint32(a.buffer>>a.buffered) & (1<<n - 1)
}

// shiftIn shifts n bits of the compressed data into the code word, and the interval with it.
func (a *zpDecoder) shiftIn(n int) {
	a.interval = a.interval << n & 0xFFFF
	a.codeword = (a.codeword<<n | a.readBits(n)) & 0xFFFF
}

// decodeBit decodes a bit in a context, and adapts the context.
func (a *zpDecoder) decodeBit(c *contextState) uint32 {
	s := &probabilityStates[*c]
	expected := uint32(*c & 1)
	z := a.interval + s.interval
	if z <= min(a.codeword, 0x7FFF) {
		a.interval = z
		return expected
	}
	z = min(z, 0x6000+(a.interval+z)>>2)
	if z > a.codeword {
		*c = contextState(s.down)
		a.takeLessProbable(z)
		return 1 - expected
	}
	if a.interval >= s.threshold {
		*c = contextState(s.up)
	}
	a.interval = z
	a.shiftIn(1)
	return expected
}

// decodePassThrough decodes a bit without a context, whose two values are about equally probable.
func (a *zpDecoder) decodePassThrough() uint32 {
	z := 0x8000 + a.interval>>1
	if z > a.codeword {
		a.takeLessProbable(z)
		return 1
	}
	a.interval = z
	a.shiftIn(1)
	return 0
}

// takeLessProbable narrows the interval to the part of the less probable bit, which begins at
// start.
func (a *zpDecoder) takeLessProbable(start uint32) {
	a.interval += 0x10000 - start
	a.codeword += 0x10000 - start
	if n := bits.LeadingZeros16(^uint16(a.interval)); n > 0 {
		a.shiftIn(n)
	}
}

// decodeRawBits decodes n bits without contexts, the highest first.
func (a *zpDecoder) decodeRawBits(n int) (v int) {
	for range n {
		v = v<<1 | int(a.decodePassThrough())
	}
	return v
}

// decodeBitTree decodes n bits, the highest first. The context of each depends on the previous
// bits.
func (a *zpDecoder) decodeBitTree(contexts []contextState, n int) int {
	v := uint32(1)
	for range n {
		v = v<<1 | a.decodeBit(&contexts[v-1])
	}
	return int(v) - 1<<n
}
