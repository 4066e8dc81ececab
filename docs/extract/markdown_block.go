package extract

import "strings"

// A block is a paragraph, heading, list item or table of a document, not yet
// written: those in the cells of a table wait until all of it is known.
type block struct {
	kind   blockKind
	level  int    // of a heading, from 1, or of an item, from 0
	marker string // of an item, or the number of a heading
	text   string
	rows   [][]string
	inline bool // a formula, which belongs into the paragraph around it
}

type blockKind uint8

const (
	paragraphBlock blockKind = iota
	headingBlock
	itemBlock
	tableBlock
)

// longHeading is the length in bytes from which a heading is a paragraph that
// only looks like one.
const longHeading = 400

func (b *block) write(w *writer) {
	switch {
	case b.kind == headingBlock && len(b.text) < longHeading:
		w.heading(b.level, joined(b.marker, b.text))
	case b.kind == itemBlock:
		w.item(b.level, b.marker, b.text)
	case b.kind == tableBlock:
		w.table(b.rows)
	default:
		w.paragraph(joined(b.marker, b.text))
	}
}

// line returns the text of a block in one cell of a table.
func (b *block) line() string {
	if b.kind == itemBlock && b.marker == bullet {
		return b.text
	}
	return joined(b.marker, b.text)
}

// size returns how much the block counts of the text that is held.
func (b *block) size() int {
	n := len(b.marker) + len(b.text)
	for _, row := range b.rows {
		for _, c := range row {
			n += len(c) + cellCost
		}
	}
	return n
}

const bullet = "-"

// captionNote is what Office adds to the alternative texts that it makes up.
var captionNote = pattern(`(?i)\s*\bdescription (automatically )?generated( with [a-z ]*confidence)?\.?\s*$`)

// caption returns the alternative text of a picture on one line.
func caption(text string) string { return oneLine(captionNote().ReplaceAllString(text, "")) }

func joined(marker, text string) string {
	if marker == "" || text == "" {
		return text
	}
	return marker + " " + text
}

// A grid is a table while it is read.
type grid struct {
	rows [][]gridCell
}

type gridCell []block

const maxSpan = 64 // columns that one cell covers

// row begins the next row.
func (g *grid) row() { g.rows = append(g.rows, nil) }

// dropRow takes the last row away.
func (g *grid) dropRow() { g.rows = g.rows[:len(g.rows)-1] }

// cell adds a cell that covers span columns to the last row.
func (g *grid) cell(c gridCell, span int) {
	if len(g.rows) == 0 {
		g.row()
	}
	last := &g.rows[len(g.rows)-1]
	*last = append(*last, c)
	for range min(span, maxSpan) - 1 {
		*last = append(*last, nil)
	}
}

// blocks returns the table, or, where it only serves the layout, what its
// cells hold: it does if there is but one, or one holds a table.
func (g *grid) blocks() []block {
	var all []block
	cells, layout := 0, false
	for _, row := range g.rows {
		for _, c := range row {
			cells++
			for _, b := range c {
				layout = layout || b.kind == tableBlock
			}
			all = append(all, c...)
		}
	}
	if cells == 1 || layout || len(all) == 0 {
		return all
	}
	return []block{{kind: tableBlock, rows: g.lines()}}
}

// lines returns the text of each cell, without rows that have none.
func (g *grid) lines() [][]string {
	var rows [][]string
	for _, row := range g.rows {
		line, blank := make([]string, len(row)), true
		for i, c := range row {
			line[i] = c.line()
			blank = blank && line[i] == ""
		}
		if !blank {
			rows = append(rows, line)
		}
	}
	return rows
}

func (c gridCell) line() string {
	if len(c) == 1 {
		return c[0].line()
	}
	var s []byte
	for i := range c {
		if i > 0 {
			s = append(s, ' ')
		}
		s = append(s, c[i].line()...)
	}
	return string(s)
}

// blockLines collects blocks as lines.
type blockLines struct{ strings.Builder }

func (l *blockLines) add(b block) {
	for _, row := range b.rows {
		l.line(strings.Join(row, " "))
	}
	l.line(b.line())
}

func (l *blockLines) line(s string) {
	if strings.TrimSpace(s) != "" {
		l.WriteString(s)
		l.WriteByte('\n')
	}
}
