package djvu

import "vademecum/docs/extract"

// Limits for decompressed data.
const (
	maxBlock = 4 << 20 // maximum size of a block in bytes, as in DjVuLibre
	maxAll   = 2 * extract.MaxTextBytes
)

// A bzzDecoder decompresses BZZ (DjVu3 specification, BZZ coding): Burrows-Wheeler transformed
// blocks, coded as positions in a move-to-front list.
type bzzDecoder struct {
	remainingBytes int // bytes that may still be decompressed from the file
}

// decode returns the decompressed bytes. It fails with a SkipError if they are damaged or too many.
func (u *bzzDecoder) decode(packed []byte) ([]byte, error) {
	b := bzzBlockDecoder{zpDecoder: newZPDecoder(packed)}
	var all []byte
	for {
		size := b.decodeRawBits(24)
		switch {
		case b.isExhausted || size > maxBlock:
			return all, errDamaged
		case size == 0:
			return all, nil
		}
		if err := u.countBytes(size); err != nil {
			return all, err
		}
		plain, err := b.decodeBlock(size)
		if err != nil {
			return all, err
		}
		all = append(all, plain...)
	}
}

// countBytes counts decompressed bytes, or bytes that were stored uncompressed, towards the limit
// for the file.
func (u *bzzDecoder) countBytes(size int) error {
	if u.remainingBytes -= size; u.remainingBytes < 0 {
		return extract.ErrTooMuchText
	}
	return nil
}

// A bzzBlockDecoder decodes consecutive blocks, which share all contexts.
type bzzBlockDecoder struct {
	*zpDecoder
	isFirstContexts, isSecondContexts [3]contextState // contexts of the bits that say whether a byte is the first, and the second, in the list
	ranges                            [7]rangeContexts
}

// rangeContexts are the contexts for a range of positions in the list. Each range is twice as long
// as the one before.
type rangeContexts struct {
	within contextState
	place  [127]contextState
}

// decodeBlock decodes a block of size bytes, including the end marker.
func (b *bzzBlockDecoder) decodeBlock(size int) ([]byte, error) {
	l := newMoveToFrontList(int(b.decodePassThrough()), b.zpDecoder)
	sorted := make([]byte, size)
	mark := -1
	place := 3
	for i := range sorted {
		if b.isExhausted {
			return nil, errDamaged
		}
		if place = b.decodePosition(min(place, 2)); place == noPlace {
			mark = i
			continue
		}
		sorted[i] = l.bytes[place]
		l.moveForward(place)
	}
	if mark < 1 {
		return nil, errDamaged
	}
	return invertBurrowsWheeler(sorted, mark)
}

const noPlace = 256 // position in the list that stands for the end marker

// decodePosition decodes a position in the move-to-front list. Its contexts depend on the previous
// position.
func (b *bzzBlockDecoder) decodePosition(before int) int {
	switch {
	case b.decodeBit(&b.isFirstContexts[before]) != 0:
		return 0
	case b.decodeBit(&b.isSecondContexts[before]) != 0:
		return 1
	}
	for i := range b.ranges {
		if r := &b.ranges[i]; b.decodeBit(&r.within) != 0 {
			return 2<<i + b.decodeBitTree(r.place[:], i+1)
		}
	}
	return noPlace
}

// A moveToFrontList is the list of the 256 byte values, with recently frequent ones first.
type moveToFrontList struct {
	bytes       [256]byte
	frequencies [4]uint32 // frequencies of the first four bytes in the list
	added       uint32    // amount added to the frequency of the next byte; grows over time
	slow        int       // shift that sets how fast the amount grows: by added>>slow with each byte
}

func newMoveToFrontList(fast int, a *zpDecoder) *moveToFrontList {
	l := &moveToFrontList{added: 4, slow: fast}
	if fast == 1 {
		l.slow += int(a.decodePassThrough())
	}
	for i := range l.bytes {
		l.bytes[i] = byte(i)
	}
	return l
}

// moveForward moves the byte at place forward to the position that matches its new frequency.
func (l *moveToFrontList) moveForward(place int) {
	if l.added += l.added >> l.slow; l.added > 0x10000000 {
		l.added >>= 24
		for i := range l.frequencies {
			l.frequencies[i] >>= 24
		}
	}
	used, frequency := l.bytes[place], l.added
	if place < len(l.frequencies) {
		frequency += l.frequencies[place]
	}
	for ; place >= len(l.frequencies); place-- {
		l.bytes[place] = l.bytes[place-1]
	}
	for ; place > 0 && frequency >= l.frequencies[place-1]; place-- {
		l.bytes[place], l.frequencies[place] = l.bytes[place-1], l.frequencies[place-1]
	}
	l.bytes[place], l.frequencies[place] = used, frequency
}

// invertBurrowsWheeler inverts the Burrows-Wheeler transform of a block whose end marker is at
// index mark.
func invertBurrowsWheeler(sorted []byte, mark int) ([]byte, error) {
	var count [256]int
	before := make([]uint32, len(sorted)) // for each byte, the number of equal bytes before it
	for i, c := range sorted {
		if i != mark {
			before[i] = uint32(count[c])
			count[c]++
		}
	}
	start := 1 // the end marker sorts first
	for c, n := range count {
		count[c] = start
		start += n
	}
	plain := make([]byte, len(sorted)-1)
	at := 0
	for i := len(plain) - 1; i >= 0; i-- {
		if at == mark {
			return nil, errDamaged
		}
		plain[i] = sorted[at]
		at = count[sorted[at]] + int(before[at])
	}
	if at != mark {
		return nil, errDamaged
	}
	return plain, nil
}
