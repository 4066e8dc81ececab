package render

import (
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// highlighted is a Markdown node for text that its author has highlighted: ==like this==.
type highlighted struct{ ast.BaseInline }

var kindHighlighted = ast.NewNodeKind("Highlighted")

func (*highlighted) Kind() ast.NodeKind        { return kindHighlighted }
func (h *highlighted) Dump(src []byte, at int) { ast.DumpHelper(h, src, at, nil, nil) }

// highlightParser parses highlighted text, in the way in which goldmark's package extension parses
// strikethrough.
type highlightParser struct{}

func (highlightParser) Trigger() []byte { return []byte{'='} }

func (highlightParser) Parse(_ ast.Node, block text.Reader, pc parser.Context) ast.Node {
	before := block.PrecendingCharacter()
	line, segment := block.PeekLine()
	d := parser.ScanDelimiter(line, before, 2, highlightDelimiters{})
	if d == nil || d.OriginalLength != 2 || before == '=' {
		return nil
	}
	// a==b is not a highlight
	if after, _ := utf8.DecodeRune(line[2:]); isASCIIWord(before) && isASCIIWord(after) {
		return nil
	}
	d.Segment = segment.WithStop(segment.Start + d.OriginalLength)
	block.Advance(d.OriginalLength)
	pc.PushDelimiter(d)
	return d
}

func isASCIIWord(r rune) bool {
	return '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
}

// highlightDelimiters implements parser.DelimiterProcessor for the signs of highlighted text.
type highlightDelimiters struct{}

func (highlightDelimiters) IsDelimiter(b byte) bool { return b == '=' }

func (highlightDelimiters) CanOpenCloser(opener, closer *parser.Delimiter) bool {
	return opener.Char == closer.Char
}

func (highlightDelimiters) OnMatch(int) ast.Node { return &highlighted{} }
