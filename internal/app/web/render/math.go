package render

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// Formulas are in TeX between dollar signs: $a_1$ inline, $$…$$ on lines of their own. They are
// shown as source, and their characters are not parsed as Markdown.

// mostFormula is how far, in bytes, the end of a formula is searched for.
const mostFormula = 4000

// formula is a Markdown node for an inline formula.
type formula struct {
	ast.BaseInline
	inner text.Segment
}

var kindFormula = ast.NewNodeKind("Formula")

func (*formula) Kind() ast.NodeKind        { return kindFormula }
func (f *formula) Dump(src []byte, at int) { ast.DumpHelper(f, src, at, nil, nil) }

// formulaParser parses inline formulas. As in Pandoc, a formula neither begins nor ends with a
// space and is not followed by a digit: the dollar signs may otherwise be those of prices.
type formulaParser struct{}

func (formulaParser) Trigger() []byte { return []byte{'$'} }

func (formulaParser) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, segment := block.PeekLine()
	marks := bytes.TrimLeft(line, "$")
	sign := line[:len(line)-len(marks)]
	before := block.PrecendingCharacter()
	if len(sign) > 2 || isASCIIWord(before) || before == '$' {
		return nil
	}
	end := formulaEnd(marks[:min(len(marks), mostFormula)], sign)
	if end < 0 {
		return nil
	}
	inner := marks[:end]
	after := marks[end+len(sign):]
	isPadded := isBlank(inner[0]) || isBlank(inner[end-1])
	if len(sign) == 1 && (isPadded || len(after) > 0 && '0' <= after[0] && after[0] <= '9') {
		return nil
	}
	start := segment.Start + len(sign)
	block.Advance(2*len(sign) + end)
	return &formula{inner: text.NewSegment(start, start+end)}
}

// formulaEnd returns the offset in inner of the sign that ends a formula, which is neither escaped
// nor at the beginning; -1 if there is none.
func formulaEnd(inner, sign []byte) int {
	for at := 0; at < len(inner); at++ {
		switch {
		case inner[at] == '\\':
			at++
		case inner[at] != '$':
		case at > 0 && bytes.HasPrefix(inner[at:], sign):
			return at
		default:
			return -1
		}
	}
	return -1
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' }

// formulaBlock is a Markdown node for a formula on lines of its own.
type formulaBlock struct {
	ast.BaseBlock
	isOneLine bool
}

var kindFormulaBlock = ast.NewNodeKind("FormulaBlock")

func (*formulaBlock) Kind() ast.NodeKind        { return kindFormulaBlock }
func (*formulaBlock) IsRaw() bool               { return true }
func (f *formulaBlock) Dump(src []byte, at int) { ast.DumpHelper(f, src, at, nil, nil) }

// formulaBlockParser parses formulas on lines of their own: the first line begins with $$, the last
// one ends with it, and none is empty.
type formulaBlockParser struct{}

var blockSign = []byte("$$")

func (formulaBlockParser) Trigger() []byte { return []byte{'$'} }

func (formulaBlockParser) Open(_ ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, segment := reader.PeekLine()
	at := pc.BlockOffset()
	if at < 0 || !bytes.HasPrefix(line[at:], blockSign) || segment.Padding > 0 {
		return nil, parser.NoChildren
	}
	f := &formulaBlock{}
	first := bytes.TrimRight(line[at+2:], " \t\n")
	start := segment.Start + at + 2
	if end := bytes.Index(first, blockSign); end >= 0 {
		if end == 0 || end+2 != len(first) {
			return nil, parser.NoChildren
		}
		f.isOneLine = true
		f.Lines().Append(text.NewSegment(start, start+end))
		return f, parser.NoChildren
	}
	if !endsSoon(reader.Source()[segment.Stop:]) {
		return nil, parser.NoChildren
	}
	if len(first) > 0 {
		f.Lines().Append(text.NewSegment(start, start+len(first)))
	}
	return f, parser.NoChildren
}

// endsSoon reports whether a line ends with $$ before the first empty line.
func endsSoon(rest []byte) bool {
	for line := range bytes.Lines(rest[:min(len(rest), mostFormula)]) {
		line = bytes.TrimRight(line, " \t\n")
		if bytes.HasSuffix(line, blockSign) {
			return true
		}
		if len(bytes.TrimLeft(line, "> \t")) == 0 {
			return false
		}
	}
	return false
}

func (formulaBlockParser) Continue(node ast.Node, reader text.Reader, _ parser.Context) parser.State {
	f := node.(*formulaBlock)
	_, segment := reader.PeekLine()
	inner := bytes.TrimRight(reader.Source()[segment.Start:segment.Stop], " \t\n")
	if f.isOneLine || len(inner) == 0 {
		return parser.Close
	}
	inner, isLast := bytes.CutSuffix(inner, blockSign)
	if len(bytes.TrimSpace(inner)) > 0 {
		f.Lines().Append(text.NewSegment(segment.Start, segment.Start+len(inner)))
	}
	reader.AdvanceToEOL()
	if isLast {
		return parser.Close
	}
	return parser.Continue | parser.NoChildren
}

func (formulaBlockParser) Close(ast.Node, text.Reader, parser.Context) {}

func (formulaBlockParser) CanInterruptParagraph() bool { return true }
func (formulaBlockParser) CanAcceptIndentedLine() bool { return false }

// diagrams are the languages of code blocks from which other programs draw diagrams.
var diagrams = []string{"mermaid", "plantuml", "puml", "dot", "graphviz"}
