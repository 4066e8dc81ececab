package manual

import (
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	tables "github.com/yuin/goldmark/extension/ast"

	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
)

// Text returns a topic as text for a terminal with a number of columns; "" if there is no such
// topic.
func Text(topic string, l message.Language, columns int) string {
	source := Markdown(topic, l)
	w := writer{source: source, columns: columns, isChinese: l == message.Chinese}
	w.writeBlocks(parseMarkdown(source))
	return strings.TrimPrefix(w.out.String(), "\n")
}

// writer writes Markdown as plain text.
type writer struct {
	source    []byte
	columns   int
	isChinese bool
	out       strings.Builder
}

// writeBlocks writes the blocks in a node, with an empty line before each.
func (w *writer) writeBlocks(parent ast.Node) {
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.Heading:
			w.writeHeading(n)
		case *ast.List:
			w.writeList(n)
		case *tables.Table:
			w.writeTable(n)
		case *ast.FencedCodeBlock:
			w.writeCode(n)
		default:
			if line := plainText(n, w.source); line != "" {
				w.out.WriteString("\n" + present.Wrap(line, w.columns))
			}
		}
	}
}

func (w *writer) writeHeading(n *ast.Heading) {
	line, under := plainText(n, w.source), "-"
	if n.Level == 1 {
		under = "="
	}
	w.out.WriteString("\n" + present.Wrap(line, w.columns) + strings.Repeat(under, min(present.DisplayWidth(line), w.columns)) + "\n")
}

// writeCode writes the lines of a code block unchanged, so that they can be copied.
func (w *writer) writeCode(n ast.Node) {
	w.out.WriteByte('\n')
	for i := range n.Lines().Len() {
		line := n.Lines().At(i)
		w.out.WriteString("    " + string(line.Value(w.source)))
	}
}

func (w *writer) writeList(n *ast.List) {
	w.out.WriteByte('\n')
	number := n.Start
	for item := n.FirstChild(); item != nil; item = item.NextSibling() {
		mark := "- "
		if n.IsOrdered() {
			mark = strconv.Itoa(number) + ". "
			number++
		}
		for block := item.FirstChild(); block != nil; block = block.NextSibling() {
			w.writeHanging(mark, plainText(block, w.source))
			mark = strings.Repeat(" ", len(mark))
		}
	}
}

// writeHanging writes a paragraph with a mark before it and its further lines indented to the
// first.
func (w *writer) writeHanging(mark, text string) {
	wrapped := present.Wrap(text, w.columns-len(mark))
	for line := range strings.Lines(wrapped) {
		w.out.WriteString(mark + line)
		mark = strings.Repeat(" ", len(mark))
	}
}

// writeTable writes a table in columns if the terminal is wide enough, otherwise each row as a
// list.
func (w *writer) writeTable(n *tables.Table) {
	var rows [][]string
	widths := make([]int, len(n.Alignments))
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		var cells []string
		for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
			text := plainText(cell, w.source)
			widths[len(cells)] = max(widths[len(cells)], present.DisplayWidth(text))
			cells = append(cells, text)
		}
		rows = append(rows, cells)
	}
	all := -gap
	for _, width := range widths {
		all += width + gap
	}
	w.out.WriteByte('\n')
	if all <= w.columns {
		w.writeColumns(rows, widths)
		return
	}
	for _, row := range rows[1:] {
		w.writeRowAsList(rows[0], row)
	}
}

// gap is the number of spaces between two columns of a table.
const gap = 3

func (w *writer) writeColumns(rows [][]string, widths []int) {
	for _, row := range rows {
		line := ""
		for i, cell := range row {
			line += cell + strings.Repeat(" ", widths[i]-present.DisplayWidth(cell)+gap)
		}
		w.out.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}

// writeRowAsList writes the first cell of a row, and below it the others, each labelled with the
// head of its column if there are several.
func (w *writer) writeRowAsList(head, row []string) {
	w.out.WriteString(present.Wrap(row[0], w.columns))
	for i, cell := range row[1:] {
		if len(row) > 2 {
			colon := ": "
			if w.isChinese {
				colon = "："
			}
			cell = head[i+1] + colon + cell
		}
		w.writeHanging("    ", cell)
	}
}
