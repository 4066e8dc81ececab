package mobi

import "vademecum/docs/extract"

// Compression types of the text of a book.
const (
	unpacked = 1
	palmDOC  = 2
	huffCDIC = 17480
)

// unpackText returns the decompressed HTML of the book. For KF8 that is only the first flow: the
// others are style sheets and pictures. If there is an error, it returns the text before it as
// well.
func (b *book) unpackText() ([]byte, error) {
	unpack, err := b.recordUnpacker()
	if err != nil {
		return nil, err
	}
	var text []byte
	for i := range b.textRecords {
		record := b.record(b.headerRecord + 1 + i)
		if record == nil {
			err = errDamaged
			break
		}
		if text, err = unpack(text, trimTrailers(record, b.trailerFlags)); err != nil {
			break
		}
		if len(text) > maxSource {
			return nil, extract.ErrTooMuchText
		}
	}
	return text[:min(len(text), b.firstFlowEnd())], err
}

// recordUnpacker returns a function that decompresses a record and appends it to dst.
func (b *book) recordUnpacker() (func(dst, record []byte) ([]byte, error), error) {
	switch b.compression {
	case unpacked:
		return func(dst, record []byte) ([]byte, error) { return append(dst, record...), nil }, nil
	case palmDOC:
		return unpackPalmDOC, nil
	case huffCDIC:
		h, err := b.readHuffman()
		if err != nil {
			return nil, err
		}
		return h.unpack, nil
	}
	return nil, errDamaged
}

// firstFlowEnd returns the end of the first flow of a KF8, as a byte offset in the text.
func (b *book) firstFlowEnd() int {
	table := b.record(b.headerRecord + b.flowRecord)
	if b.flowRecord == 0 || string(sliceAt(table, 0, 4)) != "FDST" || numberAt(table, 8) == 0 {
		return maxSource
	}
	return max(numberAt(table, numberAt(table, 4)+4), 0)
}

// trimTrailers returns a text record without the entries after its text: one for each flag above
// the lowest, each ending with its size, and, for the lowest flag, the bytes of a character that
// the next record repeats.
func trimTrailers(record []byte, flags int) []byte {
	for flag := flags >> 1; flag != 0; flag >>= 1 {
		if flag&1 != 0 {
			record = record[:max(len(record)-trailerSize(record), 0)]
		}
	}
	if flags&1 != 0 && len(record) > 0 {
		n := int(record[len(record)-1]&3) + 1
		record = record[:max(len(record)-n, 0)]
	}
	return record
}

// trailerSize returns the number at the end of a record. It is stored with seven bits a byte, and
// read from the end: its first byte has the highest bit set.
func trailerSize(record []byte) (size int) {
	for i := range min(4, len(record)) {
		c := record[len(record)-1-i]
		size |= int(c&0x7F) << (7 * i)
		if c&0x80 != 0 {
			break
		}
	}
	return size
}

// unpackPalmDOC decompresses a record in PalmDOC compression and appends it to dst. The record
// consists of literal bytes, runs of them, pairs of a space and a letter, and copies of earlier
// text.
func unpackPalmDOC(dst, record []byte) ([]byte, error) {
	start := len(dst)
	for i := 0; i < len(record); i++ {
		switch c := record[i]; {
		case c == 0 || 9 <= c && c < 0x80:
			dst = append(dst, c)
		case c < 9:
			end := min(i+1+int(c), len(record))
			dst = append(dst, record[i+1:end]...)
			i = end - 1
		case c >= 0xC0:
			dst = append(dst, ' ', c^0x80)
		case i+1 == len(record):
			return dst, errDamaged
		default:
			i++
			pair := int(c&0x3F)<<8 | int(record[i])
			back, n := pair>>3, pair&7+3
			if back == 0 || back > len(dst)-start {
				return dst, errDamaged
			}
			for range n {
				dst = append(dst, dst[len(dst)-back])
			}
		}
	}
	return dst, nil
}
