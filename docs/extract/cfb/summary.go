package cfb

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode/utf16"

	"vademecum/docs/extract/charset"
)

// Title returns the title in the summary information of a document ([MS-OLEPS]), or "" if it has
// none.
func (f *File) Title() string {
	set, _ := f.Root.ReadStream("\x05SummaryInformation") // on error, use the part that could be read
	const (
		firstOffset = 44 // offset of the field with the offset of the first section
		codePage    = 1
		title       = 2
	)
	if len(set) < firstOffset+4 {
		return ""
	}
	section := set[min(len(set), int(uint32At(set, firstOffset))):]
	if len(section) < 8 {
		return ""
	}
	values := make(map[uint32][]byte)
	for i := range min(int(uint32At(section, 4)), (len(section)-8)/8) {
		id, at := uint32At(section, 8+8*i), int(uint32At(section, 12+8*i))
		if at >= 0 && at+8 <= len(section) && (id == codePage || id == title) {
			values[id] = section[at:]
		}
	}
	label := "windows-1252"
	if v := values[codePage]; v != nil {
		if said := charset.CodePageLabel(uint64(binary.LittleEndian.Uint16(v[4:]))); said != "" {
			label = said
		}
	}
	return strings.TrimSpace(propertyString(values[title], label))
}

// propertyString returns the value of a string property. label is the code page of 8-bit strings.
func propertyString(value []byte, label string) string {
	const (
		inCodePage = 30
		inUTF16    = 31
	)
	if len(value) < 8 {
		return ""
	}
	kind, n, text := uint32At(value, 0), int(uint32At(value, 4)), value[8:]
	switch {
	case kind == inCodePage && n <= len(text):
		text, _, _ = bytes.Cut(text[:n], []byte{0})
		decoded, _ := charset.DecodeLabelled(text, label)
		return decoded
	case kind == inUTF16 && n <= len(text)/2:
		units := make([]uint16, n)
		for i := range units {
			units[i] = binary.LittleEndian.Uint16(text[2*i:])
		}
		decoded, _, _ := strings.Cut(string(utf16.Decode(units)), "\x00")
		return decoded
	}
	return ""
}
