package html

import (
	"bytes"
	"strings"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"golang.org/x/net/html"

	"vademecum/docs/extract/markdown"
)

const (
	maxPageSpan = 100   // columns or rows that a cell may take
	maxCellText = 2_000 // bytes in a cell of data
)

// isLayout reports whether a table arranges a page instead of data: it holds
// other tables, headings, code or long texts, or has a single row or column.
func isLayout(table *html.Node) bool {
	if role := attribute(table, "role"); role == "presentation" || role == "none" {
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
			columns = max(columns, len(cellsOf(e)))
		case "td", "th":
			if len(textOf(e)) > maxCellText {
				return true
			}
		}
	}
	return rows < 2 || columns < 2
}

// layoutMark is the element that a table for layout becomes. The converter
// takes it for what div is, and the tables around it know it.
const layoutMark = "section"

// unfold turns a table for layout into blocks, one for each cell, or one for
// a row whose cells are short of blocks.
func unfold(table *html.Node) {
	for n := table.FirstChild; n != nil; n = n.NextSibling {
		for c := n.FirstChild; c != nil && n.Data != "caption"; c = c.NextSibling {
			if isElement(c, "tr") {
				unfoldRow(c)
			}
		}
		if n.Type == html.ElementNode {
			rename(n, "div")
		}
	}
	rename(table, layoutMark)
}

func unfoldRow(tr *html.Node) {
	cells := cellsOf(tr)
	name := "span"
	for _, c := range cells {
		if holdsBlock(c) {
			name = "div"
		}
	}
	rename(tr, "div")
	before := false
	for _, c := range cells {
		rename(c, name)
		if name == "div" || !holdsText(c) {
			continue
		}
		if before {
			tr.InsertBefore(&html.Node{Type: html.TextNode, Data: " | "}, c)
		}
		before = true
	}
}

func cellsOf(tr *html.Node) []*html.Node {
	var cells []*html.Node
	for c := range tr.ChildNodes() {
		if isElement(c, "td") || isElement(c, "th") {
			cells = append(cells, c)
		}
	}
	return cells
}

func holdsBlock(n *html.Node) bool {
	for e := range n.Descendants() {
		if e.Type == html.ElementNode && blockElements[e.Data] {
			return true
		}
	}
	return false
}

func holdsText(n *html.Node) bool {
	for e := range n.Descendants() {
		if e.Type == html.TextNode && strings.TrimSpace(e.Data) != "" {
			return true
		}
	}
	return false
}

// renderTable writes a table of data with one line for each row. Cells that
// take several columns or rows are followed by empty ones, so that columns
// stay what they are.
func renderTable(ctx converter.Context, w converter.Writer, table *html.Node) converter.RenderStatus {
	var out markdown.Writer
	g := pageGrid{ctx: ctx}
	for e := range table.Descendants() {
		switch {
		case isElement(e, "caption"):
			out.WriteParagraph(markdown.OneLine(g.text(e)))
		case isElement(e, "tr"):
			g.add(e)
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

// A pageGrid is the cells of a table by rows and columns.
type pageGrid struct {
	ctx  converter.Context
	rows [][]string
	held []int // for each column, the rows that a cell above still takes
}

func (g *pageGrid) text(n *html.Node) string {
	var buf bytes.Buffer
	g.ctx.RenderChildNodes(g.ctx, &buf, n)
	return buf.String()
}

func (g *pageGrid) add(tr *html.Node) {
	var row []string
	blank := true
	for _, c := range cellsOf(tr) {
		for g.hold(len(row)) {
			row = append(row, "")
		}
		text := markdown.OneLine(g.text(c))
		blank = blank && text == ""
		columns := min(attributeNumber(c, "colspan", 1), maxPageSpan-len(row))
		rows := min(attributeNumber(c, "rowspan", 1), maxPageSpan)
		for row = g.place(row, text, rows); columns > 1; columns-- {
			row = g.place(row, "", rows)
		}
	}
	for g.hold(len(row)) {
		row = append(row, "")
	}
	if !blank {
		g.rows = append(g.rows, row)
	}
}

// place adds a cell to a row and keeps its place in the rows below.
func (g *pageGrid) place(row []string, text string, rows int) []string {
	if column := len(row); column < maxPageSpan {
		for len(g.held) <= column {
			g.held = append(g.held, 0)
		}
		g.held[column] = rows - 1
	}
	return append(row, text)
}

// hold reports whether a cell above takes this place.
func (g *pageGrid) hold(column int) bool {
	if column >= len(g.held) || g.held[column] <= 0 {
		return false
	}
	g.held[column]--
	return true
}
