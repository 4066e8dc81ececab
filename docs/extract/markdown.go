package extract

import (
	"strings"
	"unicode/utf8"
)

// A writer builds the Markdown of a document: blocks with a blank line between
// them. Inline markup is left out, and nothing is escaped but bars in tables:
// the text is for searching and reading, and must stay as its author wrote it.
// What exceeds maxText is dropped, and content then fails.
type writer struct {
	text  strings.Builder
	parts []Part
	full  bool // maxText is exceeded: nothing more is taken
	tight bool // the last block was an item or a row: the next one follows it without a blank line
}

// part begins a page, slide, sheet, chapter or cell with the next block. Its
// Start is set here.
func (w *writer) part(p Part) {
	w.block()
	p.Start = w.text.Len()
	w.parts = append(w.parts, p)
}

// maxHeading is the length of a heading in characters, about: longer ones are
// paragraphs of an odd style.
const maxHeading = 200

// heading writes a heading of level 1 to 6; others are brought into that range.
func (w *writer) heading(level int, title string) {
	if title = oneLine(title); title != "" {
		w.block()
		w.write(strings.Repeat("#", min(max(level, 1), 6)) + " " + title + "\n")
	}
}

// paragraph writes a paragraph. Line feeds within stay, blank lines do not.
func (w *writer) paragraph(text string) {
	lines := strings.Split(text, "\n")
	begun := false
	for _, line := range lines {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if !begun {
			w.block()
			begun = true
		}
		w.write(line + "\n")
	}
}

// item writes one item of a list, nested depth deep from 0, with a marker such
// as "-" or "3.".
func (w *writer) item(depth int, marker, text string) {
	if text = oneLine(text); text == "" {
		return
	}
	if !w.tight {
		w.block()
	}
	w.write(strings.Repeat("  ", min(depth, maxIndent)) + marker + " " + text + "\n")
	w.tight = true
}

const maxIndent = 8 // levels of nested lists that are shown

// table writes rows as a table, the first of them as its header.
func (w *writer) table(rows [][]string) {
	w.block()
	for i, cells := range rows {
		w.row(cells)
		if i == 0 {
			w.delimiter(len(cells))
		}
	}
	w.tight = false
}

// row writes one row of a table on one line.
func (w *writer) row(cells []string) {
	var line strings.Builder
	line.WriteByte('|')
	for _, c := range cells {
		line.WriteByte(' ')
		line.WriteString(strings.ReplaceAll(oneLine(c), "|", `\|`))
		line.WriteString(" |")
	}
	line.WriteByte('\n')
	w.write(line.String())
	w.tight = true
}

// delimiter writes the line between the header of a table and its rows.
func (w *writer) delimiter(columns int) {
	w.write("|" + strings.Repeat(" --- |", columns) + "\n")
	w.tight = true
}

// code writes a fenced block with the text as it is.
func (w *writer) code(language, text string) {
	text = strings.TrimRight(text, "\n")
	if strings.TrimSpace(text) == "" {
		return
	}
	fence := strings.Repeat("`", max(3, longestRun(text, '`')+1))
	w.block()
	w.write(fence + language + "\n" + text + "\n" + fence + "\n")
}

// longestRun returns how often b stands in a row in s, at most.
func longestRun(s string, b byte) int {
	longest, run := 0, 0
	for i := range len(s) {
		if run++; s[i] != b {
			run = 0
		}
		longest = max(longest, run)
	}
	return longest
}

// block ends the block before with a blank line.
func (w *writer) block() {
	if w.text.Len() > 0 && !strings.HasSuffix(w.text.String()[max(0, w.text.Len()-2):], "\n\n") {
		w.write("\n")
	}
	w.tight = false
}

func (w *writer) write(s string) {
	if w.full || w.text.Len()+len(s) > maxText {
		w.full = true
		return
	}
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\uFFFD")
	}
	w.text.WriteString(s)
}

// content returns what was written, with the parts.
func (w *writer) content() (Content, error) {
	if w.full {
		return Content{}, ErrTooMuchText
	}
	text := strings.TrimRight(w.text.String(), "\n")
	if strings.TrimSpace(text) == "" {
		return Content{}, ErrNoText
	}
	parts := w.parts
	for len(parts) > 0 && parts[len(parts)-1].Start > len(text) { // nothing followed
		parts = parts[:len(parts)-1]
	}
	return Content{Text: text + "\n", Form: Markdown, Parts: parts}, nil
}

// oneLine returns s with every run of white space turned into one space.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
