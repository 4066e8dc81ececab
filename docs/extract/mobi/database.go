package mobi

import (
	"encoding/binary"
	"math"
	"slices"

	"vademecum/docs/extract/markdown"
)

// Offsets of the type in a Palm database, and the types that are books.
const (
	typeAt, typeEnd = 60, 68
	mobiType        = "BOOKMOBI"
	palmDOCType     = "TEXtREAd"
)

func isBookType(kind string) bool { return kind == mobiType || kind == palmDOCType }

// A database is a Palm database: a sequence of records.
type database struct {
	raw    []byte
	starts []int // offsets of the records, ascending, followed by the end of the last one
}

const listAt = 78 // offset of the record list

// openDatabase reads the record list. Of a truncated file it keeps the complete records.
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

// record returns a record, or nil if there is none with that number.
func (d *database) record(n int) []byte {
	if n < 0 || n >= len(d.starts)-1 {
		return nil
	}
	return d.raw[d.starts[n]:d.starts[n+1]]
}

// numberAt returns the 32-bit number at an offset, or 0 beyond the end. Numbers of 2 GB and more,
// which no size or offset in a file has, become the largest int32.
func numberAt(b []byte, at int) int { return int(min(uint32At(b, at), math.MaxInt32)) }

// uint32At returns the 32-bit number at an offset, or 0 beyond the end.
func uint32At(b []byte, at int) uint32 {
	if at < 0 || at+4 > len(b) {
		return 0
	}
	return binary.BigEndian.Uint32(b[at:])
}

// uint16At returns the 16-bit number at an offset, or 0 beyond the end.
func uint16At(b []byte, at int) int {
	if at < 0 || at+2 > len(b) {
		return 0
	}
	return int(binary.BigEndian.Uint16(b[at:]))
}

// utf8Encoding is the header's code for UTF-8. All other text is assumed to be Windows-1252.
const utf8Encoding = 65001

// A book holds the header of a book. Record numbers in it are relative to headerRecord.
type book struct {
	*database
	headerRecord       int // record that contains the header
	compression        int
	textRecords        int // number of text records, which follow the header
	trailerFlags       int // flags of the trailing entries of each text record
	version            int
	utf8               bool
	title              string
	firstHuffmanRecord int // first record of the Huffman tables
	huffmanRecords     int // number of records with Huffman tables
	contentsRecord     int // record of the table of contents; 0 means none
	flowRecord         int // record with the sections, called flows, of the text; only in KF8
	fragmentRecord     int // first record of the index of fragments, from which the source files of a KF8 are put together
	skeletonRecord     int // first record of the index of source files of a KF8
	kf8Record          int // record of the header of a KF8 version of the book in the same file; 0 means none
}

// openBook reads the header of the book: that of the KF8 version if the file contains the book in
// both formats.
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

// none is the record number that stands for no record.
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
		return b, nil // a PalmDOC text, which has no further header
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

// recordNumberAt returns the record number at an offset, or 0 if it stands for no record.
func recordNumberAt(h []byte, at int) int {
	if uint32At(h, at) == none {
		return 0
	}
	return numberAt(h, at)
}

// Properties of a book in the EXTH header.
const (
	boundaryProperty = 121
	titleProperty    = 503
)

// readProperties reads the properties in the EXTH header at an offset.
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

// decodeName decodes a name in the encoding of the book and returns it on one line.
func (b *book) decodeName(raw []byte) string {
	return markdown.OneLine(b.detectEncoding(raw).decode(raw))
}

// sliceAt returns size bytes at an offset, or nil if there are fewer.
func sliceAt(b []byte, at, size int) []byte {
	if at < 0 || size < 0 || at > len(b) || size > len(b)-at {
		return nil
	}
	return b[at : at+size]
}
