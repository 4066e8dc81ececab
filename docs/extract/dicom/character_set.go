package dicom

import (
	"bytes"
	"strings"

	"vademecum/docs/extract/charset"
)

// registered maps the ISO registration numbers of the character sets in reports to labels of
// encodings (PS3.3, C.12.1.1.2).
var registered = map[string]string{
	"6": "us-ascii", "100": "iso-8859-1", "101": "iso-8859-2", "109": "iso-8859-3", "110": "iso-8859-4", "144": "iso-8859-5",
	"127": "iso-8859-6", "126": "iso-8859-7", "138": "iso-8859-8", "148": "iso-8859-9", "203": "iso-8859-15",
	"13": "shift_jis", "87": japanese, "159": japanese, "166": "windows-874", "149": "euc-kr", "58": "gb18030", "192": "utf-8",
}

const japanese = "iso-2022-jp"

// designations are the escape sequences that switch to another character set (PS3.3, C.12.1.1.2).
// Japanese double-byte sets replace ASCII; the others are used beside it.
var designations = []struct{ escape, label string }{
	{"\x1B$B", japanese}, {"\x1B$(D", japanese}, {"\x1B(B", ""}, {"\x1B(J", ""},
	{"\x1B-A", "iso-8859-1"}, {"\x1B-B", "iso-8859-2"}, {"\x1B-C", "iso-8859-3"}, {"\x1B-D", "iso-8859-4"}, {"\x1B-L", "iso-8859-5"},
	{"\x1B-G", "iso-8859-6"}, {"\x1B-F", "iso-8859-7"}, {"\x1B-H", "iso-8859-8"}, {"\x1B-M", "iso-8859-9"}, {"\x1B-b", "iso-8859-15"},
	{"\x1B)I", "shift_jis"}, {"\x1B-T", "windows-874"}, {"\x1B$)C", "euc-kr"}, {"\x1B$)A", "gb18030"},
}

// A characterSet is the label of the encoding of the texts in a data set, as far as no escape
// sequence switches to another one; "" if none is declared.
type characterSet string

// newCharacterSet returns the character set for a value of the element Specific Character Set, such
// as "ISO_IR 100" or `\ISO 2022 IR 87`.
func newCharacterSet(value string) characterSet {
	first, _, _ := strings.Cut(value, `\`)
	first = strings.Trim(first, " \x00")
	if _, number, isRegistered := strings.Cut(first, "IR "); isRegistered {
		return characterSet(registered[number])
	}
	return characterSet(strings.ToLower(first)) // a value that is itself a label, such as GB18030 or GBK
}

// decode decodes a text, without the character that pads it to an even length.
func (c characterSet) decode(value []byte) string {
	value = bytes.TrimRight(value, " \x00")
	var b strings.Builder
	for label := string(c); len(value) > 0; {
		end := bytes.IndexByte(value[1:], '\x1B') + 1
		if end == 0 {
			end = len(value)
		}
		segment := value[:end]
		value = value[end:]
		for _, d := range designations {
			rest, isDesignated := bytes.CutPrefix(segment, []byte(d.escape))
			if !isDesignated {
				continue
			}
			if label = d.label; label != japanese {
				segment = rest
			}
			break
		}
		b.WriteString(decodeSegment(segment, label, string(c)))
	}
	return b.String()
}

// decodeSegment decodes a text in the character set label. After a line end, or a separator in the
// name of a person, initialLabel applies again.
func decodeSegment(segment []byte, label, initialLabel string) string {
	if label == "" {
		label = initialLabel
	}
	if end := bytes.IndexAny(segment, "\r\n^="); label != initialLabel && label != japanese && end >= 0 {
		return decodeLabelled(segment[:end], label) + decodeLabelled(segment[end:], initialLabel)
	}
	return decodeLabelled(segment, label)
}

func decodeLabelled(raw []byte, label string) string {
	if text, isKnown := charset.DecodeLabelled(raw, label); isKnown && label != "us-ascii" {
		return text
	}
	d, err := charset.DecodeCheckingLabel(raw, "") // a report that declares no character set should be in ASCII
	if err != nil {
		return strings.ToValidUTF8(string(raw), "\uFFFD")
	}
	return d.Text
}
