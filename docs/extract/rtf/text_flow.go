package rtf

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"vademecum/docs/extract/markdown"
	"vademecum/docs/extract/office"
)

// A textFlow is a sequence of paragraphs and tables: the body of the document, a note, a text box,
// or a header or footer.
type textFlow struct {
	kind   flowKind
	number int // number of the footnote
	text   markdown.InlineText
	raised strings.Builder // superscript text that has not been added yet
	marker strings.Builder // marker of the list item
	cells  []string
	lines  []string // lines of a text other than the body
}

// write adds text to the current paragraph, as superscript if raised is set, and with marks if
// struck is.
func (f *textFlow) write(s string, raised, struck bool) {
	if struck != f.text.IsNextStruck {
		f.endRaised()
		f.text.IsNextStruck = struck
	}
	if raised {
		f.raised.WriteString(s)
		return
	}
	f.endRaised()
	f.text.WriteString(s)
}

// endRaised adds the superscript text that was collected.
func (f *textFlow) endRaised() {
	if f.raised.Len() > 0 {
		f.text.WriteString(markdown.Superscript(f.raised.String()))
		f.raised.Reset()
	}
}

type flowKind uint8

const (
	mainFlow flowKind = iota
	footnoteFlow
	commentFlow
	boxFlow
	marginFlow // a header or footer
)

const maxColumns = 1 << 12 // maximum columns of a table; further cells become a part of the last one

// beginFlow begins a text flow inside the current one.
func (r *reader) beginFlow(kind flowKind) {
	f := &textFlow{kind: kind}
	if kind == footnoteFlow {
		r.footnoteCount++
		f.number = r.footnoteCount
		r.flow.endRaised()
		r.writeToDestination(fmt.Sprintf("[%d]", f.number))
	}
	r.flow, r.state.flow = f, f
	r.state.level, r.state.depth, r.state.inCell, r.state.raised, r.state.struck = -1, 0, false, false, false
}

// endFlow ends a text flow and writes its text, or keeps it to be written later.
func (r *reader) endFlow(f *textFlow) {
	r.endRow()
	r.state.inCell = false
	r.endParagraph()
	text := strings.Join(f.lines, "\n")
	switch {
	case f.kind == mainFlow:
		r.writeNotes()
	case f.kind == commentFlow:
		r.addComment(text)
	case text == "":
	case f.kind == footnoteFlow:
		r.notes = append(r.notes, fmt.Sprintf("[%d] %s", f.number, text))
	case f.kind == boxFlow:
		r.notes = append(r.notes, text)
	case office.IsPageLabel(text):
	case !slices.Contains(r.headersFooters, text) && len(r.headersFooters) < maxMargins:
		r.headersFooters = append(r.headersFooters, text)
	}
}

// addComment keeps the text of a comment, whose author was read before it, to be written after the
// block.
func (r *reader) addComment(text string) {
	author := r.commentAuthor
	r.commentAuthor = ""
	switch {
	case text == "":
	case author == "":
		r.notes = append(r.notes, "Comment: "+text)
	default:
		r.notes = append(r.notes, "Comment: "+author+": "+text)
	}
}

const maxMargins = 64 // maximum number of different headers and footers

// endParagraph ends a paragraph, or a line within a table cell.
func (r *reader) endParagraph() {
	f := r.flow
	if r.state.dest != bodyDest {
		return
	}
	f.endRaised()
	if r.state.inCell {
		f.text.WriteString("\n")
		return
	}
	text, marker := strings.TrimSpace(f.text.String()), markdown.OneLine(f.marker.String())
	f.text.Reset()
	f.marker.Reset()
	if f.kind != mainFlow {
		if text = strings.TrimSpace(marker + " " + text); text != "" {
			f.lines = append(f.lines, text)
		}
		return
	}
	r.writeParagraph(text, marker)
	r.writeNotes()
}

func (r *reader) writeParagraph(text, marker string) {
	r.rows = 0
	switch level := r.state.level; {
	case text == "":
	case 0 <= level && level < 9 && len(text) <= 3*markdown.MaxHeadingCharacters:
		r.w.WriteHeading(level+1, marker+" "+text)
	case marker == "":
		r.w.WriteParagraph(text)
	default:
		r.w.WriteListItem(r.state.depth, listMarker(marker), text)
	}
}

// listMarker returns a marker of a list item as it stands in a text: "1." for a number alone, "-" for a single
// character that is no number and no Chinese one, which is taken for a bullet (such as an o, or a letter in
// a font of pictures), and others unchanged.
func listMarker(marker string) string {
	if strings.Trim(marker, "0123456789") == "" {
		return marker + "."
	}
	first, size := utf8.DecodeRuneInString(marker)
	if size == len(marker) && !unicode.IsNumber(first) && !unicode.Is(unicode.Han, first) {
		return "-"
	}
	return marker
}

func (r *reader) writeNotes() {
	for _, text := range r.notes {
		r.w.WriteParagraph(text)
	}
	r.notes = nil
}

func (r *reader) endCell() {
	if f := r.flow; r.state.dest == bodyDest && len(f.cells) < maxColumns {
		f.endRaised()
		f.cells = append(f.cells, strings.TrimSpace(markdown.OneLine(f.marker.String())+" "+markdown.OneLine(f.text.String())))
		f.text.Reset()
		f.marker.Reset()
	}
}

func (r *reader) endRow() {
	f := r.flow
	if r.state.dest != bodyDest || len(f.cells) == 0 {
		return
	}
	cells := f.cells
	f.cells = nil
	if strings.Join(cells, "") == "" {
		return
	}
	if f.kind != mainFlow {
		f.lines = append(f.lines, strings.Join(cells, " | "))
		return
	}
	if r.rows == 0 {
		r.w.EndBlock()
	}
	r.w.WriteTableRow(cells)
	if r.rows == 0 {
		r.w.WriteDelimiterRow(len(cells))
	}
	r.rows++
}
