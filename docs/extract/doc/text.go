package doc

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"vademecum/docs/extract"
	"vademecum/docs/extract/markdown"
	"vademecum/docs/extract/office"
)

// Control characters in the text ([MS-DOC] 2.4.1 and 2.8.25).
const (
	noteMark       = 0x02
	cellMark       = 0x07
	lineBreak      = 0x0B
	pageBreak      = 0x0C
	paragraphMark  = 0x0D
	columnBreak    = 0x0E
	fieldBegin     = 0x13
	fieldSeparator = 0x14
	fieldEnd       = 0x15
	hardHyphen     = 0x1E
	softHyphen     = 0x1F
)

// A textWalker converts a range of the text into blocks.
type textWalker struct {
	*document
	emit       func(markdown.Block)
	text       []uint16 // text of the current paragraph
	isRaised   bool     // whether the end of text is superscript
	raisedFrom int      // index in text where the superscript begins
	isStruck   bool     // whether the end of text is struck out
	struckFrom int      // index in text where the struck-out text begins
	fields     []field  // open fields, innermost last
	notesAfter []string // notes of the current paragraph
	cell       markdown.Cell
	row        []markdown.Cell
	grid       *markdown.TableBuilder
}

// A field is an open field. Its result is text, its instruction is not.
type field struct {
	instruction []uint16
	inResult    bool
	isHidden    bool // whether its result is omitted, see isPageNumber
	object      int  // number of the embedded object that is its result; 0 if none
	isForm      bool // whether it is a form field
	formAt      int  // offset of its properties in the data stream
}

// eachBlock calls emit for each block of text between two positions.
func (d *document) eachBlock(from, to int, emit func(markdown.Block)) {
	w := textWalker{document: d, emit: emit}
	last := 0
	first, _ := slices.BinarySearchFunc(d.pieces, from+1, func(p piece, position int) int { return cmp.Compare(p.to, position) })
	for i := first; i < len(d.pieces) && d.pieces[i].from < to; i++ {
		p := &d.pieces[i]
		end, characters := 0, characterProperties{} // end and properties of the current character run
		for cp := max(from, p.from); cp < min(to, p.to) && d.remainingCharacters > 0; cp++ {
			d.remainingCharacters--
			if last = p.offset + (cp-p.from)*p.bytesPerUnit(); last >= end {
				now := runAt(d.characterRuns, last)
				end, characters = now.to, now.characterProperties()
			}
			unit, size := uint16(uint16At(d.main, last)), 1
			if !p.isUTF16 {
				unit, size = d.codeTable.decode(d.main[last:min(p.endOffset(), last+2)])
			}
			w.addShownCharacter(unit, &characters, cp, last)
			cp += size - 1 // in such text, cp counts bytes, and a character may have two
		}
	}
	if len(w.text) > 0 {
		w.endParagraph(last, false)
	}
	w.endTable()
}

// addShownCharacter adds the visible text for the character at the text position cp and at the
// offset at in the main stream.
func (w *textWalker) addShownCharacter(unit uint16, p *characterProperties, cp, at int) {
	if (p.isDeleted || p.isHidden) && !isMark(unit) {
		return
	}
	if n := len(w.fields); unit == fieldSeparator && n > 0 {
		w.fields[n-1].object = p.object
	} else if n > 0 && p.isForm {
		w.fields[n-1].isForm, w.fields[n-1].formAt = true, p.object
	}
	if p.isRaised != w.isRaised {
		w.endRaised()
		w.isRaised = p.isRaised
	}
	if p.isStruck != w.isStruck {
		w.changeStruck(unit, p.isStruck)
	}
	shown := w.symbolText(unit, p)
	if shown == nil {
		w.addCharacter(unit, cp, at)
	}
	for _, unit := range shown {
		w.appendUnit(unit)
	}
}

// isMark reports whether a character ends a paragraph or cell, or delimits a field. Such characters
// take effect even if they were deleted by a tracked change.
func isMark(unit uint16) bool {
	return unit == paragraphMark || unit == cellMark || fieldBegin <= unit && unit <= fieldEnd
}

// addCharacter handles the character at the text position cp and at the offset at in the main
// stream.
func (w *textWalker) addCharacter(unit uint16, cp, at int) {
	switch unit {
	case fieldBegin:
		if len(w.fields) < extract.MaxNestingDepth {
			w.fields = append(w.fields, field{})
		}
	case fieldSeparator:
		if n := len(w.fields); n > 0 {
			f := &w.fields[n-1]
			f.inResult, f.isHidden = true, f.isPageNumber()
		}
	case fieldEnd:
		w.endField()
	case paragraphMark, pageBreak, columnBreak, cellMark:
		w.endParagraph(at, unit == cellMark)
	case lineBreak:
		w.appendUnit('\n')
	case '\t':
		w.appendUnit(' ')
	case hardHyphen:
		w.appendUnit('-')
	case softHyphen:
	case noteMark:
		w.addNote(cp)
	default:
		if unit >= ' ' {
			w.appendUnit(unit)
		}
	}
}

// changeStruck starts or ends struck-out text before the character next, or at the end of a
// paragraph if that is 0.
func (w *textWalker) changeStruck(next uint16, isStruck bool) {
	w.endRaised()
	if from := min(w.struckFrom, len(w.text)); w.isStruck && from < len(w.text) {
		var before rune
		if from > 0 {
			before = rune(w.text[from-1])
		}
		following := strings.TrimLeft(string(rune(next)), "\x00")
		marked := markdown.MarkStruck(before, string(utf16.Decode(w.text[from:])), following)
		w.text = append(w.text[:from], utf16.Encode([]rune(marked))...)
	}
	w.isStruck, w.struckFrom, w.raisedFrom = isStruck, len(w.text), len(w.text)
}

// endRaised converts the superscript at the end of the paragraph.
func (w *textWalker) endRaised() {
	if w.isRaised {
		raised := markdown.Superscript(string(utf16.Decode(w.text[w.raisedFrom:])))
		w.text = append(w.text[:w.raisedFrom], utf16.Encode([]rune(raised))...)
	}
	w.raisedFrom = len(w.text)
}

func (w *textWalker) appendUnit(unit uint16) {
	for i := range w.fields {
		f := &w.fields[i]
		if !f.inResult {
			const longest = 300
			if len(f.instruction) < longest {
				f.instruction = append(f.instruction, unit)
			}
			return
		}
		if f.isHidden {
			return
		}
	}
	if n := len(w.text); unit == '~' && n > 0 && w.text[n-1] == '~' { // two tildes would strike out text
		w.text = append(w.text, utf16.Encode([]rune(markdown.WordJoiner))...)
	}
	w.text = append(w.text, unit)
}

// endField ends the innermost field. If its text is not stored as its result, as with formulas,
// form fields and overstrikes, endField adds that text.
func (w *textWalker) endField() {
	n := len(w.fields) - 1
	if n < 0 {
		return
	}
	f := w.fields[n]
	w.fields = w.fields[:n]
	text := w.formulaText(f.object)
	switch {
	case f.isForm && strings.HasPrefix(f.word(), "FORM"): // hyperlinks have properties, too
		text = w.formFieldText(f.formAt)
	case !f.inResult:
		text = f.overstrikeText()
	}
	for _, unit := range text {
		w.appendUnit(unit)
	}
}

// overstrikeText returns the last argument of an EQ \o field: the base text, over which the field
// prints a reading or a circle, as in EQ \o\ad(\s\up 9(pīn),拼). It returns nil for other fields.
func (f *field) overstrikeText() []uint16 {
	word, rest, _ := strings.Cut(strings.TrimSpace(string(utf16.Decode(f.instruction))), " ")
	at := strings.LastIndexAny(rest, ",;")
	if !strings.EqualFold(word, "EQ") || !strings.Contains(strings.ToLower(rest), `\o`) || at < 0 {
		return nil
	}
	return utf16.Encode([]rune(strings.TrimRight(rest[at+1:], ") ")))
}

// word returns the first word of the instruction, which is the kind of the field, in upper case.
func (f *field) word() string {
	word, _, _ := strings.Cut(strings.TrimSpace(string(utf16.Decode(f.instruction))), " ")
	return strings.ToUpper(word)
}

// isPageNumber reports whether the result of the field depends only on the page layout.
func (f *field) isPageNumber() bool {
	switch f.word() {
	case "PAGE", "NUMPAGES", "SECTIONPAGES":
		return true
	}
	return false
}

// addNote adds the marker of the note referenced at cp, if there is one.
func (w *textWalker) addNote(cp int) {
	text := w.notes[cp]
	if text == "" {
		return
	}
	delete(w.notes, cp) // so that the note is written only once
	w.noteCount++
	marker := "[^" + strconv.Itoa(w.noteCount) + "]"
	w.endRaised()
	for _, unit := range utf16.Encode([]rune(marker)) {
		w.appendUnit(unit)
	}
	w.raisedFrom = len(w.text)
	w.notesAfter = append(w.notesAfter, marker+": "+text)
}

// endParagraph ends the paragraph or table cell whose mark is at the byte offset position.
func (w *textWalker) endParagraph(position int, isCell bool) {
	w.remainingCharacters -= extract.CellOverheadBytes
	p := w.paragraphOf(runAt(w.paragraphRuns, position))
	if !p.inTable {
		w.endTable()
		w.emitParagraph(p, w.emit)
		return
	}
	if w.grid == nil {
		w.grid = new(markdown.TableBuilder)
	}
	w.emitParagraph(p, func(b markdown.Block) { w.cell = append(w.cell, b) })
	switch {
	case p.endsRow:
		w.grid.BeginRow()
		for _, c := range w.row {
			w.grid.AddCell(c, 1)
		}
		w.row, w.cell = nil, nil
	case isCell:
		w.row, w.cell = append(w.row, w.cell), nil
	}
}

// endTable emits the current table, if there is one.
func (w *textWalker) endTable() {
	if w.grid == nil {
		return
	}
	if len(w.row)+len(w.cell) > 0 { // the end of the last row is missing
		w.grid.BeginRow()
		for _, c := range append(w.row, w.cell) {
			w.grid.AddCell(c, 1)
		}
	}
	for _, b := range w.grid.Blocks() {
		w.emit(b)
	}
	w.grid, w.row, w.cell = nil, nil, nil
}

// emitParagraph emits the paragraph read last, as the kind of block that its properties p require,
// and then its notes.
func (w *textWalker) emitParagraph(p paragraphProperties, emit func(markdown.Block)) {
	w.changeStruck(0, w.isStruck)
	// Otherwise a field whose instruction never ends would hide the rest of the document.
	w.fields = slices.DeleteFunc(w.fields, func(f field) bool { return !f.inResult })
	b := markdown.Block{Text: strings.TrimSpace(string(utf16.Decode(w.text)))}
	w.text, w.raisedFrom, w.struckFrom = w.text[:0], 0, 0
	marker := w.nextMarker(p) // count items without text, too: they may show a formula
	if b.Text != "" {
		switch level, isHeading := p.outline.HeadingLevel(); {
		case isHeading:
			b.Kind, b.Level = markdown.Heading, level
			if marker != markdown.Bullet {
				b.Marker = marker
			}
		case marker != "":
			b.Kind, b.Level, b.Marker = markdown.ListItem, min(p.level, office.ListLevelCount-1), marker
		}
		emit(b)
	}
	for _, note := range w.notesAfter {
		emit(markdown.Block{Text: note})
	}
	w.notesAfter = nil
}
