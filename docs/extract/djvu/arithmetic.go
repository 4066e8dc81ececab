package djvu

import "math/bits"

// A state is how likely a context takes the more probable bit to be, which is the
// lowest bit of its number.
type state struct {
	interval  uint32 // of the other bit
	threshold uint32 // from which on a bit that was expected changes the state
	up, down  uint8  // the state after a bit that was expected, and after another
}

// A context is the number of the state that a decision is in.
type context uint8

// An arithmetic decoder decodes decisions (DjVu3 specification, the Z'-coder).
type arithmetic struct {
	packed     []byte
	next       int    // byte
	buffer     uint64 // bits that are read ahead, at the right
	buffered   int    // how many
	interval   uint32 // 16 bits
	codeword   uint32 // 16 bits
	exhausted  bool   // far more bits were read than there are
	beyondRead int    // bytes beyond the end
}

// maxBeyond is how many bytes beyond the end a decoder reads of a sound file: it
// reads ahead.
const maxBeyond = 16

func newArithmetic(packed []byte) *arithmetic {
	a := &arithmetic{packed: packed}
	a.codeword = a.bits(16)
	return a
}

// bits returns the next n bits, up to 16. Beyond the end they are 1.
func (a *arithmetic) bits(n int) uint32 {
	for a.buffered < n {
		b := byte(0xFF)
		if a.next < len(a.packed) {
			b = a.packed[a.next]
		} else if a.beyondRead++; a.beyondRead > maxBeyond {
			a.exhausted = true
		}
		a.next++
		a.buffer = a.buffer<<8 | uint64(b)
		a.buffered += 8
	}
	a.buffered -= n
	return uint32(a.buffer>>a.buffered) & (1<<n - 1)
}

// shift takes n bits into the code word.
func (a *arithmetic) shift(n int) {
	a.interval = a.interval << n & 0xFFFF
	a.codeword = (a.codeword<<n | a.bits(n)) & 0xFFFF
}

// decide decodes a decision, 0 or 1, whose context adapts to it.
func (a *arithmetic) decide(c *context) uint32 {
	s := &states[*c]
	expected := uint32(*c & 1)
	z := a.interval + s.interval
	if z <= min(a.codeword, 0x7FFF) {
		a.interval = z
		return expected
	}
	z = min(z, 0x6000+(a.interval+z)>>2)
	if z > a.codeword {
		*c = context(s.down)
		a.take(z)
		return 1 - expected
	}
	if a.interval >= s.threshold {
		*c = context(s.up)
	}
	a.interval = z
	a.shift(1)
	return expected
}

// pass decodes a decision that has no context.
func (a *arithmetic) pass() uint32 {
	z := 0x8000 + a.interval>>1
	if z > a.codeword {
		a.take(z)
		return 1
	}
	a.interval = z
	a.shift(1)
	return 0
}

// take follows the less probable decision.
func (a *arithmetic) take(z uint32) {
	a.interval += 0x10000 - z
	a.codeword += 0x10000 - z
	if n := bits.LeadingZeros16(^uint16(a.interval)); n > 0 {
		a.shift(n)
	}
}

// number decodes n bits without contexts, the highest first.
func (a *arithmetic) number(n int) (v int) {
	for range n {
		v = v<<1 | int(a.pass())
	}
	return v
}

// tree decodes n bits, each in the context that those before it lead to.
func (a *arithmetic) tree(contexts []context, n int) int {
	v := uint32(1)
	for range n {
		v = v<<1 | a.decide(&contexts[v-1])
	}
	return int(v) - 1<<n
}
