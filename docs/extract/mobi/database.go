package mobi

import (
	"encoding/binary"
	"math"
	"slices"

	"vademecum/docs/extract/markdown"
)

// Offsets of the type of a Palm database, and its types that are books.
const (
	typeAt, typeEnd = 60, 68
	mobiType        = "BOOKMOBI"
	palmDOCType     = "TEXtREAd"
)

func isBookType(kind string) bool { return kind == mobiType || kind == palmDOCType }

// A database is a Palm database: a row of records.
type database struct {
	raw    []byte
	starts []int // of the records, ascending, and the end of the last
}

const listAt = 78 // where the list of records begins

// openDatabase reads the list of records. Of a truncated file it keeps those that are
// complete.
func openDatabase(raw []byte) (*database, error) {
	if len(raw) < listAt || !isBookType(string(raw[typeAt:typeEnd])) {
		return nil, errDamaged
	}
	d := &database{raw: raw}
	for i := range uint16At(raw, 76) {
		start := numberAt(raw, listAt+8*i)
		if start < listAt || start > len(raw) {
			break
		}
		d.starts = append(d.starts, start)
	}
	if d.starts = append(d.starts, len(raw)); !slices.IsSorted(d.starts) {
		return nil, errDamaged
	}
	return d, nil
}

// record returns a record, or nil if there is none of that number.
func (d *database) record(n int) []byte {
	if n < 0 || n >= len(d.starts)-1 {
		return nil
	}
	return d.raw[d.starts[n]:d.starts[n+1]]
}

// numberAt returns the number in four bytes, 0 beyond the end. Those of 2 GB and
// more, which no file has, become the largest.
func numberAt(b []byte, at int) int { return int(min(uint32At(b, at), math.MaxInt32)) }

// uint32At returns the number in four bytes, 0 beyond the end.
func uint32At(b []byte, at int) uint32 {
	if at < 0 || at+4 > len(b) {
		return 0
	}
	return binary.BigEndian.Uint32(b[at:])
}

// uint16At returns the number in two bytes, 0 beyond the end.
func uint16At(b []byte, at int) int {
	if at < 0 || at+2 > len(b) {
		return 0
	}
	return int(binary.BigEndian.Uint16(b[at:]))
}

// Encodings that a header names. What is in neither is taken for Windows-1252.
const utf8Encoding = 65001

// A book is the header of a book. Record numbers are relative to it.
type book struct {
	*database
	headerRecord       int // the record with the header
	compression        int
	textRecords        int // records of text, after the header
	trailerFlags       int // flags of what follows the text in each of these
	version            int
	utf8               bool
	title              string
	firstHuffmanRecord int // the first record with its codes
	huffmanRecords     int // how many
	contentsRecord     int // record of the table of contents; 0: none
	flowRecord         int // record with the parts of the text, of KF8
	fragmentRecord     int // record of the pieces that the files of a KF8 are made of
	skeletonRecord     int // record of these files
	kf8Record          int // the record where the book is there once more as KF8; 0: it is not
}

// openBook reads the header of the book, of its KF8 where it is there in both
// formats.
func openBook(d *database) (*book, error) {
	b, err := readHeader(d, 0)
	if err != nil || b.kf8Record == 0 {
		return b, err
	}
	if newer, err := readHeader(d, b.kf8Record); err == nil && newer.version == 8 {
		if newer.title == "" {
			newer.title = b.title
		}
		return newer, nil
	}
	return b, nil
}

// none stands for no record.
const none uint32 = 0xFFFFFFFF

func readHeader(d *database, first int) (*book, error) {
	h := d.record(first)
	if len(h) < 14 {
		return nil, errDamaged
	}
	if uint16At(h, 12) != 0 {
		return nil, errDRM
	}
	b := &book{database: d, headerRecord: first, compression: uint16At(h, 0), textRecords: uint16At(h, 8)}
	if len(h) < 40 || string(h[16:20]) != "MOBI" {
		return b, nil // PalmDOC
	}
	length := numberAt(h, 20)
	b.utf8, b.version = numberAt(h, 28) == utf8Encoding, numberAt(h, 36)
	b.firstHuffmanRecord, b.huffmanRecords = numberAt(h, 112), numberAt(h, 116)
	b.title = b.decodeName(sliceAt(h, numberAt(h, 84), numberAt(h, 88)))
	if length >= 228 {
		b.trailerFlags = uint16At(h, 242)
	}
	if length >= 232 {
		b.contentsRecord = recordNumberAt(h, 244)
	}
	if b.version == 8 {
		b.flowRecord, b.fragmentRecord, b.skeletonRecord = recordNumberAt(h, 192), recordNumberAt(h, 248), recordNumberAt(h, 252)
	}
	if numberAt(h, 128)&0x40 != 0 {
		b.readProperties(h, 16+length)
	}
	return b, nil
}

// recordNumberAt returns the number of a record, 0 of none.
func recordNumberAt(h []byte, at int) int {
	if uint32At(h, at) == none {
		return 0
	}
	return numberAt(h, at)
}

// Properties of a book, of the header EXTH.
const (
	boundaryProperty = 121
	titleProperty    = 503
)

// readProperties reads the properties in the header from there.
func (b *book) readProperties(h []byte, at int) {
	if string(sliceAt(h, at, 4)) != "EXTH" {
		return
	}
	count := numberAt(h, at+8)
	for at += 12; count > 0; count-- {
		kind, size := numberAt(h, at), numberAt(h, at+4)
		if size < 8 || size > len(h) {
			return
		}
		data := sliceAt(h, at+8, size-8)
		switch kind {
		case boundaryProperty:
			b.kf8Record = recordNumberAt(data, 0)
		case titleProperty:
			if title := b.decodeName(data); title != "" {
				b.title = title
			}
		}
		at += size
	}
}

// decodeName returns a name in the encoding of the book, on one line.
func (b *book) decodeName(raw []byte) string {
	return markdown.OneLine(b.detectEncoding(raw).decode(raw))
}

// sliceAt returns size bytes from there, or nil if there are not as many.
func sliceAt(b []byte, at, size int) []byte {
	if at < 0 || size < 0 || at > len(b) || size > len(b)-at {
		return nil
	}
	return b[at : at+size]
}
