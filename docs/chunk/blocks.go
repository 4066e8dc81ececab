package chunk

import (
	"strings"
	"unicode"

	"vademecum/docs/text"
)

// A blockKind determines how a block is joined with others and split.
type blockKind uint8

const (
	prose   blockKind = iota // split at sentences
	list                     // split at items
	rows                     // tables and code: split at lines
	heading                  // belongs to the text that follows; blocks are not joined across it
	matter                   // front matter: belongs to the text that follows
)

// A block is a range of whole lines that belong together. The blocks of a text omit only blank
// lines.
type block struct {
	kind       blockKind
	level      int    // level of a heading: a smaller level contains the larger ones
	title      string // title of a heading
	start, end int    // byte range, from a line's start to a line's end without its terminator
}

// appendBlock appends b to blocks after extending it to end and trimming blank lines at both ends. It
// appends nothing if all lines are blank.
func appendBlock(blocks []block, src string, b block, end int) []block {
	b.start, b.end = text.TrimBlankLines(src, b.start, end)
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
	open   block // the block being collected; valid only if isOpen
	isOpen bool
}

// maxBlocks is the number of blocks after which the rest of a text is a single
// one.
const maxBlocks = 1 << 20

func newBlockCollector(src string) blockCollector {
	return blockCollector{src: src, lines: lineScanner{text: src}, blocks: []block{}}
}

// nextLine returns the next line. ok is false at the end of the text, or if there are too many
// blocks.
func (c *blockCollector) nextLine() (start, end int, ok bool) {
	if len(c.blocks) >= maxBlocks {
		return 0, 0, false
	}
	return c.lines.next()
}

// finishBlocks returns the blocks, with the unread rest of the text as the last one.
func (c *blockCollector) finishBlocks() []block {
	c.closeBlock()
	return appendBlock(c.blocks, c.src, block{start: c.lines.pos}, len(c.src))
}

// beginBlock closes the open block and opens one that begins at start.
func (c *blockCollector) beginBlock(k blockKind, start int) {
	c.closeBlock()
	c.open, c.isOpen = block{kind: k, start: start, end: start}, true
}

// emitBlock closes the open block and appends b.
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

// cutIndent returns the column at which the text of a non-blank line begins, and the line without
// surrounding white space.
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
