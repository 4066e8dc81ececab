package charset

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode/utf8"
)

// Byte order marks of UTF-32. The first begins with that of UTF-16.
const (
	markUTF32LE = "\xFF\xFE\x00\x00"
	markUTF32BE = "\x00\x00\xFE\xFF"
)

// guessUTF32 decodes UTF-32 with or without a byte order mark. Hardly any other data consists of
// four-byte groups that are all code points.
func guessUTF32(raw []byte) (DecodedText, bool) {
	switch {
	case bytes.HasPrefix(raw, []byte(markUTF32LE)):
		return decodeUTF32(raw[4:], binary.LittleEndian, "UTF-32LE", false)
	case bytes.HasPrefix(raw, []byte(markUTF32BE)):
		return decodeUTF32(raw[4:], binary.BigEndian, "UTF-32BE", false)
	}
	if d, ok := decodeUTF32(raw, binary.LittleEndian, "UTF-32LE", true); ok {
		return d, true
	}
	return decodeUTF32(raw, binary.BigEndian, "UTF-32BE", true)
}

func decodeUTF32(raw []byte, order binary.ByteOrder, name string, guessed bool) (DecodedText, bool) {
	if len(raw) == 0 || len(raw)%4 != 0 {
		return DecodedText{}, false
	}
	var text strings.Builder
	for ; len(raw) > 0; raw = raw[4:] {
		r := rune(order.Uint32(raw))
		if r == 0 || !utf8.ValidRune(r) {
			return DecodedText{}, false
		}
		text.WriteRune(r)
	}
	d := DecodedText{Text: text.String(), Encoding: name, IsGuessed: guessed}
	return d, mostlyPrintable(d.Text)
}
