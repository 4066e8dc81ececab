package chm

import "slices"

// frameSize is how many bytes a frame has unpacked, of which the places are known.
const frameSize = 32 << 10

// Sizes of trees (Microsoft LZX data compression format, in the Cabinet SDK).
const (
	literals      = 256
	lengthSymbols = 249
	preSymbols    = 20
	alignSymbols  = 8
	minMatch      = 2
	longestCode   = 16 // bits
)

// Kinds of blocks.
const (
	verbatimBlock = 1
	alignedBlock  = 2
	plainBlock    = 3
)

// slots returns how many slots of positions a window of so many bytes has, 0 if it
// may not have that size.
func slots(window int) int {
	switch window {
	case 1 << 15:
		return 30
	case 1 << 16:
		return 32
	case 1 << 17:
		return 34
	case 1 << 18:
		return 36
	case 1 << 19:
		return 38
	case 1 << 20:
		return 42
	case 1 << 21:
		return 50
	}
	return 0
}

// extraBits and slotBase are, by the slot of a position, how many bits follow, and
// the first position.
var extraBits, slotBase = func() (extra, base [51]int) {
	for i := 1; i < len(extra); i++ {
		extra[i] = min(max(i/2-1, 0), 17)
		base[i] = base[i-1] + 1<<extra[i-1]
	}
	return extra, base
}()

// An lzx decoder unpacks the frames between two places where the packing begins
// anew.
type lzx struct {
	in     bitReader
	out    []byte
	recent [3]int // distances of matches

	main, length, aligned tree
	kind                  int // of the block
	size, left            int // bytes of the block, and of what is left of it
	begun                 bool
}

func newLZX(slots int) *lzx {
	return &lzx{
		recent:  [3]int{1, 1, 1},
		main:    tree{lengths: make([]uint8, literals+8*slots)},
		length:  tree{lengths: make([]uint8, lengthSymbols)},
		aligned: tree{lengths: make([]uint8, alignSymbols)},
	}
}

// frame unpacks a frame until there are so many bytes.
func (l *lzx) frame(packed []byte, until int) error {
	l.in = bitReader{packed: packed}
	if !l.begun {
		l.begun = true
		if l.in.take(1) != 0 { // how large a program is whose calls are translated, which no text is
			l.in.take(16)
			l.in.take(16)
		}
	}
	for len(l.out) < until {
		if l.left == 0 {
			if err := l.block(); err != nil {
				return err
			}
		}
		if err := l.run(min(l.left, until-len(l.out))); err != nil {
			return err
		}
		if l.in.exhausted() {
			return errDamaged
		}
	}
	return nil
}

// block reads the beginning of a block.
func (l *lzx) block() error {
	if l.kind == plainBlock && l.size%2 != 0 {
		l.in.skip(1)
	}
	l.kind = int(l.in.take(3))
	l.size = int(l.in.take(16)<<8 | l.in.take(8))
	l.left = l.size
	switch {
	case l.size == 0 || l.in.exhausted():
		return errDamaged
	case l.kind == plainBlock:
		l.in.align()
		for i := range l.recent {
			l.recent[i] = l.in.word()
		}
		return nil
	case l.kind == alignedBlock:
		for i := range l.aligned.lengths {
			l.aligned.lengths[i] = uint8(l.in.take(3))
		}
		if err := l.aligned.build(); err != nil {
			return err
		}
	case l.kind != verbatimBlock:
		return errDamaged
	}
	return l.trees()
}

// trees reads the trees of literals and matches, and of long lengths.
func (l *lzx) trees() error {
	for _, part := range [][]uint8{l.main.lengths[:literals], l.main.lengths[literals:], l.length.lengths} {
		if err := l.readLengths(part); err != nil {
			return err
		}
	}
	if err := l.main.build(); err != nil {
		return err
	}
	return l.length.build()
}

// readLengths reads the lengths of codes, as what they differ by from those before.
func (l *lzx) readLengths(lengths []uint8) error {
	pre := tree{lengths: make([]uint8, preSymbols)}
	for i := range pre.lengths {
		pre.lengths[i] = uint8(l.in.take(4))
	}
	if err := pre.build(); err != nil {
		return err
	}
	for i := 0; i < len(lengths); {
		symbol, ok := pre.symbol(&l.in)
		if !ok || l.in.exhausted() {
			return errDamaged
		}
		n, zero := 1, false
		switch symbol {
		case 17:
			n, zero = int(l.in.take(4))+4, true
		case 18:
			n, zero = int(l.in.take(5))+20, true
		case 19:
			n = int(l.in.take(1)) + 4
			if symbol, ok = pre.symbol(&l.in); !ok || symbol > longestCode {
				return errDamaged
			}
		}
		length := uint8(0)
		if !zero { // all of a run differ from the first that was there
			length = uint8((int(lengths[i]) - symbol + longestCode + 1) % (longestCode + 1))
		}
		for end := min(i+n, len(lengths)); i < end; i++ {
			lengths[i] = length
		}
	}
	return nil
}

// run unpacks so many bytes of a block, or a few more where a match goes on.
func (l *lzx) run(n int) error {
	start := len(l.out)
	if l.kind == plainBlock {
		l.out = append(l.out, l.in.bytes(n)...)
	}
	for len(l.out)-start < n {
		symbol, ok := l.main.symbol(&l.in)
		switch {
		case !ok || l.in.exhausted():
			return errDamaged
		case symbol < literals:
			l.out = append(l.out, byte(symbol))
			continue
		}
		if err := l.match(symbol - literals); err != nil {
			return err
		}
	}
	l.left = max(l.left-(len(l.out)-start), 0)
	return nil
}

// match copies what was before.
func (l *lzx) match(symbol int) error {
	size := symbol & 7
	if size == 7 {
		more, ok := l.length.symbol(&l.in)
		if !ok {
			return errDamaged
		}
		size += more
	}
	distance, ok := l.distance(symbol >> 3)
	if !ok || distance <= 0 || distance > len(l.out) {
		return errDamaged
	}
	l.out = slices.Grow(l.out, size+minMatch)
	for range size + minMatch {
		l.out = append(l.out, l.out[len(l.out)-distance])
	}
	return nil
}

// distance returns how far back a match lies: as far as a recent one, which then
// changes its place with the last, or as the bits of the slot say.
func (l *lzx) distance(slot int) (distance int, ok bool) {
	if slot < len(l.recent) {
		l.recent[0], l.recent[slot] = l.recent[slot], l.recent[0]
		return l.recent[0], true
	}
	n, low := extraBits[slot], 0
	if l.kind == alignedBlock && n >= 3 {
		high := int(l.in.take(n-3)) << 3
		if low, ok = l.aligned.symbol(&l.in); !ok {
			return 0, false
		}
		low += high
	} else {
		low = int(l.in.take(n))
	}
	distance = slotBase[slot] - 2 + low
	l.recent = [3]int{distance, l.recent[0], l.recent[1]}
	return distance, true
}

// A tree is a canonical Huffman code.
type tree struct {
	lengths []uint8                 // by symbol; 0: it has no code
	symbols []uint16                // in the order of their codes
	limit   [longestCode + 2]uint32 // the first code above those of a length, of 16 bits
	first   [longestCode + 1]int    // where those of a length begin in symbols, less their first code
}

// build makes the codes from their lengths.
func (t *tree) build() error {
	var count [longestCode + 1]int
	for _, n := range t.lengths {
		count[n]++
	}
	var next [longestCode + 1]int // place in symbols
	code, at := uint32(0), 0
	for n := 1; n <= longestCode; n++ {
		next[n] = at
		t.first[n] = at - int(code>>(longestCode-n))
		at += count[n]
		if code += uint32(count[n]) << (longestCode - n); code > 1<<longestCode {
			return errDamaged
		}
		t.limit[n] = code
	}
	t.symbols = slices.Grow(t.symbols[:0], at)[:at]
	for symbol, n := range t.lengths {
		if n > 0 {
			t.symbols[next[n]] = uint16(symbol)
			next[n]++
		}
	}
	return nil
}

// symbol reads a code. It fails on bits that are none.
func (t *tree) symbol(in *bitReader) (symbol int, ok bool) {
	bits := in.peek(longestCode)
	for n := 1; n <= longestCode; n++ {
		if bits < t.limit[n] {
			in.take(n)
			return int(t.symbols[t.first[n]+int(bits>>(longestCode-n))]), true
		}
	}
	return 0, false
}
