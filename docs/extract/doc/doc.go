// Package doc reads documents of Word 6 to 2003, and WPS documents in the same format: paragraphs,
// headings, lists, tables and formulas in their order, with notes, text boxes, headers and footers.
// Reviewers' comments follow the text.
//
// No pure Go library was available: github.com/IntelligenceX/fileconversion cannot be downloaded.
// This reader was compared with antiword on the 160 test files of Apache POI and Tika in which
// antiword finds words. For Word 97 and later it misses 100 of these words, of which at least 35
// are antiword's own "[pic]"; for Word 6 and 95 it misses only two Russian words, which antiword
// decodes as Western European. It reads 459 files in 2 s, without a panic. Of the 949,000 words
// that LibreOffice 7.4 finds in 417 files (from these, Chinese courses and other sources), it finds
// 99.9 %.
package doc

import (
	"bytes"
	"slices"

	"vademecum/docs/extract"
	"vademecum/docs/extract/cfb"
	"vademecum/docs/extract/markdown"
	"vademecum/docs/extract/office"
)

var (
	errDamaged = extract.Skip("damaged Word document")
	errNoWord  = extract.Skip("not a Word document, or damaged: save it as .docx")
	errOld     = extract.Skip("old Word format (%s): save it as .docx", ".doc")
)

// Offsets in the header of the main stream, and flags in it ([MS-DOC] 2.5.1).
const (
	atVersion   = 0x02
	atFlags     = 0x0A
	atNumbers   = 0x20 // the number of 16-bit values that follow it in the header
	atSizes     = 0x4C // sizes of the consecutive parts of the text in characters
	atStyles    = 0xA2
	atFootnotes = 0xAA // references to footnotes, then their texts
	atComments  = 0xBA // references to comments, then their texts
	atRuns      = 0xFA // runs of characters, then runs of paragraphs
	atFonts     = 0x112
	atPieces    = 0x1A2
	atAuthors   = 0x1BA // authors of comments
	atTags      = 0x1C2 // tags of commented texts
	atBegins    = 0x1EA // starts of the commented texts, then their ends
	atEndnotes  = 0x20A // references to endnotes, then their texts
	atLists     = 0x2E2
	atListUses  = 0x2EA
	headerSize  = 0x2F2

	isEncrypted = 0x0100
	inTable1    = 0x0200
	word97      = 0xC1
	numbers97   = 14 // number of 16-bit values in the header of Word 97 and later
)

// A document holds the state while a Word document is read.
type document struct {
	main                []byte
	codeTable           *codePageTable // decodes pieces that are not in UTF-16
	pieces              []piece
	characterRuns       []propertyRun
	paragraphRuns       []propertyRun
	fonts               []string // font names
	styles              []style
	resolvedStyles      map[int]paragraphProperties // properties of paragraph styles including inherited ones, by style number
	lists               []*listUse
	notes               map[int]string // texts of footnotes and endnotes, by the position of their reference in the text
	noteCount           int
	streams             *cfb.Storage // all streams of the file
	data                []byte       // the stream called Data; nil until dataStream loads it
	objects             *cfb.Storage // embedded objects, one storage each; nil if there are none
	remainingCharacters int          // number of characters that may still be read: pieces may share bytes, so their total is not limited by the file
	w                   markdown.Writer
}

// Read reads a document of the Word binary file format ([MS-DOC]).
func Read(raw []byte, _ extract.ProgressReporter) (extract.Content, error) {
	if !bytes.HasPrefix(raw, []byte(cfb.Signature)) {
		if isOldWord(raw) {
			return extract.Content{}, errOld
		}
		return extract.Content{}, errNoWord
	}
	file, err := cfb.Open(raw)
	if err != nil {
		return extract.Content{}, err
	}
	d := &document{resolvedStyles: make(map[int]paragraphProperties), notes: make(map[int]string), streams: file.Root, objects: file.Root.Child("ObjectPool"), remainingCharacters: extract.MaxTextBytes}
	if d.main, err = file.Root.ReadStream("WordDocument"); err != nil {
		return extract.Content{}, err
	}
	switch {
	case len(d.main) == 0: // for example a Microsoft Works file, which is also called .wps
		return extract.Content{}, errNoWord
	case uint16At(d.main, atFlags)&isEncrypted != 0:
		return extract.Content{}, extract.ErrPasswordProtected
	case isWord6(d.main):
		err = d.readWord6()
	case !isWord97(d.main):
		return extract.Content{}, errOld
	default:
		err = d.readWord97(file.Root)
	}
	if err != nil {
		return extract.Content{}, err
	}
	c, err := d.w.Content()
	c.Title = file.Title()
	if err != extract.ErrNoText {
		return c, err
	}
	pictures, _ := file.Root.ReadStream("Data") // on error, use the part that could be read
	return c, office.ExplainNoText(err, d.main, pictures)
}

// oldSignatures are the signatures of Word 1 and 2 for Windows, of Word for DOS and Write, and of
// Word 4 and 5 for the Macintosh.
var oldSignatures = []string{"\x9B\xA5", "\xDB\xA5", "\x31\xBE\x00\x00", "\x32\xBE\x00\x00", "\xFE\x37\x00\x1C", "\xFE\x37\x00\x23"}

// isOldWord reports whether a file was saved by a version of Word that predates compound files.
func isOldWord(raw []byte) bool {
	return slices.ContainsFunc(oldSignatures, func(s string) bool { return bytes.HasPrefix(raw, []byte(s)) })
}

// isWord97 reports whether a document has the format of Word 97 or later. Old versions of WPS write
// a lower version number than Word, but a header with the same layout.
func isWord97(main []byte) bool {
	return uint16At(main, atVersion) >= word97 || uint16At(main, atNumbers) == numbers97
}

// The parts of the text, in order ([MS-DOC] 2.5.4).
const (
	body = iota
	footnotes
	headers
	macros
	comments
	endnotes
	boxes
	headerBoxes
	parts
)

// readWord97 reads the tables of Word 97 and later, and writes all parts of the text.
func (d *document) readWord97(streams *cfb.Storage) error {
	header := d.main
	if len(header) < headerSize {
		return errDamaged
	}
	name := "0Table"
	if uint16At(header, atFlags)&inTable1 != 0 {
		name = "1Table"
	}
	table, err := streams.ReadStream(name)
	if err != nil {
		return err
	}
	d.codeTable = westernTable()
	d.pieces = readPieces(streamSection(table, header, atPieces), len(header), word97PieceOffset)
	d.characterRuns = readRuns(header, streamSection(table, header, atRuns), word97Runs, false)
	d.paragraphRuns = readRuns(header, streamSection(table, header, atRuns+8), word97Runs, true)
	d.fonts = readFonts(streamSection(table, header, atFonts))
	d.styles = readStyles(streamSection(table, header, atStyles), readStyle)
	lists := streamSection(table, header, atLists)
	d.lists = readLists(lists, table[min(len(table), int32At(header, atLists)+len(lists)):], streamSection(table, header, atListUses))
	return d.writeParts(table, atSizes, atFootnotes, atEndnotes, d.readComments(table))
}

// writeParts writes all parts of the text. atSizes is the offset in the header of the sizes of the
// parts; atFootnotes and atEndnotes are those of the lists of notes, which are in stream. listed
// are the comments on the text.
func (d *document) writeParts(stream []byte, atSizes, atFootnotes, atEndnotes int, listed []comment) error {
	if len(d.pieces) == 0 {
		return errDamaged
	}
	var unlisted []int // parts with notes to which no reference was found; they are written after the text
	var from [parts + 1]int
	for i := range parts {
		from[i+1] = min(from[i]+int32At(d.main, atSizes+4*i), d.pieces[len(d.pieces)-1].to)
	}
	for _, n := range []struct{ part, at int }{{footnotes, atFootnotes}, {endnotes, atEndnotes}} {
		known := len(d.notes)
		d.readNotes(streamSection(stream, d.main, n.at), streamSection(stream, d.main, n.at+8), from[n.part], from[n.part+1])
		if len(d.notes) == known {
			unlisted = append(unlisted, n.part)
		}
	}
	d.writeBlocks(from[body], from[body+1])
	for _, part := range unlisted {
		d.writeBlocks(from[part], from[part+1])
	}
	for _, part := range []int{boxes, headers, headerBoxes} {
		d.writeSecondaryPart(from[part], from[part+1], part != boxes)
	}
	d.writeComments(listed, from)
	if d.remainingCharacters <= 0 {
		return extract.ErrTooMuchText
	}
	return nil
}

// readNotes reads the footnotes or endnotes between the positions from and to.
func (d *document) readNotes(references, texts []byte, from, to int) {
	const reference = 2 // size of a reference without its position
	for i := range max(0, (len(references)-4)/(4+reference)) {
		start, end := from+int32At(texts, 4*i), from+int32At(texts, 4*i+4)
		if end > to || start >= end || 4*i+8 > len(texts) {
			return
		}
		var lines markdown.BlockLineBuilder
		d.eachBlock(start, end, lines.AddBlock)
		if text := markdown.OneLine(lines.String()); text != "" {
			d.notes[int32At(references, 4*i)] = text
		}
	}
}

// writeBlocks writes the blocks between two positions, each followed by its notes.
func (d *document) writeBlocks(from, to int) {
	d.eachBlock(from, to, func(b markdown.Block) { b.Write(&d.w) })
}

// writeSecondaryPart writes text boxes, headers or footers. It writes each block once, and omits
// headers and footers that only number the page.
func (d *document) writeSecondaryPart(from, to int, isHeader bool) {
	var written []string
	d.eachBlock(from, to, func(b markdown.Block) {
		var lines markdown.BlockLineBuilder
		lines.AddBlock(b)
		text := lines.String()
		if isHeader && office.IsPageLabel(text) {
			return
		}
		if office.ContainsLetter(text) && !slices.Contains(written, text) && len(written) < extract.MaxNestingDepth {
			written = append(written, text)
			d.w.WriteParagraph(text)
		}
	})
}
