package ppt

import (
	"encoding/binary"
	"strings"
	"unicode/utf16"

	"vademecum/docs/extract/markdown"
)

// Types of texts ([MS-PPT] 2.13.33).
const (
	titleText       = 0
	bodyText        = 1
	notesText       = 2
	otherText       = 4
	centerBodyText  = 5
	centerTitleText = 6
	halfBodyText    = 7
	quarterBodyText = 8
)

// A textBody is the text of a shape. Paragraphs end with a carriage return.
type textBody struct {
	kind   int
	text   []uint16
	levels []paragraphRun
	raised []raisedRun
}

// A paragraphRun is a run of characters in paragraphs of the same indent level.
type paragraphRun struct{ length, level int }

// A raisedRun is a run of superscript characters, from start to before end.
type raisedRun struct{ start, end int }

// addText adds the text in the record r, or its levels or fields, to the last of texts; a header
// begins a new one. It returns the texts.
func addText(texts []textBody, r record) []textBody {
	if r.kind == textHeader {
		return append(texts, textBody{kind: uint32At(r.data, 0)})
	}
	if len(texts) == 0 {
		return texts
	}
	b := &texts[len(texts)-1]
	switch r.kind {
	case textChars:
		b.text = make([]uint16, len(r.data)/2)
		for i := range b.text {
			b.text[i] = binary.LittleEndian.Uint16(r.data[2*i:])
		}
	case textBytes:
		b.text = make([]uint16, len(r.data))
		for i, c := range r.data {
			b.text[i] = uint16(c)
		}
	case textStyles:
		var characters []byte
		b.levels, characters = readLevels(r.data, len(b.text)+1)
		b.raised = readRaised(characters, len(b.text))
	case dateField, genericDateField, headerField, footerField, numberField, formattedField:
		if at := uint32At(r.data, 0); at < len(b.text) { // an asterisk stands for a field
			b.text[at] = ' '
		}
	}
	return texts
}

// readLevels reads the indent levels of the paragraphs of a text with length characters, including
// the last paragraph end ([MS-PPT] 2.9.44 and 2.9.45). rest is what follows them: the properties of
// the characters, or nil if the levels are damaged.
func readLevels(b []byte, length int) (runs []paragraphRun, rest []byte) {
	for length > 0 && len(b) >= 10 {
		r := paragraphRun{uint32At(b, 0), uint16At(b, 4)}
		size := 10 + paragraphPropertiesSize(uint32At(b, 6), b[10:])
		runs = append(runs, r)
		if r.length == 0 || size > len(b) {
			return runs, nil
		}
		length -= r.length
		b = b[size:]
	}
	if length > 0 {
		return runs, nil
	}
	return runs, b
}

// readRaised reads which characters of a text with length characters are superscripts ([MS-PPT]
// 2.9.46).
func readRaised(b []byte, length int) (runs []raisedRun) {
	const head = 8 // count of characters and mask
	for at := 0; at < length && len(b) >= head; {
		count, mask := uint32At(b, 0), uint32At(b, 4)
		if count == 0 {
			break
		}
		end := min(at+count, length)
		size, position := characterProperties(mask, b[head:])
		switch last := len(runs) - 1; {
		case position <= 0:
		case last >= 0 && runs[last].end == at:
			runs[last].end = end
		default:
			runs = append(runs, raisedRun{at, end})
		}
		at = end
		b = b[min(head+size, len(b)):]
	}
	return runs
}

// characterProperties returns the size in bytes of the properties that a mask selects, and how far
// the characters are raised, in percent of their size ([MS-PPT] 2.9.14 and 2.9.15).
func characterProperties(mask int, b []byte) (size, position int) {
	const isMoved = 0x80000
	for _, p := range []struct{ bits, size int }{
		{0x3EB7, 2},   // bold, italic and other styles
		{0x10000, 2},  // font
		{0x200000, 2}, // East Asian font
		{0x400000, 2}, // Latin font
		{0x800000, 2}, // symbol font
		{0x20000, 2},  // size
		{0x40000, 4},  // colour
	} {
		if mask&p.bits != 0 {
			size += p.size
		}
	}
	if mask&isMoved == 0 {
		return size, 0
	}
	return size + 2, int(int16(uint16At(b, size)))
}

// paragraphPropertiesSize returns the size in bytes of the properties that a mask selects ([MS-PPT]
// 2.9.20).
func paragraphPropertiesSize(mask int, b []byte) (size int) {
	has := func(bits int) bool { return mask&bits != 0 }
	for _, p := range []struct{ bits, size int }{
		{0xF, 2},    // bullet flags
		{0x80, 2},   // bullet character
		{0x10, 2},   // bullet font
		{0x40, 2},   // bullet size
		{0x20, 4},   // bullet colour
		{0x800, 2},  // alignment
		{0x1000, 2}, // line spacing
		{0x2000, 2}, // spacing before
		{0x4000, 2}, // spacing after
		{0x100, 2},  // left margin
		{0x400, 2},  // indent
		{0x8000, 2}, // default tab size
	} {
		if has(p.bits) {
			size += p.size
		}
	}
	if has(0x100000) { // tab stops
		size += 2 + 4*uint16At(b, size)
	}
	if has(0x10000) { // font alignment
		size += 2
	}
	if has(0xE0000) { // line breaking
		size += 2
	}
	if has(0x200000) { // text direction
		size += 2
	}
	return size
}

// blocks returns the paragraphs of the text. In the placeholder for the body they are list items.
func (b *textBody) blocks() (all []markdown.Block) {
	isList := b.kind == bodyText || b.kind == halfBodyText || b.kind == quarterBodyText
	at := 0
	for start := 0; start < len(b.text); {
		end := start
		for end < len(b.text) && b.text[end] != '\r' {
			end++
		}
		for len(b.levels) > 1 && start >= at+b.levels[0].length {
			at += b.levels[0].length
			b.levels = b.levels[1:]
		}
		text := strings.TrimSpace(lineBreakReplacer.Replace(b.decode(start, end)))
		start = end + 1
		if text == "" {
			continue
		}
		block := markdown.Block{Text: text}
		if isList {
			block.Kind, block.Marker = markdown.ListItem, markdown.Bullet
			if len(b.levels) > 0 {
				block.Level = min(b.levels[0].level, 4)
			}
		}
		all = append(all, block)
	}
	if len(all) == 1 && isList {
		all[0] = markdown.Block{Text: all[0].Text} // a single paragraph is hardly a list
	}
	return all
}

// decode returns the text between two offsets, with raised numbers as Unicode superscripts.
func (b *textBody) decode(start, end int) string {
	var text strings.Builder
	for _, r := range b.raised {
		if r.start, r.end = max(r.start, start), min(r.end, end); r.start >= r.end {
			continue
		}
		text.WriteString(string(utf16.Decode(b.text[start:r.start])))
		text.WriteString(markdown.Superscript(string(utf16.Decode(b.text[r.start:r.end]))))
		start = r.end
	}
	text.WriteString(string(utf16.Decode(b.text[start:end])))
	return text.String()
}

// lineBreakReplacer replaces the line breaks within a paragraph and removes NULs.
var lineBreakReplacer = strings.NewReplacer("\v", "\n", "\x00", "")
