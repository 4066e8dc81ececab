package ppt

import (
	"encoding/binary"
	"iter"
)

// Types of records ([MS-PPT] 2.13.24; for drawings [MS-ODRAW]).
const (
	documentContainer = 0x03E8
	slideContainer    = 0x03EE
	slideAtom         = 0x03EF
	notesContainer    = 0x03F0
	persistAtom       = 0x03F3
	externalObjects   = 0x0409
	objectReference   = 0x0BC1
	placeholderAtom   = 0x0BC3
	objectAtom        = 0x0FC3
	embeddedObject    = 0x0FCC
	objectStorage     = 0x1011
	outlineTextRef    = 0x0F9E
	textHeader        = 0x0F9F
	textChars         = 0x0FA0
	textStyles        = 0x0FA1
	textBytes         = 0x0FA8
	dateField         = 0x0FF7
	genericDateField  = 0x0FF8
	headerField       = 0x0FF9
	footerField       = 0x0FFA
	numberField       = 0x0FD8
	formattedField    = 0x1015
	headersFooters    = 0x0FD9
	shownAtom         = 0x0FDA // flags of the headers and footers that are shown
	slideListWithText = 0x0FF0
	userEdit          = 0x0FF5
	persistDirectory  = 0x1772
	binaryTagData     = 0x138B // contains records, though its version is not that of a container
	cString           = 0x0FBA
	comment           = 0x2EE0
	shapeGroup        = 0xF003
	shapeContainer    = 0xF004
	shapeProperties   = 0xF00B
	clientTextbox     = 0xF00D
	clientData        = 0xF011
	groupProperties   = 0xF122
)

// A record is a record in a stream: either a container of further records, or an atom with data.
type record struct {
	kind        int
	instance    int
	isContainer bool
	data        []byte
}

const recordHeader = 8 // size in bytes

// readRecord reads the record at the start of b, which may be truncated. length is the length of
// the record with its header; ok is false if there is no complete header.
func readRecord(b []byte) (r record, length int, ok bool) {
	if len(b) < recordHeader {
		return r, 0, false
	}
	first := binary.LittleEndian.Uint16(b)
	size := min(uint64(binary.LittleEndian.Uint32(b[4:])), uint64(len(b)-recordHeader))
	r = record{kind: int(binary.LittleEndian.Uint16(b[2:])), instance: int(first >> 4), isContainer: first&0xF == 0xF, data: b[recordHeader : recordHeader+size]}
	return r, recordHeader + int(size), true
}

// children yields the records in a container.
func (r record) children() iter.Seq[record] {
	return func(yield func(record) bool) {
		for b := r.data; ; {
			c, length, ok := readRecord(b)
			if !ok || !yield(c) {
				return
			}
			b = b[length:]
		}
	}
}

// firstChild returns the first record of that kind in a container, or the zero value if there is
// none.
func (r record) firstChild(kind int) record {
	for c := range r.children() {
		if c.kind == kind {
			return c
		}
	}
	return record{}
}

// uint32At returns the little-endian 32-bit number at an offset, or 0 beyond the end.
func uint32At(b []byte, at int) int {
	if at < 0 || at+4 > len(b) {
		return 0
	}
	return int(binary.LittleEndian.Uint32(b[at:]))
}

// uint16At returns the little-endian 16-bit number at an offset, or 0 beyond the end.
func uint16At(b []byte, at int) int {
	if at < 0 || at+2 > len(b) {
		return 0
	}
	return int(binary.LittleEndian.Uint16(b[at:]))
}

// complexProperty returns the data of the complex property of a shape with that id. The data of
// complex properties follows the list of all properties, in the same order ([MS-ODRAW] 2.3.1).
func (r record) complexProperty(id int) []byte {
	const size, idMask, isComplex = 6, 0x3FFF, 0x8000
	at := r.instance * size
	for i := range r.instance {
		property, length := uint16At(r.data, size*i), uint32At(r.data, size*i+2)
		if property&isComplex == 0 {
			continue
		}
		if length > len(r.data)-at {
			return nil
		}
		if property&idMask == id {
			return r.data[at : at+length]
		}
		at += length
	}
	return nil
}
