// Package markdown writes the text of documents as Markdown: readers pass it headings,
// paragraphs, list items and tables in the order of the document. It also removes hidden
// parts from the Markdown of others ([RemoveHidden]).
package markdown

import (
	"strings"
	"unicode/utf8"

	"vademecum/docs/extract"
)

// A Writer builds the Markdown of a document: blocks with a blank line between them.
// Inline markup is left out, and only bars in tables are escaped: the text is for
// searching and reading, and must stay as its author wrote it. Text beyond MaxText is
// dropped, and Content then fails.
type Writer struct {
	Text          strings.Builder
	Parts         []extract.Part
	IsFull        bool // MaxText was exceeded: further text is dropped
	JoinNextBlock bool // the last block was a list item or a row: the next one follows it without a blank line
}

// BeginPart begins a page, slide, sheet, chapter or cell with the next block. Its
// Start is set here.
func (w *Writer) BeginPart(p extract.Part) {
	w.EndBlock()
	p.Start = w.Text.Len()
	w.Parts = append(w.Parts, p)
}

// WriteChapter writes a chapter of Markdown. Its name is that in the table of contents, else
// its first heading; without a heading it begins with its name, else with title.
func (w *Writer) WriteChapter(number int, name, title, text string) {
	heading := firstHeading(text)
	if name == "" {
		name = heading
	}
	w.BeginPart(extract.Part{Unit: extract.Chapter, Number: number, Name: name})
	switch {
	case heading != "":
	case name != "":
		w.WriteHeading(1, name)
	default:
		w.WriteHeading(1, title)
	}
	w.EndBlock()
	w.WriteRaw(strings.Trim(text, "\n") + "\n")
}

// MaxHeading is the approximate maximum length of a heading in characters: longer ones
// are paragraphs of an odd style.
const MaxHeading = 200

// WriteHeading writes a heading. The level is limited to 1 to 6.
func (w *Writer) WriteHeading(level int, title string) {
	if title = OneLine(title); title != "" {
		w.EndBlock()
		w.WriteRaw(strings.Repeat("#", min(max(level, 1), 6)) + " " + title + "\n")
	}
}

// WriteParagraph writes a paragraph. Line feeds stay, blank lines are removed.
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

// WriteItem writes a list item, nested depth deep from 0, with a marker such as "-" or
// "3.".
func (w *Writer) WriteItem(depth int, marker, text string) {
	if text = OneLine(text); text == "" {
		return
	}
	if !w.JoinNextBlock {
		w.EndBlock()
	}
	w.WriteRaw(strings.Repeat("  ", min(depth, maxIndent)) + marker + " " + text + "\n")
	w.JoinNextBlock = true
}

const maxIndent = 8 // levels of nested lists that are shown

// WriteTable writes rows as a table, the first of them as its header.
func (w *Writer) WriteTable(rows [][]string) {
	w.EndBlock()
	for i, cells := range rows {
		w.WriteRow(cells)
		if i == 0 {
			w.WriteDelimiterRow(len(cells))
		}
	}
	w.JoinNextBlock = false
}

// WriteRow writes one row of a table on one line.
func (w *Writer) WriteRow(cells []string) {
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

// WriteCodeBlock writes a fenced block with unchanged text.
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

// EndBlock ends the block before with a blank line.
func (w *Writer) EndBlock() {
	if w.Text.Len() > 0 && !strings.HasSuffix(w.Text.String()[max(0, w.Text.Len()-2):], "\n\n") {
		w.WriteRaw("\n")
	}
	w.JoinNextBlock = false
}

// WriteRaw writes s unchanged, for text that is Markdown already.
func (w *Writer) WriteRaw(s string) {
	if w.IsFull || w.Text.Len()+len(s) > extract.MaxText {
		w.IsFull = true
		return
	}
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\uFFFD")
	}
	w.Text.WriteString(s)
}

// Content returns the text and its parts.
func (w *Writer) Content() (extract.Content, error) {
	if w.IsFull {
		return extract.Content{}, extract.ErrTooMuchText
	}
	text := strings.TrimRight(w.Text.String(), "\n")
	if strings.TrimSpace(text) == "" {
		return extract.Content{}, extract.ErrNoText
	}
	parts := w.Parts
	for len(parts) > 0 && parts[len(parts)-1].Start > len(text) { // nothing followed
		parts = parts[:len(parts)-1]
	}
	return extract.Content{Text: text + "\n", Form: extract.Markdown, Parts: parts}, nil
}

// OneLine returns s with every run of white space replaced by one space.
func OneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
