// Package markdown writes the text of documents as Markdown: readers pass it headings, paragraphs,
// list items and tables in document order. It also removes hidden parts from Markdown of other
// authors ([RemoveHidden]).
package markdown

import (
	"strings"
	"unicode/utf8"

	"vademecum/docs/extract"
)

// A Writer builds the Markdown of a document: blocks separated by blank lines. It writes no inline
// markup and escapes only bars in tables: the text is for searching and reading, and must stay as
// its author wrote it. Text beyond extract.MaxTextBytes is dropped, and Content then fails.
type Writer struct {
	Text          strings.Builder
	Parts         []extract.Part
	IsFull        bool // whether text was dropped because extract.MaxTextBytes was reached
	JoinNextBlock bool // whether the next block follows without a blank line, as after a list item or a table row
}

// BeginPart begins a page, slide, sheet, chapter or cell: p, with the current end of the text as
// p.Start.
func (w *Writer) BeginPart(p extract.Part) {
	w.EndBlock()
	p.StartByte = w.Text.Len()
	w.Parts = append(w.Parts, p)
}

// WriteChapter writes a chapter whose text is Markdown, as a part. It is called name, which comes
// from the table of contents, or else by its first heading. A chapter without a heading gets one:
// its name or, without a name, fallbackTitle.
func (w *Writer) WriteChapter(number int, name, fallbackTitle, text string) {
	heading := firstHeading(text)
	if name == "" {
		name = heading
	}
	w.BeginPart(extract.Part{Kind: extract.Chapter, Number: number, Name: name})
	switch {
	case heading != "":
	case name != "":
		w.WriteHeading(1, name)
	default:
		w.WriteHeading(1, fallbackTitle)
	}
	w.EndBlock()
	w.WriteRaw(strings.Trim(text, "\n") + "\n")
}

// MaxHeadingCharacters is the approximate maximum length of a heading, in characters. Longer ones are
// paragraphs with a misused style.
const MaxHeadingCharacters = 200

// WriteHeading writes a heading. A level outside 1 to 6 becomes the nearest of these.
func (w *Writer) WriteHeading(level int, title string) {
	if title = OneLine(title); title != "" {
		w.EndBlock()
		w.WriteRaw(strings.Repeat("#", min(max(level, 1), 6)) + " " + title + "\n")
	}
}

// WriteParagraph writes a paragraph. Its line feeds are kept, blank lines in it are removed.
func (w *Writer) WriteParagraph(text string) {
	lines := strings.Split(text, "\n")
	begun := false
	for _, line := range lines {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if !begun {
			w.EndBlock()
			begun = true
		}
		w.WriteRaw(line + "\n")
	}
}

// writeConverted writes Markdown that was converted from another format, with its indentation.
func (w *Writer) writeConverted(text string) {
	if text = strings.Trim(text, "\n"); strings.TrimSpace(text) != "" {
		w.EndBlock()
		w.WriteRaw(text + "\n")
	}
}

// WriteListItem writes a list item at the nesting level depth, from 0, with a marker such as "-" or
// "3.".
func (w *Writer) WriteListItem(depth int, marker, text string) {
	if text = OneLine(text); text == "" {
		return
	}
	if !w.JoinNextBlock {
		w.EndBlock()
	}
	w.WriteRaw(strings.Repeat("  ", min(depth, maxIndent)) + marker + " " + text + "\n")
	w.JoinNextBlock = true
}

const maxIndent = 8 // maximum level of list items that is shown by indentation

// WriteTable writes rows as a table, with the first row as its header.
func (w *Writer) WriteTable(rows [][]string) {
	w.EndBlock()
	for i, cells := range rows {
		w.WriteTableRow(cells)
		if i == 0 {
			w.WriteDelimiterRow(len(cells))
		}
	}
	w.JoinNextBlock = false
}

// WriteTableRow writes a row of a table on one line.
func (w *Writer) WriteTableRow(cells []string) {
	var line strings.Builder
	line.WriteByte('|')
	for _, c := range cells {
		line.WriteByte(' ')
		line.WriteString(strings.ReplaceAll(OneLine(c), "|", `\|`))
		line.WriteString(" |")
	}
	line.WriteByte('\n')
	w.WriteRaw(line.String())
	w.JoinNextBlock = true
}

// WriteDelimiterRow writes the line between the header of a table and its rows.
func (w *Writer) WriteDelimiterRow(columns int) {
	w.WriteRaw("|" + strings.Repeat(" --- |", columns) + "\n")
	w.JoinNextBlock = true
}

// WriteCodeBlock writes a fenced code block with unchanged text. A blank text is left out.
func (w *Writer) WriteCodeBlock(language, text string) {
	text = strings.TrimRight(text, "\n")
	if strings.TrimSpace(text) == "" {
		return
	}
	fence := strings.Repeat("`", max(3, longestByteRun(text, '`')+1))
	w.EndBlock()
	w.WriteRaw(fence + language + "\n" + text + "\n" + fence + "\n")
}

// longestByteRun returns the length of the longest run of b in s.
func longestByteRun(s string, b byte) int {
	longest, run := 0, 0
	for i := range len(s) {
		if run++; s[i] != b {
			run = 0
		}
		longest = max(longest, run)
	}
	return longest
}

// EndBlock ends the previous block with a blank line.
func (w *Writer) EndBlock() {
	if w.Text.Len() > 0 && !strings.HasSuffix(w.Text.String()[max(0, w.Text.Len()-2):], "\n\n") {
		w.WriteRaw("\n")
	}
	w.JoinNextBlock = false
}

// WriteRaw writes s unchanged; s must be Markdown.
func (w *Writer) WriteRaw(s string) {
	if w.IsFull || w.Text.Len()+len(s) > extract.MaxTextBytes {
		w.IsFull = true
		return
	}
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\uFFFD")
	}
	w.Text.WriteString(s)
}

// Content returns the text and its parts. It fails with ErrTooMuchText if text was dropped, or with
// ErrNoText if the text is blank.
func (w *Writer) Content() (extract.Content, error) {
	if w.IsFull {
		return extract.Content{}, extract.ErrTooMuchText
	}
	text := strings.TrimRight(w.Text.String(), "\n")
	if strings.TrimSpace(text) == "" {
		return extract.Content{}, extract.ErrNoText
	}
	parts := w.Parts
	for len(parts) > 0 && parts[len(parts)-1].StartByte > len(text) { // drop parts without text at the end
		parts = parts[:len(parts)-1]
	}
	return extract.Content{Text: text + "\n", Form: extract.Markdown, Parts: parts}, nil
}

// OneLine returns s with every run of white space, including line feeds, replaced by one space.
func OneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
