package djvu

import "math/bits"

// A probabilityState is a row of the table of the ZP coder: how likely the more probable bit
// is, and which state follows. The lowest bit of its index is that bit.
type probabilityState struct {
	interval  uint32 // of the other bit
	threshold uint32 // from which on a bit that was expected changes the state
	up, down  uint8  // the state after a bit that was expected, and after another
}

// A contextState is the index of the probability state that a context is in.
type contextState uint8

// A zpDecoder decodes bits by adaptive binary arithmetic coding (DjVu3 specification, the
// Z'-coder).
type zpDecoder struct {
	compressed  []byte
	nextByte    int    // byte
	buffer      uint64 // bits that are read ahead, at the right
	buffered    int    // how many
	interval    uint32 // 16 bits
	codeword    uint32 // 16 bits
	isExhausted bool   // far more bits were read than there are
	beyondRead  int    // bytes beyond the end
}

// maxBeyond is how many bytes beyond the end a decoder reads of a sound file: it
// reads ahead.
const maxBeyond = 16

func newZPDecoder(packed []byte) *zpDecoder {
	a := &zpDecoder{compressed: packed}
	a.codeword = a.readBits(16)
	return a
}

// readBits returns the next n bits, up to 16. Beyond the end they are 1.
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

// shiftIn takes n bits into the code word.
func (a *zpDecoder) shiftIn(n int) {
	a.interval = a.interval << n & 0xFFFF
	a.codeword = (a.codeword<<n | a.readBits(n)) & 0xFFFF
}

// decodeBit decodes a bit in a context, and adapts the context to it.
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

// decodePassThrough decodes a bit that has no context.
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

// takeLessProbable moves the interval to that of the less probable bit.
func (a *zpDecoder) takeLessProbable(z uint32) {
	a.interval += 0x10000 - z
	a.codeword += 0x10000 - z
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

// decodeBitTree decodes n bits, each in the context that those before it lead to.
func (a *zpDecoder) decodeBitTree(contexts []contextState, n int) int {
	v := uint32(1)
	for range n {
		v = v<<1 | a.decodeBit(&contexts[v-1])
	}
	return int(v) - 1<<n
}
