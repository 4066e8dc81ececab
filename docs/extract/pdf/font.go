package pdf

import (
	"encoding/binary"
	"io/fs"
	"testing/fstest"
	"unicode/utf8"
)

// fontFiles returns the files that PDFium can access: one font, where it looks for system fonts. It
// substitutes Chinese, Japanese and Korean fonts that a PDF uses but does not embed. PDFium drops
// text that has no extent, and without any font a single character has none.
func fontFiles() fs.FS {
	return fstest.MapFS{"usr/share/fonts/cjk.ttf": {Data: blankFont()}}
}

// blankFont returns a font (ISO/IEC 14496-22, OpenType) that shows every character as the same
// square of one em, and declares the code pages of Chinese, Japanese and Korean.
func blankFont() []byte {
	const (
		em     = 1000
		glyph  = 1 // number of the glyph with the square; glyph 0 is empty
		cjk    = 0x1F << 17
		family = "Blank"
	)
	tables := []struct {
		tag  string
		data []byte
	}{
		{"OS/2", bigEndianBytes([78]byte{}, uint32(cjk), uint32(0))},
		{"cmap", bigEndianBytes([]uint16{0, 1, 3, 10}, uint32(12), []uint16{13, 0}, []uint32{28, 0, 1, ' ', utf8.MaxRune, glyph})},
		{"glyf", bigEndianBytes([]int16{1, 0, 0, em, em, 3, 0}, [4]byte{1, 1, 1, 1}, []int16{0, 0, em, 0, 0, em, 0, -em})},
		{"head", bigEndianBytes([]uint32{1 << 16, 0, 0, 0x5F0F3CF5}, []uint16{0, em}, [16]byte{}, []uint16{0, 0, em, em, 0, 0, 0, 0, 0})},
		{"hhea", bigEndianBytes(uint32(1<<16), []uint16{em, 0, 0, em}, [22]byte{}, uint16(1))},
		{"hmtx", bigEndianBytes([]uint16{em, 0, 0})},
		{"loca", bigEndianBytes([]uint16{0, 0, 17})},
		{"maxp", bigEndianBytes(uint32(1<<16), []uint16{2, 4, 1}, [22]byte{})},
		{"name", bigEndianBytes([]uint16{0, 1, 18, 1, 0, 0, 1, uint16(len(family)), 0}, []byte(family))},
	}
	font := bigEndianBytes(uint32(1<<16), uint16(len(tables)), [6]byte{})
	var body []byte
	for _, t := range tables {
		font = append(font, t.tag...)
		font = append(font, bigEndianBytes([]uint32{0, uint32(12 + 16*len(tables) + len(body)), uint32(len(t.data))})...)
		body = append(body, t.data...)
		body = append(body, make([]byte, -len(body)&3)...)
	}
	return append(font, body...)
}

// bigEndianBytes encodes fixed-size numbers, or slices or arrays of them.
func bigEndianBytes(values ...any) []byte {
	var b []byte
	for _, v := range values {
		b, _ = binary.Append(b, binary.BigEndian, v) // cannot fail for these types
	}
	return b
}
