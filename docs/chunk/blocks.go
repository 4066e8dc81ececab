package chunk

import (
	"strings"
	"unicode"

	"vademecum/docs/text"
)

// A blockKind defines how a block is joined to others and split.
type blockKind uint8

const (
	prose   blockKind = iota // split at sentences
	list                     // split at items
	rows                     // tables and code: split at lines
	heading                  // belongs to what follows; blocks are not joined across it
	matter                   // front matter: belongs to what follows
)

// A block is a range of whole lines that belong together. The blocks of a text leave out
// only blank lines.
type block struct {
	kind       blockKind
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

// A blockCollector collects the lines of a text into blocks.
type blockCollector struct {
	src    string
	lines  lineScanner
	blocks []block
	open   block // the kind is 0 if there is none
	isOpen bool
}

// maxBlocks is the number of blocks after which the rest of a text is a single
// one.
const maxBlocks = 1 << 20

func newBlockCollector(src string) blockCollector {
	return blockCollector{src: src, lines: lineScanner{text: src}, blocks: []block{}}
}

// nextLine returns the next line, if there is one, and room for its block.
func (c *blockCollector) nextLine() (start, end int, ok bool) {
	if len(c.blocks) >= maxBlocks {
		return 0, 0, false
	}
	return c.lines.next()
}

// finishBlocks returns the blocks, with what has not been read as the last one.
func (c *blockCollector) finishBlocks() []block {
	c.closeBlock()
	return appendBlock(c.blocks, c.src, block{start: c.lines.pos}, len(c.src))
}

// beginBlock closes the open block and opens one that begins at start.
func (c *blockCollector) beginBlock(k blockKind, start int) {
	c.closeBlock()
	c.open, c.isOpen = block{kind: k, start: start, end: start}, true
}

// emitBlock closes the open block and adds b.
func (c *blockCollector) emitBlock(b block) {
	c.closeBlock()
	c.blocks = appendBlock(c.blocks, c.src, b, b.end)
}

func (c *blockCollector) closeBlock() {
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
