package doc

import (
	"encoding/binary"
	"slices"
	"strconv"
	"unicode/utf8"

	"vademecum/docs/extract/charset"
)

// Offsets in the header of Word 6 and Word 95, and flags in it. The format was published with the
// Word 6 SDK; the structures that Word 97 kept are described in [MS-DOC].
const (
	w6Country   = 0x06 // language of the program
	w6Charset   = 0x14
	w6Text      = 0x18 // start and end of the text if it is in one piece
	w6Sizes     = 0x34
	w6Styles    = 0x60
	w6Footnotes = 0x68 // references to footnotes, then their texts
	w6Comments  = 0x78 // references to comments, then their texts
	w6Runs      = 0xB8 // runs of characters, then runs of paragraphs
	w6Pieces    = 0x160
	w6Authors   = 0x178 // authors of comments
	w6Endnotes  = 0x1D2 // references to endnotes, then their texts
	w6Header    = 0x1E2

	w6Complex   = 0x0004 // flag: saved by a fast save, so that the text is in pieces
	w6IsUTF16   = 0x1000 // flag: all text is in UTF-16, as in the East Asian editions
	w6Macintosh = 256    // value of w6Charset for the Macintosh character set
)

// isWord6 reports whether a document has the format of Word 6 or Word 95.
func isWord6(main []byte) bool {
	const first, last = 100, 105
	version := uint16At(main, atVersion)
	return first <= version && version <= last && len(main) >= w6Header
}

// readWord6 reads the tables of Word 6 or 95, which are in the main stream, and writes all parts of
// the text.
func (d *document) readWord6() error {
	header := d.main
	flags := uint16At(header, atFlags)
	isUTF16 := flags&w6IsUTF16 != 0
	if flags&w6Complex != 0 {
		d.pieces = readPieces(streamSection(header, header, w6Pieces), len(header), func(stored int) (int, bool) { return stored, isUTF16 })
	}
	if len(d.pieces) == 0 {
		d.pieces = singlePiece(header, isUTF16)
	}
	d.codeTable = westernTable()
	if label := d.detectCodePage(); label != "" {
		d.codeTable = newCodePageTable(label)
	}
	d.characterRuns = readRuns(header, streamSection(header, header, w6Runs), word6Runs, false)
	d.paragraphRuns = readRuns(header, streamSection(header, header, w6Runs+8), word6Runs, true)
	d.styles = readStyles(streamSection(header, header, w6Styles), readWord6Style)
	return d.writeParts(header, w6Sizes, w6Footnotes, w6Endnotes, d.readWord6Comments())
}

// singlePiece returns the piece table of a document whose text is in one piece, as it is unless it
// was saved by a fast save.
func singlePiece(header []byte, isUTF16 bool) []piece {
	from, to := int32At(header, w6Text), min(int32At(header, w6Text+4), len(header))
	p := piece{offset: from, isUTF16: isUTF16}
	if p.to = (to - from) / p.bytesPerUnit(); from < 0 || p.to <= 0 {
		return nil
	}
	return []piece{p}
}

// languageCodePages are the Windows code pages for the primary language of a program ([MS-LCID]).
// All other languages use the Western European code page.
var languageCodePages = map[int]uint64{
	0x01: 1256, 0x02: 1251, 0x04: 936, 0x05: 1250, 0x08: 1253, 0x0D: 1255, 0x0E: 1250, 0x11: 932, 0x12: 949, 0x15: 1250, 0x18: 1250, 0x19: 1251,
	0x1A: 1250, 0x1B: 1250, 0x1C: 1250, 0x1E: 874, 0x1F: 1254, 0x20: 1256, 0x22: 1251, 0x23: 1251, 0x24: 1250, 0x25: 1257, 0x26: 1257, 0x27: 1257, 0x29: 1256, 0x2A: 1258, 0x2F: 1251,
}

// detectCodePage returns the label of the encoding of the text; "" for Western Europe. A document
// declares only the language of the program. If it was written in another language, with fonts for
// its characters, the encoding is guessed from the text.
func (d *document) detectCodePage() string {
	if uint16At(d.main, w6Charset) == w6Macintosh {
		return "macintosh"
	}
	country := uint16At(d.main, w6Country)
	page := languageCodePages[country&0x3FF]
	if country == 0x0404 || country == 0x0C04 { // Taiwan and Hong Kong
		page = 950
	}
	if label := charset.CodePageLabel(page); page != 0 && label != "" {
		return label
	}
	guessed, err := charset.Decode(d.sampleNarrowText())
	if err != nil || !slices.Contains(windowsEncodings, guessed.Encoding) {
		return ""
	}
	return guessed.Encoding
}

// windowsEncodings are the encodings of Windows fonts, among those that charset.Decode may guess.
var windowsEncodings = []string{"Windows-1250", "Windows-1251", "Windows-1253", "Windows-1254", "Windows-1255", "Windows-1256", "Windows-1257", "Windows-1258", "Windows-874", "GB18030", "Big5", "Shift-JIS", "EUC-KR"}

// sampleNarrowText returns the first text that is not in UTF-16, without control characters. It
// returns nil if there are too few non-ASCII bytes for a guess.
func (d *document) sampleNarrowText() []byte {
	const most, enough = 64 << 10, 12
	var all []byte
	for _, p := range d.pieces {
		if !p.isUTF16 && len(all) < most {
			all = append(all, d.main[p.offset:p.endOffset()]...)
		}
	}
	beyond := 0
	text := all[:0]
	for _, b := range all {
		if b >= utf8.RuneSelf {
			beyond++
		}
		if b >= ' ' || b == paragraphMark {
			text = append(text, b)
		}
	}
	if beyond < enough {
		return nil
	}
	return text
}

var word6Runs = runLayout{2, 7, (*propertyRun).readWord6Properties}

// The property modifiers of Word 6 that are read. Their kinds are single bytes.
const (
	w6IsDeleted = 65
	w6InTable   = 24
	w6EndsRow   = 25
)

// readWord6Properties reads properties that begin with their length, and converts them into the
// modifiers of Word 97.
func (r *propertyRun) readWord6Properties(data []byte, ofParagraphs bool) {
	n := int(data[0])
	if !ofParagraphs {
		if data = data[1:min(len(data), 1+n)]; len(data) >= 2 && data[0] == w6IsDeleted {
			r.properties = encodeModifier(sprmCFRMarkDel, data[1])
		}
		return
	}
	if data = data[1:min(len(data), 1+2*n)]; len(data) < 2 {
		return
	}
	r.style = uint16At(data, 0)
	for kind, operand := range eachWord6Modifier(data[2:]) {
		switch kind {
		case w6InTable:
			r.properties = append(r.properties, encodeModifier(sprmPFInTable, operand)...)
		case w6EndsRow:
			r.properties = append(r.properties, encodeModifier(sprmPFTtp, operand)...)
		}
	}
}

func encodeModifier(kind uint16, operand byte) []byte {
	return append(binary.LittleEndian.AppendUint16(nil, kind), operand)
}

// word6OperandSizes are the operand sizes of paragraph modifiers in bytes, by kind, up to the last
// one that is read; 255 means that the operand begins with its length.
var word6OperandSizes = [...]byte{2: 2, 3: 255, 4: 1, 5: 1, 6: 1, 7: 1, 8: 1, 9: 1, 10: 1, 11: 1, 12: 255, 13: 1, 14: 1, 15: 255, 16: 2, 17: 2, 18: 2, 19: 2, 20: 4, 21: 2, 22: 2, 23: 255, w6InTable: 1, w6EndsRow: 1}

// eachWord6Modifier yields each property modifier in a list, with the first byte of its operand, up
// to the first modifier of unknown kind.
func eachWord6Modifier(properties []byte) func(yield func(kind int, operand byte) bool) {
	return func(yield func(int, byte) bool) {
		for len(properties) >= 2 && int(properties[0]) < len(word6OperandSizes) {
			kind := int(properties[0])
			size := int(word6OperandSizes[kind])
			if size == 255 {
				size = 1 + int(properties[1])
			}
			if !yield(kind, properties[1]) || size == 0 || 1+size > len(properties) {
				return
			}
			properties = properties[1+size:]
		}
	}
}

// readWord6Style reads a style whose part of fixed size has fixedSize bytes; its name follows. Heading
// styles have the same numbers in all languages.
func readWord6Style(d []byte, fixedSize int) style {
	const none, lastHeading = 0xFFF, 9
	s := style{base: none}
	if len(d) < fixedSize+1 || fixedSize < 4 {
		return s
	}
	s.base = uint16At(d, 2) >> 4
	if number := uint16At(d, 0) & none; 1 <= number && number <= lastHeading {
		s.name = "heading " + strconv.Itoa(number)
		return s
	}
	s.name, _ = charset.DecodeLabelled(d[fixedSize+1:min(len(d), fixedSize+1+int(d[fixedSize]))], "windows-1252")
	return s
}
