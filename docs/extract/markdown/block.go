package markdown

import (
	"strings"

	"vademecum/docs/extract"
	"vademecum/internal/base/lazyregexp"
)

// A Block is a paragraph, heading, list item or table that has been read but not written yet: the
// blocks in table cells wait until the whole table has been read.
type Block struct {
	Kind            BlockKind
	Level           int    // level of a heading, from 1, or of a list item, from 0
	Marker          string // marker of a list item, or number before a heading or paragraph
	Text            string
	Rows            [][]string
	IsInlineFormula bool // whether it is a formula that belongs into the paragraph around it
}

// A BlockKind decides how a block is written.
type BlockKind uint8

// Kinds of blocks.
const (
	Paragraph BlockKind = iota
	Heading
	ListItem
	Table
	ConvertedMarkdown // Markdown already, which is written unchanged
)

// MaxHeadingBytes is the length in bytes from which a heading is written as a paragraph.
const MaxHeadingBytes = 400

// Write writes the block with w, according to its kind.
func (b *Block) Write(w *Writer) {
	switch {
	case b.Kind == Heading && len(b.Text) < MaxHeadingBytes:
		w.WriteHeading(b.Level, joinMarker(b.Marker, b.Text))
	case b.Kind == ListItem:
		w.WriteListItem(b.Level, b.Marker, b.Text)
	case b.Kind == Table:
		w.WriteTable(b.Rows)
	case b.Kind == ConvertedMarkdown:
		w.writeConverted(b.Text)
	default:
		w.WriteParagraph(joinMarker(b.Marker, b.Text))
	}
}

// oneLine returns the text of a block on one line, for a table cell.
func (b *Block) oneLine() string {
	if b.Kind == ListItem && b.Marker == Bullet {
		return b.Text
	}
	return joinMarker(b.Marker, b.Text)
}

// MemorySize returns the number of bytes that the block counts towards the limit on text in memory.
func (b *Block) MemorySize() int {
	n := len(b.Marker) + len(b.Text)
	for _, row := range b.Rows {
		for _, c := range row {
			n += len(c) + extract.CellOverheadBytes
		}
	}
	return n
}

// LabelFirstBlock returns blocks with a label before the text of the first one.
func LabelFirstBlock(label string, blocks []Block) []Block {
	if len(blocks) == 0 {
		return nil
	}
	if first := &blocks[0]; first.Kind == Paragraph {
		first.Text = label + first.Text
		return blocks
	}
	return append([]Block{{Text: label}}, blocks...)
}

// Bullet is the marker of an unnumbered list item.
const Bullet = "-"

// generatedAltNote matches what Office appends to alternative texts that it generates.
var generatedAltNote = lazyregexp.New(`(?i)\s*\bdescription (automatically )?generated( with [a-z ]*confidence)?\.?\s*$`)

// CleanAltText returns the alternative text of a picture on one line, without the note of Office
// that it was generated.
func CleanAltText(text string) string { return OneLine(generatedAltNote.ReplaceAllString(text, "")) }

func joinMarker(marker, text string) string {
	if marker == "" || text == "" {
		return text
	}
	return marker + " " + text
}

// A TableBuilder collects the rows and cells of a table while it is read.
type TableBuilder struct {
	rows     [][]Cell
	isMerged map[[2]int]bool // row and column of the cells that belong to the one above
}

// A Cell is the content of a table cell.
type Cell []Block

// MaxColumnSpan is the maximum number of columns that a table cell may span.
const MaxColumnSpan = 64

// maxRepeatedCell is the maximum length in bytes of a text that is repeated in each row that its cell spans:
// longer ones are remarks rather than names.
const maxRepeatedCell = 120

// RepeatedCellText returns what is written of a cell in the further rows that it spans: its text, so that
// each row says to what it belongs, or nothing if it is long.
func RepeatedCellText(text string) string {
	if len(text) > maxRepeatedCell {
		return ""
	}
	return text
}

// BeginRow begins the next row.
func (g *TableBuilder) BeginRow() { g.rows = append(g.rows, nil) }

// DropRow removes the last row of the table.
func (g *TableBuilder) DropRow() {
	last := len(g.rows) - 1
	for column := range g.rows[last] {
		delete(g.isMerged, [2]int{last, column})
	}
	g.rows = g.rows[:last]
}

// AddMergedCell adds a cell that belongs to the one above it, like AddCell.
func (g *TableBuilder) AddMergedCell(columnSpan int) {
	g.AddCell(nil, columnSpan)
	if g.isMerged == nil {
		g.isMerged = make(map[[2]int]bool)
	}
	row := len(g.rows) - 1
	g.isMerged[[2]int{row, len(g.rows[row]) - min(max(columnSpan, 1), MaxColumnSpan)}] = true
}

// AddCell adds a cell that spans a number of columns to the last row: empty cells follow it.
func (g *TableBuilder) AddCell(c Cell, columnSpan int) {
	if len(g.rows) == 0 {
		g.BeginRow()
	}
	last := &g.rows[len(g.rows)-1]
	*last = append(*last, c)
	for range min(columnSpan, MaxColumnSpan) - 1 {
		*last = append(*last, nil)
	}
}

// Blocks returns the table as a single block. For a layout table, which has a single cell or
// contains another table, it returns the blocks in the cells instead.
func (g *TableBuilder) Blocks() []Block {
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
	return []Block{{Kind: Table, Rows: g.textRows()}}
}

// textRows returns the texts of the cells row by row, without blank rows. A cell that spans several
// rows is repeated in each.
func (g *TableBuilder) textRows() [][]string {
	var rows [][]string
	var above []string
	for n, row := range g.rows {
		line, blank := make([]string, len(row)), true
		for i, c := range row {
			line[i] = c.oneLine()
			blank = blank && line[i] == ""
			if g.isMerged[[2]int{n, i}] && i < len(above) {
				line[i] = RepeatedCellText(above[i])
			}
		}
		above = line
		if !blank {
			rows = append(rows, line)
		}
	}
	return rows
}

func (c Cell) oneLine() string {
	if len(c) == 1 {
		return c[0].oneLine()
	}
	var s []byte
	for i := range c {
		if i > 0 {
			s = append(s, ' ')
		}
		s = append(s, c[i].oneLine()...)
	}
	return string(s)
}

// BlockLineBuilder collects the texts of blocks as lines without markup.
type BlockLineBuilder struct{ strings.Builder }

// AddBlock adds the rows of a table, or any other block, as one line each.
func (l *BlockLineBuilder) AddBlock(b Block) {
	for _, row := range b.Rows {
		l.addLine(strings.Join(row, " "))
	}
	l.addLine(b.oneLine())
}

func (l *BlockLineBuilder) addLine(s string) {
	if strings.TrimSpace(s) != "" {
		l.WriteString(s)
		l.WriteByte('\n')
	}
}

var atxHeading = lazyregexp.New(`(?m)^#{1,6}[ \t]+(.+?)[ \t#]*$`)

// firstHeading returns the text of the first heading of a Markdown text, or "".
func firstHeading(text string) string {
	if m := atxHeading.FindStringSubmatch(text); m != nil {
		return OneLine(m[1])
	}
	return ""
}
