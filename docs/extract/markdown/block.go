package markdown

import (
	"regexp"
	"strings"

	"vademecum/docs/extract"
)

// A Block is a paragraph, heading, list item or table of a document, not yet
// written: those in the cells of a table wait until all of it is known.
type Block struct {
	Kind   Kind
	Level  int    // of a heading, from 1, or of an item, from 0
	Marker string // of an item, or the number of a heading
	Text   string
	Rows   [][]string
	Inline bool // a formula, which belongs into the paragraph around it
}

// A Kind says what a block is.
type Kind uint8

// The kinds of blocks.
const (
	Paragraph Kind = iota
	Heading
	Item
	Table
)

// LongHeading is the length in bytes from which a heading is a paragraph that
// only looks like one.
const LongHeading = 400

// Write writes the block.
func (b *Block) Write(w *Writer) {
	switch {
	case b.Kind == Heading && len(b.Text) < LongHeading:
		w.Heading(b.Level, joined(b.Marker, b.Text))
	case b.Kind == Item:
		w.Item(b.Level, b.Marker, b.Text)
	case b.Kind == Table:
		w.Table(b.Rows)
	default:
		w.Paragraph(joined(b.Marker, b.Text))
	}
}

// line returns the text of a block in one cell of a table.
func (b *Block) line() string {
	if b.Kind == Item && b.Marker == Bullet {
		return b.Text
	}
	return joined(b.Marker, b.Text)
}

// Size returns how much the block counts of the text that is held.
func (b *Block) Size() int {
	n := len(b.Marker) + len(b.Text)
	for _, row := range b.Rows {
		for _, c := range row {
			n += len(c) + extract.CellCost
		}
	}
	return n
}

// Labelled puts a label before the first of some blocks.
func Labelled(label string, blocks []Block) []Block {
	if len(blocks) == 0 {
		return nil
	}
	if first := &blocks[0]; first.Kind == Paragraph {
		first.Text = label + first.Text
		return blocks
	}
	return append([]Block{{Text: label}}, blocks...)
}

// Bullet is the marker of an item without a number.
const Bullet = "-"

// captionNote is what Office adds to the alternative texts that it makes up.
var captionNote = regexp.MustCompile(`(?i)\s*\bdescription (automatically )?generated( with [a-z ]*confidence)?\.?\s*$`)

// Caption returns the alternative text of a picture on one line.
func Caption(text string) string { return OneLine(captionNote.ReplaceAllString(text, "")) }

func joined(marker, text string) string {
	if marker == "" || text == "" {
		return text
	}
	return marker + " " + text
}

// A Grid is a table while it is read.
type Grid struct {
	rows [][]Cell
}

// A Cell is what one cell of a table holds.
type Cell []Block

// MaxSpan is how many columns one cell covers at most.
const MaxSpan = 64

// Row begins the next row.
func (g *Grid) Row() { g.rows = append(g.rows, nil) }

// DropRow takes the last row away.
func (g *Grid) DropRow() { g.rows = g.rows[:len(g.rows)-1] }

// Cell adds a cell that covers span columns to the last row.
func (g *Grid) Cell(c Cell, span int) {
	if len(g.rows) == 0 {
		g.Row()
	}
	last := &g.rows[len(g.rows)-1]
	*last = append(*last, c)
	for range min(span, MaxSpan) - 1 {
		*last = append(*last, nil)
	}
}

// Blocks returns the table, or, where it only serves the layout, what its
// cells hold: it does if there is but one, or one holds a table.
func (g *Grid) Blocks() []Block {
	var all []Block
	cells, layout := 0, false
	for _, row := range g.rows {
		for _, c := range row {
			cells++
			for _, b := range c {
				layout = layout || b.Kind == Table
			}
			all = append(all, c...)
		}
	}
	if cells == 1 || layout || len(all) == 0 {
		return all
	}
	return []Block{{Kind: Table, Rows: g.lines()}}
}

// lines returns the text of each cell, without rows that have none.
func (g *Grid) lines() [][]string {
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

func (c Cell) line() string {
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

// Lines collects blocks as lines.
type Lines struct{ strings.Builder }

// Add adds the rows of a table, or the one line of another block.
func (l *Lines) Add(b Block) {
	for _, row := range b.Rows {
		l.line(strings.Join(row, " "))
	}
	l.line(b.line())
}

func (l *Lines) line(s string) {
	if strings.TrimSpace(s) != "" {
		l.WriteString(s)
		l.WriteByte('\n')
	}
}

var atxHeading = regexp.MustCompile(`(?m)^#{1,6}[ \t]+(.+?)[ \t#]*$`)

// firstHeading returns the text of the first heading in Markdown, or "".
func firstHeading(text string) string {
	if m := atxHeading.FindStringSubmatch(text); m != nil {
		return OneLine(m[1])
	}
	return ""
}
