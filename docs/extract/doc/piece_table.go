package doc

import (
	"encoding/binary"
	"sync"
	"unicode/utf16"

	"vademecum/docs/extract/charset"
)

// uint16At returns the little-endian 16-bit number at an offset, and int32At the 32-bit number.
// Both return 0 beyond the end.
func uint16At(b []byte, at int) int {
	if at < 0 || at+2 > len(b) {
		return 0
	}
	return int(binary.LittleEndian.Uint16(b[at:]))
}

func int32At(b []byte, at int) int {
	if at < 0 || at+4 > len(b) {
		return 0
	}
	return int(binary.LittleEndian.Uint32(b[at:]))
}

// decodeUTF16 decodes little-endian UTF-16.
func decodeUTF16(b []byte) string {
	units := make([]uint16, len(b)/2)
	for i := range units {
		units[i] = binary.LittleEndian.Uint16(b[2*i:])
	}
	return string(utf16.Decode(units))
}

// streamSection returns the bytes of a stream to which a pair of offset and length in the header
// points, or nil if they extend beyond the end.
func streamSection(stream, header []byte, at int) []byte {
	from, n := int32At(header, at), int32At(header, at+4)
	if from > len(stream) || n > len(stream)-from {
		return nil
	}
	return stream[from : from+n]
}

// A piece is a contiguous part of the text in the file ([MS-DOC] 2.9.177). Text positions are
// counted in UTF-16 units.
type piece struct {
	from, to int // start and end position in the text
	offset   int // offset of the first byte in the main stream
	isUTF16  bool
}

// maxPieces is the maximum number of pieces read. Word adds a few each time it saves.
const maxPieces = 1 << 18

// readPieces reads the piece table ([MS-DOC] 2.9.38) for a main stream of size bytes. pieceOffset
// converts a stored value into the offset of a piece, and reports whether the piece is in UTF-16.
func readPieces(clx []byte, size int, pieceOffset func(stored int) (offset int, isUTF16 bool)) []piece {
	const properties, table = 1, 2
	for len(clx) > 3 && clx[0] == properties {
		clx = clx[min(len(clx), 3+uint16At(clx, 1)):]
	}
	if len(clx) < 5 || clx[0] != table {
		return nil
	}
	list := clx[5:min(len(clx), 5+int32At(clx, 1))]
	count := min((len(list)-4)/12, maxPieces)
	var pieces []piece
	for i := range max(count, 0) {
		p := piece{from: int32At(list, 4*i), to: int32At(list, 4*i+4)}
		p.offset, p.isUTF16 = pieceOffset(int32At(list, 4*(count+1)+8*i+2))
		if n := len(pieces); n > 0 && p.from != pieces[n-1].to || n == 0 && p.from != 0 || p.to <= p.from || p.offset < 0 || p.endOffset() > size {
			break
		}
		pieces = append(pieces, p)
	}
	return pieces
}

// word97PieceOffset decodes the offset of a piece as stored by Word 97 and later ([MS-DOC] 2.9.73).
// A flag marks text that is compressed to one byte per character.
func word97PieceOffset(stored int) (offset int, isUTF16 bool) {
	const flag = 1 << 30
	if stored&flag == 0 {
		return stored, true
	}
	return (stored &^ flag) / 2, false
}

func (p *piece) bytesPerUnit() int {
	if p.isUTF16 {
		return 2
	}
	return 1
}

// endOffset returns the offset of the end of the piece in the main stream.
func (p *piece) endOffset() int { return p.offset + (p.to-p.from)*p.bytesPerUnit() }

// A codePageTable decodes pieces with one byte per character, or with one or two in East Asian code
// pages.
type codePageTable struct {
	label   string
	singles [256]uint16
	pairs   map[[2]byte]uint16 // two-byte characters by their bytes; 0 for pairs that are not a character
}

// westernTable returns the table for Western Europe, which has no two-byte characters.
var westernTable = sync.OnceValue(func() *codePageTable { return newCodePageTable("windows-1252") })

func newCodePageTable(label string) *codePageTable {
	a := &codePageTable{label: label, pairs: make(map[[2]byte]uint16)}
	for i := range a.singles {
		if i < ' ' {
			a.singles[i] = uint16(i)
			continue
		}
		text, _ := charset.DecodeLabelled([]byte{byte(i)}, label)
		for _, r := range text {
			a.singles[i] = uint16(r)
		}
	}
	return a
}

// decode returns the first character in b, and its size in bytes.
func (a *codePageTable) decode(b []byte) (unit uint16, size int) {
	const replaced = 0xFFFD // marks the lead byte of a two-byte character
	unit = a.singles[b[0]]
	if unit != replaced || len(b) < 2 {
		return unit, 1
	}
	pair := [2]byte(b)
	found, known := a.pairs[pair]
	if !known {
		text, _ := charset.DecodeLabelled(pair[:], a.label)
		if r := []rune(text); len(r) == 1 && r[0] < replaced {
			found = uint16(r[0])
		}
		a.pairs[pair] = found
	}
	if found == 0 {
		return unit, 1
	}
	return found, 2
}
