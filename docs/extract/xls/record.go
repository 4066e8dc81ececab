package xls

import (
	"encoding/binary"
	"unicode/utf16"
)

// Kinds of records that are read ([MS-XLS] 2.3). The forms of a record in BIFF5 and BIFF8 have the
// same number.
const (
	recFormula     = 0x0006
	recEnd         = 0x000A
	recHeader      = 0x0014
	recFooter      = 0x0015
	recNote        = 0x001C
	recDate1904    = 0x0022
	recPassword    = 0x002F
	recFont        = 0x0031
	recContinue    = 0x003C
	recCodePage    = 0x0042
	recObject      = 0x005D
	recColumns     = 0x007D
	recSheet       = 0x0085
	recFilterMode  = 0x009B
	recRKs         = 0x00BD
	recRichLabel   = 0x00D6
	recXF          = 0x00E0
	recMergedCells = 0x00E5
	recTexts       = 0x00FC
	recSharedText  = 0x00FD
	recTextObject  = 0x01B6
	recNumber      = 0x0203
	recLabel       = 0x0204
	recBool        = 0x0205
	recString      = 0x0207
	recRow         = 0x0208
	recRK          = 0x027E
	recFormat      = 0x041E
	recBegin       = 0x0809
)

// A record is a BIFF record together with its CONTINUE records.
type record struct {
	kind  uint16
	parts [][]byte // data of the record, and of the CONTINUE records after it
}

// data returns the data of the record without its CONTINUE records.
func (r *record) data() []byte { return r.parts[0] }

// uint16At returns the two-byte number at an offset, or 0 beyond the end.
func (r *record) uint16At(at int) int {
	if d := r.data(); at+2 <= len(d) {
		return int(binary.LittleEndian.Uint16(d[at:]))
	}
	return 0
}

// A recordStream reads the records of a workbook stream one by one.
type recordStream struct {
	rest []byte
}

// nextRecord reads the next record. ok is false if there is no complete one.
func (s *recordStream) nextRecord() (r record, ok bool) {
	kind, data, ok := s.readRawRecord()
	if !ok {
		return r, false
	}
	r = record{kind, [][]byte{data}}
	for len(s.rest) >= 4 && binary.LittleEndian.Uint16(s.rest) == recContinue {
		_, more, whole := s.readRawRecord()
		if !whole {
			break
		}
		r.parts = append(r.parts, more)
	}
	return r, true
}

func (s *recordStream) readRawRecord() (kind uint16, data []byte, ok bool) {
	if len(s.rest) < 4 {
		return 0, nil, false
	}
	kind = binary.LittleEndian.Uint16(s.rest)
	end := 4 + int(binary.LittleEndian.Uint16(s.rest[2:]))
	if end > len(s.rest) {
		return 0, nil, false
	}
	data, s.rest = s.rest[4:end], s.rest[end:]
	return kind, data, true
}

// A partReader reads values that may begin in one part of a record and continue in the next.
type partReader struct {
	parts [][]byte
	fonts []font // fonts of the workbook, to which the formatting runs of texts refer
	plain int    // how many bytes at the start of the last text have the font of the cell, or markdown.AllInCellFont
}

// readBytes returns the next n bytes, or fewer at the end of the record.
func (c *partReader) readBytes(n int) (all []byte) {
	for n > 0 && len(c.parts) > 0 {
		step := min(n, len(c.parts[0]))
		all = append(all, c.parts[0][:step]...)
		if c.parts[0], n = c.parts[0][step:], n-step; n > 0 {
			c.parts = c.parts[1:]
		}
	}
	return all
}

// skipBytes skips n bytes.
func (c *partReader) skipBytes(n int) {
	for n > 0 && len(c.parts) > 0 {
		step := min(n, len(c.parts[0]))
		c.parts[0], n = c.parts[0][step:], n-step
		if n > 0 {
			c.parts = c.parts[1:]
		}
	}
}

// readNumber reads a little-endian number of size bytes, which are all in one part. It returns 0 at
// the end of the record.
func (c *partReader) readNumber(size int) int {
	for len(c.parts) > 0 && len(c.parts[0]) == 0 {
		c.parts = c.parts[1:]
	}
	if len(c.parts) == 0 || len(c.parts[0]) < size {
		c.parts = nil
		return 0
	}
	n := 0
	for i := range size {
		n |= int(c.parts[0][i]) << (8 * i)
	}
	c.parts[0] = c.parts[0][size:]
	return n
}

// Flags before the characters of a text ([MS-XLS] 2.5.293).
const (
	hasHighByte  = 1 << 0 // flag: two bytes per character
	hasPhonetics = 1 << 2 // flag: phonetic data follows
	hasRuns      = 1 << 3 // flag: formatting runs follow
)

// readText reads a BIFF8 text of length characters, and the data after it.
func (c *partReader) readText(length int) string {
	flags := c.readNumber(1)
	runs, phonetics := 0, 0
	if flags&hasRuns != 0 {
		runs = c.readNumber(2)
	}
	if flags&hasPhonetics != 0 {
		phonetics = c.readNumber(4)
	}
	text := c.readCharacters(length, flags)
	all := c.readBytes(runSize * runs)
	text, c.plain = applyRuns(text, all[:len(all)/runSize*runSize], c.fonts)
	c.skipBytes(phonetics)
	return text
}

// readCharacters reads length characters of a text. If the text continues in the next part, that
// part begins with flags again.
func (c *partReader) readCharacters(length, flags int) string {
	var units []uint16
	for length > 0 && len(c.parts) > 0 {
		width := 1 + flags&hasHighByte
		part := c.parts[0]
		n := min(length, len(part)/width)
		for i := range n {
			if width == 1 {
				units = append(units, uint16(part[i]))
			} else {
				units = append(units, binary.LittleEndian.Uint16(part[2*i:]))
			}
		}
		c.parts[0], length = part[n*width:], length-n
		if length == 0 {
			break
		}
		if c.parts = c.parts[1:]; len(c.parts) > 0 {
			flags = c.readNumber(1)
		}
	}
	return string(utf16.Decode(units))
}
