package doc

import (
	"encoding/binary"

	"vademecum/docs/extract/charset"
)

// short and long are the numbers of two and four bytes at an offset, 0 beyond the end.
func short(b []byte, at int) int {
	if at < 0 || at+2 > len(b) {
		return 0
	}
	return int(binary.LittleEndian.Uint16(b[at:]))
}

func long(b []byte, at int) int {
	if at < 0 || at+4 > len(b) {
		return 0
	}
	return int(binary.LittleEndian.Uint32(b[at:]))
}

// section is what a pair of offset and length in the header leads to in a stream, none
// where it leads beyond its end.
func section(stream, header []byte, at int) []byte {
	from, n := long(header, at), long(header, at+4)
	if from > len(stream) || n > len(stream)-from {
		return nil
	}
	return stream[from : from+n]
}

// A piece is a part of the text that lies together in the file ([MS-DOC] 2.9.177).
// Positions in the text are counted in UTF-16 units.
type piece struct {
	from, to int // positions in the text
	at       int // of its bytes in the main stream
	isWide   bool
}

// maxPieces is how many pieces are read; Word makes a few for each time it saves.
const maxPieces = 1 << 18

// readPieces reads the table of pieces ([MS-DOC] 2.9.38).
func readPieces(clx []byte, size int) []piece {
	const properties, table = 1, 2
	for len(clx) > 3 && clx[0] == properties {
		clx = clx[min(len(clx), 3+short(clx, 1)):]
	}
	if len(clx) < 5 || clx[0] != table {
		return nil
	}
	list := clx[5:min(len(clx), 5+long(clx, 1))]
	count := min((len(list)-4)/12, maxPieces)
	var pieces []piece
	for i := range max(count, 0) {
		p := piece{from: long(list, 4*i), to: long(list, 4*i+4)}
		const compressed = 1 << 30
		at := long(list, 4*(count+1)+8*i+2)
		if p.at, p.isWide = at, at&compressed == 0; !p.isWide {
			p.at = (at &^ compressed) / 2
		}
		if n := len(pieces); n > 0 && p.from != pieces[n-1].to || n == 0 && p.from != 0 || p.to <= p.from || p.end() > size {
			break
		}
		pieces = append(pieces, p)
	}
	return pieces
}

func (p *piece) width() int {
	if p.isWide {
		return 2
	}
	return 1
}

// end is where its bytes end.
func (p *piece) end() int { return p.at + (p.to-p.from)*p.width() }

// windows1252 are the characters of the bytes of pieces that are not wide.
var windows1252 = func() (units [256]uint16) {
	for i := range units {
		text, _ := charset.DecodeLabelled([]byte{byte(i)}, "windows-1252")
		for _, r := range text {
			units[i] = uint16(r)
		}
		if i < ' ' {
			units[i] = uint16(i)
		}
	}
	return units
}()
