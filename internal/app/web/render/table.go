package render

import (
	"encoding/csv"
	"errors"
	"io"
	"strconv"
	"strings"
)

// openTable begins a table that scrolls on its own, with a sticky header.
func (w *writer) openTable(class string) {
	w.writeMarkup(`<div class="`, class, `" tabindex="0"><table><thead>`, "\n")
}

func (w *writer) closeTable(hasBody bool) {
	if hasBody {
		w.writeMarkup("</tbody></table></div>\n")
		return
	}
	w.writeMarkup("</thead></table></div>\n")
}

// writeTableRow writes a table row. name is the HTML element of its cells.
func (w *writer) writeTableRow(name string, cells []cell, isMarkdown bool) {
	w.writeMarkup("<tr>")
	for _, c := range cells[:min(len(cells), mostColumns)] {
		w.writeMarkup("<", name)
		w.writePosition(c.From, c.To, "")
		w.writeMarkup(">")
		if c.words != "" {
			w.writeAnchorsUpTo(c.To)
			w.writeWords(c.words)
		} else {
			w.writeText(c.From, c.To, isMarkdown)
		}
		w.writeMarkup("</", name, ">")
	}
	if len(cells) > mostColumns {
		more := "…"
		if n := len(cells) - mostColumns; name == "th" {
			more += " +" + strconv.Itoa(n)
		}
		w.writeMarkup("<", name, ">", more, "</", name, ">")
	}
	w.writeMarkup("</tr>\n")
}

// cell is a table cell: its range in Body, and its text if that is not the text of the range.
type cell struct {
	Range
	words string
}

// writeDelimitedTable writes comma- or tab-separated values as a table. Its header is the first
// line of Body, even if the range to be rendered begins later.
func (w *writer) writeDelimitedTable() {
	separator := separatorOf(w.Body, w.Language)
	w.writeDivisionsUpTo(w.From + 1)
	w.openTable("table sheet")
	head := strings.IndexByte(w.Body+"\n", '\n')
	from := w.From
	if from == 0 {
		from = min(head+1, w.To)
	}
	isNumbered, passage := w.HasLineNumbers, w.CitedRange
	if w.From > 0 { // the header is not part of the range
		w.HasLineNumbers, w.CitedRange = false, Range{}
	}
	eachRecord(w.Body[:min(head+1, len(w.Body))], 0, separator, func(cells []cell) { w.writeTableRow("th", cells, false) })
	w.HasLineNumbers, w.CitedRange = isNumbered, passage
	if w.From > 0 {
		w.lastID = 0
	}
	w.writeMarkup("</thead><tbody>\n")
	eachRecord(w.Body[from:w.To], from, separator, func(cells []cell) { w.writeTableRow("td", cells, false) })
	w.closeTable(true)
}

// separatorOf returns the separator of values: a tab in a TSV file, otherwise a semicolon or comma,
// whichever is more frequent in the first line.
func separatorOf(text, language string) rune {
	line, _, _ := strings.Cut(text, "\n")
	switch {
	case language == "tsv":
		return '\t'
	case strings.Count(line, ";") > strings.Count(line, ","):
		return ';'
	}
	return ','
}

// eachRecord calls of with the cells of each record of a text that begins at the offset base of
// Body.
func eachRecord(text string, base int, separator rune, of func([]cell)) {
	r := csv.NewReader(strings.NewReader(text))
	r.Comma, r.LazyQuotes, r.FieldsPerRecord, r.ReuseRecord = separator, true, -1, true
	starts := lineStarts(text)
	for {
		fields, err := r.Read()
		if errors.Is(err, io.EOF) || err != nil && fields == nil {
			return
		}
		cells := make([]cell, 0, len(fields))
		for i, field := range fields {
			if i > mostColumns {
				cells = append(cells, cell{}) // only counted
				continue
			}
			line, column := r.FieldPos(i)
			at := starts[line-1] + column - 1
			c := cell{Range{base + at, base + at + len(field)}, ""}
			if !strings.HasPrefix(text[at:], field) {
				c.words = field // the field is quoted
				if strings.HasPrefix(text[at:], `"`+field) {
					c = cell{Range{base + at + 1, base + at + 1 + len(field)}, ""}
				}
			}
			cells = append(cells, c)
		}
		of(cells)
	}
}

// writePlainTable writes a Markdown table that is too large to be parsed by splitting its rows at
// the bars.
func (w *writer) writePlainTable(rows []Range) {
	w.openTable("table")
	for i, row := range rows {
		switch name := "td"; {
		case i == 1: // the line between header and rows
			w.writeMarkup("</thead><tbody>\n")
		default:
			if i == 0 {
				name = "th"
			}
			w.writeTableRow(name, markdownCells(w.Body, row), true)
		}
	}
	w.closeTable(len(rows) > 1)
}

// markdownCells returns the cells of a row of a Markdown table.
func markdownCells(body string, row Range) (cells []cell) {
	text := strings.TrimRight(body[row.From:row.To], " \t\n")
	at := 0
	if strings.HasPrefix(text, "|") {
		at = 1
	}
	for at < len(text) {
		end := at
		for end < len(text) && text[end] != '|' {
			if text[end] == '\\' {
				end++
			}
			end++
		}
		end = min(end, len(text))
		inner := text[at:end]
		from := at + len(inner) - len(strings.TrimLeft(inner, " \t"))
		to := max(from, at+len(strings.TrimRight(inner, " \t")))
		cells = append(cells, cell{Range{row.From + from, row.From + to}, ""})
		at = end + 1
	}
	return cells
}
