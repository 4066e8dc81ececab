package chunk

import (
	"strings"
	"unicode"

	"vademecum/docs/text"
)

// A kind says how a block is joined to others and split.
type kind uint8

const (
	prose   kind = iota // split at sentences
	list                // split at items
	rows                // tables and code: split at lines
	heading             // goes with what follows; nothing is joined across it
	matter              // front matter: goes with what follows
)

// A block is a stretch of whole lines that belongs together. The blocks of a
// text leave out nothing of it but blank lines.
type block struct {
	kind       kind
	level      int    // of a heading: the smaller contains the larger
	title      string // of a heading
	start, end int    // byte range, from a line's start to a line's end without its terminator
}

// appendBlock appends b with the lines up to end that are not blank.
func appendBlock(blocks []block, src string, b block, end int) []block {
	b.start, b.end = text.TrimBlank(src, b.start, end)
	if b.start == b.end {
		return blocks
	}
	return append(blocks, b)
}

// A collector collects the lines of a text into blocks.
type collector struct {
	src    string
	lines  lineScanner
	blocks []block
	open   block // the kind is 0 if there is none
	isOpen bool
}

// maxBlocks is the number of blocks after which the rest of a text is a single
// one.
const maxBlocks = 1 << 20

func newCollector(src string) collector {
	return collector{src: src, lines: lineScanner{text: src}, blocks: []block{}}
}

// next returns the next line, if there is one and room for its block.
func (c *collector) next() (start, end int, ok bool) {
	if len(c.blocks) >= maxBlocks {
		return 0, 0, false
	}
	return c.lines.next()
}

// finish returns the blocks, with what has not been read as the last one.
func (c *collector) finish() []block {
	c.close()
	return appendBlock(c.blocks, c.src, block{start: c.lines.pos}, len(c.src))
}

// begin closes the open block and opens one that begins at start.
func (c *collector) begin(k kind, start int) {
	c.close()
	c.open, c.isOpen = block{kind: k, start: start, end: start}, true
}

// emit closes the open block and adds b.
func (c *collector) emit(b block) {
	c.close()
	c.blocks = appendBlock(c.blocks, c.src, b, b.end)
}

func (c *collector) close() {
	if c.isOpen {
		c.blocks = appendBlock(c.blocks, c.src, c.open, c.open.end)
	}
	c.open, c.isOpen = block{}, false
}

// cutIndent returns the column at which a line that is not blank begins, and
// the line without the white space around it.
func cutIndent(line string) (column int, text string) {
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case ' ':
			column++
		case '\t':
			column += 8 - column%8
		default:
			return column, strings.TrimRightFunc(line[i:], unicode.IsSpace)
		}
	}
	return column, ""
}
