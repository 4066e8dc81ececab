package chm

import "slices"

// frameSize is the decompressed size of a frame in bytes. The offset of each frame is in the reset
// table.
const frameSize = 32 << 10

// Sizes of the Huffman trees (Microsoft LZX data compression format, in the Cabinet SDK).
const (
	literals      = 256
	lengthSymbols = 249
	preSymbols    = 20
	alignSymbols  = 8
	minMatch      = 2
	longestCode   = 16 // maximum length of a code in bits
)

// Kinds of blocks.
const (
	verbatimBlock = 1
	alignedBlock  = 2
	plainBlock    = 3
)

// positionSlotCount returns the number of position slots for a window of this many bytes, or 0 if
// LZX has no such window size.
func positionSlotCount(window int) int {
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

// extraBits and slotBase are, for each position slot, the number of extra bits and the first
// position.
var extraBits, slotBase = func() (extra, base [51]int) {
	for i := 1; i < len(extra); i++ {
		extra[i] = min(max(i/2-1, 0), 17)
		base[i] = base[i-1] + 1<<extra[i-1]
	}
	return extra, base
}()

// An lzxDecoder decompresses the frames of one reset interval, which is compressed independently of
// the others.
type lzxDecoder struct {
	in              bitReader
	out             []byte
	recentDistances [3]int // distances of the three most recent matches, newest first

	mainTree, lengthTree, alignedTree huffmanTree
	blockKind                         int // kind of the current block
	blockSize, blockRemaining         int // number of bytes in the current block, in total and remaining
	hasHeader                         bool
}

func newLZX(slots int) *lzxDecoder {
	return &lzxDecoder{
		recentDistances: [3]int{1, 1, 1},
		mainTree:        huffmanTree{lengths: make([]uint8, literals+8*slots)},
		lengthTree:      huffmanTree{lengths: make([]uint8, lengthSymbols)},
		alignedTree:     huffmanTree{lengths: make([]uint8, alignSymbols)},
	}
}

// decodeFrame decompresses a frame until the output has until bytes.
func (l *lzxDecoder) decodeFrame(packed []byte, until int) error {
	l.in = bitReader{compressed: packed}
	if !l.hasHeader {
		l.hasHeader = true
		if l.in.readBits(1) != 0 { // a size for translating calls in machine code follows, which text does not have
			l.in.readBits(16)
			l.in.readBits(16)
		}
	}
	for len(l.out) < until {
		if l.blockRemaining == 0 {
			if err := l.readBlockHeader(); err != nil {
				return err
			}
		}
		if err := l.decodeSymbols(min(l.blockRemaining, until-len(l.out))); err != nil {
			return err
		}
		if l.in.isExhausted() {
			return errDamaged
		}
	}
	return nil
}

// readBlockHeader reads the kind and size of a block, and its Huffman trees.
func (l *lzxDecoder) readBlockHeader() error {
	if l.blockKind == plainBlock && l.blockSize%2 != 0 {
		l.in.nextByte++
	}
	l.blockKind = int(l.in.readBits(3))
	l.blockSize = int(l.in.readBits(16)<<8 | l.in.readBits(8))
	l.blockRemaining = l.blockSize
	switch {
	case l.blockSize == 0 || l.in.isExhausted():
		return errDamaged
	case l.blockKind == plainBlock:
		l.in.alignToWord()
		for i := range l.recentDistances {
			l.recentDistances[i] = l.in.readUint32()
		}
		return nil
	case l.blockKind == alignedBlock:
		for i := range l.alignedTree.lengths {
			l.alignedTree.lengths[i] = uint8(l.in.readBits(3))
		}
		if err := l.alignedTree.buildCodes(); err != nil {
			return err
		}
	case l.blockKind != verbatimBlock:
		return errDamaged
	}
	return l.readTrees()
}

// readTrees reads the main tree (literals and matches) and the length tree (long matches).
func (l *lzxDecoder) readTrees() error {
	for _, part := range [][]uint8{l.mainTree.lengths[:literals], l.mainTree.lengths[literals:], l.lengthTree.lengths} {
		if err := l.readCodeLengths(part); err != nil {
			return err
		}
	}
	if err := l.mainTree.buildCodes(); err != nil {
		return err
	}
	return l.lengthTree.buildCodes()
}

// readCodeLengths reads code lengths, which are stored as differences from those of the previous
// block.
func (l *lzxDecoder) readCodeLengths(lengths []uint8) error {
	pre := huffmanTree{lengths: make([]uint8, preSymbols)}
	for i := range pre.lengths {
		pre.lengths[i] = uint8(l.in.readBits(4))
	}
	if err := pre.buildCodes(); err != nil {
		return err
	}
	for i := 0; i < len(lengths); {
		symbol, ok := pre.readSymbol(&l.in)
		if !ok || l.in.isExhausted() {
			return errDamaged
		}
		n, zero := 1, false
		switch symbol {
		case 17:
			n, zero = int(l.in.readBits(4))+4, true
		case 18:
			n, zero = int(l.in.readBits(5))+20, true
		case 19:
			n = int(l.in.readBits(1)) + 4
			if symbol, ok = pre.readSymbol(&l.in); !ok || symbol > longestCode {
				return errDamaged
			}
		}
		length := uint8(0)
		if !zero { // all lengths of the run are relative to the previous length of its first symbol
			length = uint8((int(lengths[i]) - symbol + longestCode + 1) % (longestCode + 1))
		}
		for end := min(i+n, len(lengths)); i < end; i++ {
			lengths[i] = length
		}
	}
	return nil
}

// decodeSymbols decompresses n bytes of a block, or a few more if the last match extends beyond
// them.
func (l *lzxDecoder) decodeSymbols(n int) error {
	start := len(l.out)
	if l.blockKind == plainBlock {
		l.out = append(l.out, l.in.readBytes(n)...)
	}
	for len(l.out)-start < n {
		symbol, ok := l.mainTree.readSymbol(&l.in)
		switch {
		case !ok || l.in.isExhausted():
			return errDamaged
		case symbol < literals:
			l.out = append(l.out, byte(symbol))
			continue
		}
		if err := l.copyMatch(symbol - literals); err != nil {
			return err
		}
	}
	l.blockRemaining = max(l.blockRemaining-(len(l.out)-start), 0)
	return nil
}

// copyMatch copies a match from the preceding output.
func (l *lzxDecoder) copyMatch(symbol int) error {
	size := symbol & 7
	if size == 7 {
		more, ok := l.lengthTree.readSymbol(&l.in)
		if !ok {
			return errDamaged
		}
		size += more
	}
	distance, ok := l.readDistance(symbol >> 3)
	if !ok || distance <= 0 || distance > len(l.out) {
		return errDamaged
	}
	l.out = slices.Grow(l.out, size+minMatch)
	for range size + minMatch {
		l.out = append(l.out, l.out[len(l.out)-distance])
	}
	return nil
}

// readDistance returns the distance of a match: one of the three recent distances, which is then
// swapped with the newest, or the base of the slot plus its extra bits.
func (l *lzxDecoder) readDistance(slot int) (distance int, ok bool) {
	if slot < len(l.recentDistances) {
		l.recentDistances[0], l.recentDistances[slot] = l.recentDistances[slot], l.recentDistances[0]
		return l.recentDistances[0], true
	}
	n, low := extraBits[slot], 0
	if l.blockKind == alignedBlock && n >= 3 {
		high := int(l.in.readBits(n-3)) << 3
		if low, ok = l.alignedTree.readSymbol(&l.in); !ok {
			return 0, false
		}
		low += high
	} else {
		low = int(l.in.readBits(n))
	}
	distance = slotBase[slot] - 2 + low
	l.recentDistances = [3]int{distance, l.recentDistances[0], l.recentDistances[1]}
	return distance, true
}

// A huffmanTree is a canonical Huffman code.
type huffmanTree struct {
	lengths []uint8                 // code lengths by symbol; 0 means that the symbol has no code
	symbols []uint16                // symbols in the order of their codes
	limit   [longestCode + 2]uint32 // for each code length, the 16-bit code after the last one of that length
	first   [longestCode + 1]int    // for each code length, the index of the first symbol minus its code
}

// buildCodes builds the codes of the symbols from the lengths of the codes. It fails if the lengths
// are those of no code.
func (t *huffmanTree) buildCodes() error {
	var count [longestCode + 1]int
	for _, n := range t.lengths {
		count[n]++
	}
	var next [longestCode + 1]int // next index in symbols, by code length
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

// readSymbol reads one code and returns its symbol. ok is false if the bits are not a code.
func (t *huffmanTree) readSymbol(in *bitReader) (symbol int, ok bool) {
	bits := in.peekBits(longestCode)
	for n := 1; n <= longestCode; n++ {
		if bits < t.limit[n] {
			in.readBits(n)
			return int(t.symbols[t.first[n]+int(bits>>(longestCode-n))]), true
		}
	}
	return 0, false
}
