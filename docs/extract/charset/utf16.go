package charset

import (
	unicodes "golang.org/x/text/encoding/unicode"

	"vademecum/docs/extract"
	"vademecum/internal/base/script"
)

const (
	littleEndian = unicodes.LittleEndian
	bigEndian    = unicodes.BigEndian
)

// guessUTF16 decodes UTF-16 without a byte order mark. Line ends, spaces and digits have NULs at
// offsets of one parity, but a few other characters, such as U+4E00, have them at the other; the
// more frequent parity is tried first. Bytes that are mostly printable ASCII are not UTF-16: in
// UTF-16, such bytes make up half of an English text and about half of a Chinese one.
func guessUTF16(raw []byte) (DecodedText, bool) {
	var nulls [2]int
	printable := 0
	head := raw[:min(len(raw), extract.SniffBytes)]
	for i, b := range head {
		switch {
		case b == 0:
			nulls[i&1]++
		case ' ' <= b && b <= '~', b == '\n', b == '\t', b == '\r':
			printable++
		}
	}
	if 4*printable > 3*len(head) {
		return DecodedText{}, false
	}
	first, second := littleEndian, bigEndian
	if nulls[0] > nulls[1] {
		first, second = second, first
	}
	d := decodeUTF16(raw, first)
	if !mostlyPrintable(d.Text) {
		d = decodeUTF16(raw, second)
		if !mostlyPrintable(d.Text) || !mostlyWide(d.Text) {
			return DecodedText{}, false
		}
	}
	d.IsGuessed = true
	return d, true
}

func decodeUTF16(raw []byte, order unicodes.Endianness) DecodedText {
	// The decoder replaces what it cannot decode, so it returns no error.
	text, _ := unicodes.UTF16(order, unicodes.IgnoreBOM).NewDecoder().Bytes(raw)
	d := DecodedText{Text: string(text), Encoding: "UTF-16LE"}
	if order == bigEndian {
		d.Encoding = "UTF-16BE"
	}
	return d
}

// mostlyPrintable reports whether hardly any characters of text are odd.
func mostlyPrintable(text string) bool {
	odd, all := countNonText(text)
	return odd*strictRatio <= all
}

// mostlyWide reports whether at least half the characters of text are Han,
// kana or hangul.
func mostlyWide(text string) bool {
	wide, all := 0, 0
	for _, r := range text {
		all++
		if script.IsEastAsian(r) {
			wide++
		}
	}
	return 2*wide >= all
}
