package html

import (
	"bytes"
	"strings"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"golang.org/x/net/html"

	"vademecum/docs/extract/markdown"
)

const (
	maxPageSpan = 100   // maximum columns of a row, and maximum rows that a cell may span
	maxCellText = 2_000 // maximum bytes in a cell of a data table
)

// isLayout reports whether a table is used for page layout rather than data: it contains tables,
// headings, code or long texts, or has a single row or column.
func isLayout(table *html.Node) bool {
	if role := attributeValue(table, "role"); role == "presentation" || role == "none" {
		return true
	}
	rows, columns := 0, 0
	for e := range table.Descendants() {
		if e.Type != html.ElementNode {
			continue
		}
		switch e.Data {
		case "table", "h1", "h2", "h3", "h4", "h5", "h6", "pre", layoutMark:
			return true
		case "tr":
			rows++
			columns = max(columns, len(rowCells(e)))
		case "td", "th":
			if len(nodeText(e)) > maxCellText {
				return true
			}
		}
	}
	return rows < 2 || columns < 2
}

// layoutMark is the element that replaces a layout table. The converter treats it like a div, and
// isLayout recognises by it that an outer table contains a layout table.
const layoutMark = "section"

// unfoldLayoutTable turns a layout table into blocks: one per row if no cell in the row contains a
// block, otherwise one per cell.
func unfoldLayoutTable(table *html.Node) {
	for n := table.FirstChild; n != nil; n = n.NextSibling {
		for c := n.FirstChild; c != nil && n.Data != "caption"; c = c.NextSibling {
			if isElement(c, "tr") {
				unfoldLayoutRow(c)
			}
		}
		if n.Type == html.ElementNode {
			renameElement(n, "div")
		}
	}
	renameElement(table, layoutMark)
}

func unfoldLayoutRow(tr *html.Node) {
	cells := rowCells(tr)
	name := "span"
	for _, c := range cells {
		if containsBlock(c) {
			name = "div"
		}
	}
	renameElement(tr, "div")
	before := false
	for _, c := range cells {
		renameElement(c, name)
		if name == "div" || !containsText(c) {
			continue
		}
		if before {
			tr.InsertBefore(&html.Node{Type: html.TextNode, Data: " | "}, c)
		}
		before = true
	}
}

func rowCells(tr *html.Node) []*html.Node {
	var cells []*html.Node
	for c := range tr.ChildNodes() {
		if isElement(c, "td") || isElement(c, "th") {
			cells = append(cells, c)
		}
	}
	return cells
}

func containsBlock(n *html.Node) bool {
	for e := range n.Descendants() {
		if e.Type == html.ElementNode && blockElements[e.Data] {
			return true
		}
	}
	return false
}

func containsText(n *html.Node) bool {
	for e := range n.Descendants() {
		if e.Type == html.TextNode && strings.TrimSpace(e.Data) != "" {
			return true
		}
	}
	return false
}

// renderTable writes a data table with one line for each row. Cells that span columns are followed by
// empty cells, so that the columns stay aligned; those that span rows are repeated in each, because a
// row is often read without the rows above it.
func renderTable(ctx converter.Context, w converter.Writer, table *html.Node) converter.RenderStatus {
	var out markdown.Writer
	g := tableGrid{ctx: ctx}
	for e := range table.Descendants() {
		switch {
		case isElement(e, "caption"):
			out.WriteParagraph(markdown.OneLine(g.cellText(e)))
		case isElement(e, "tr") && len(g.rows) == 0 && isTitleRow(e):
			out.WriteParagraph(markdown.OneLine(g.cellText(e)))
		case isElement(e, "tr"):
			g.addRow(e)
		}
	}
	if len(g.rows) > 0 {
		out.WriteTable(g.rows)
	}
	w.WriteString("\n\n")
	w.WriteString(out.Text.String())
	w.WriteString("\n\n")
	return converter.RenderSuccess
}

// isTitleRow reports whether the first row of a table is only a title above its columns, as in
// exported reports.
func isTitleRow(tr *html.Node) bool {
	cells := rowCells(tr)
	return len(cells) == 1 && attributeNumber(cells[0], "colspan", 1) > 1 && attributeNumber(cells[0], "rowspan", 1) == 1
}

// A tableGrid arranges the cells of a table in rows and columns.
type tableGrid struct {
	ctx     converter.Context
	rows    [][]string
	covered []coveringCell // for each column, the cell above that covers further rows
	group   *html.Node     // the group of the last row
}

// A coveringCell is a cell that spans several rows.
type coveringCell struct {
	rowsLeft int
	text     string // what is written in the rows that it covers
}

func (g *tableGrid) cellText(n *html.Node) string {
	var buf bytes.Buffer
	g.ctx.RenderChildNodes(g.ctx, &buf, n)
	return buf.String()
}

func (g *tableGrid) addRow(tr *html.Node) {
	if tr.Parent != g.group { // a cell ends with its group of rows, such as the head of the table
		g.group, g.covered = tr.Parent, nil
	}
	var row []string
	blank := true
	for _, c := range rowCells(tr) {
		row = g.appendCovered(row)
		text := markdown.OneLine(g.cellText(c))
		blank = blank && text == ""
		columns := min(attributeNumber(c, "colspan", 1), maxPageSpan-len(row))
		rows := min(attributeNumber(c, "rowspan", 1), maxPageSpan)
		for row = g.placeCell(row, text, rows); columns > 1; columns-- {
			row = g.placeCell(row, "", rows)
		}
	}
	if row = g.appendCovered(row); !blank {
		g.rows = append(g.rows, row)
	}
}

// placeCell appends a cell to a row, and reserves its column in the rows below that it spans.
func (g *tableGrid) placeCell(row []string, text string, rows int) []string {
	if column := len(row); column < maxPageSpan {
		for len(g.covered) <= column {
			g.covered = append(g.covered, coveringCell{})
		}
		g.covered[column] = coveringCell{rows - 1, markdown.RepeatedCellText(text)}
	}
	return append(row, text)
}

// appendCovered appends the cells of the next columns that cells from rows above cover.
func (g *tableGrid) appendCovered(row []string) []string {
	for len(row) < len(g.covered) && g.covered[len(row)].rowsLeft > 0 {
		above := &g.covered[len(row)]
		above.rowsLeft--
		row = append(row, above.text)
	}
	return row
}
