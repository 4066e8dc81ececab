package chunk

import (
	"bytes"
	"slices"
	"strings"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"vademecum/docs/extract"
	"vademecum/docs/meta"
	"vademecum/docs/struck"
	"vademecum/internal/base/lazyregexp"
)

const (
	// maxMarkdown is the length in bytes above which Markdown is read line by
	// line: a syntax tree takes many times the memory of its text.
	maxMarkdown = 2 << 20
	// maxNesting is the number of list and quotation markers at the start of a line above which
	// Markdown is also read line by line: the parser's time is proportional to the number of lines
	// times their depth.
	maxNesting = 100
)

// blockParser finds the blocks of Markdown without parsing their content. It has no paragraph
// transformers: link definitions are treated as text, and the transformer for tables creates a cell
// for every column of the header in every row, without limit.
var blockParser = parser.NewParser(parser.WithBlockParsers(parser.DefaultBlockParsers()...))

// markdownBlocks returns the blocks of Markdown. The result is never nil.
func markdownBlocks(src string) []block {
	blocks := []block{}
	if len(src) > maxMarkdown || isDeeplyNested(src) {
		return slices.AppendSeq(blocks, lineBlocks(src, extract.Markdown))
	}
	body := meta.FrontMatterLength(src)
	if body > 0 {
		blocks = appendBlock(blocks, src, block{kind: matter}, body)
	}
	source := []byte(src)
	doc := blockParser.Parse(text.NewReader(source[body:]))
	open := block{start: body}
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		pos := n.Pos()
		if pos < 0 {
			continue // belongs to the block before it
		}
		start := strings.LastIndexByte(src[:body+pos], '\n') + 1
		if start > open.start {
			blocks = appendBlock(blocks, src, open, start)
		}
		open = describeBlock(n, source[body:])
		open.start = max(start, body)
	}
	return appendBlock(blocks, src, open, len(src))
}

func describeBlock(n ast.Node, source []byte) block {
	switch n := n.(type) {
	case *ast.Heading:
		return block{kind: heading, level: n.Level, title: headingText(n.Lines().Value(source))}
	case *ast.List:
		return block{kind: list}
	case *ast.CodeBlock, *ast.FencedCodeBlock:
		return block{kind: rows}
	case *ast.Paragraph:
		if isTable(n, source) {
			return block{kind: rows}
		}
	}
	return block{kind: prose}
}

// delimiterRow matches the line between the header of a table and its body.
var delimiterRow = lazyregexp.New(`^[ \t]*\|?[ \t]*:?-+:?[ \t]*(\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*\n?$`)

// isTable reports whether a paragraph is a table of GitHub Flavored Markdown.
func isTable(p *ast.Paragraph, source []byte) bool {
	lines := p.Lines()
	if lines.Len() < 2 {
		return false
	}
	header, row := lines.At(0), lines.At(1)
	delimiter := row.Value(source)
	return bytes.IndexByte(delimiter, '|') >= 0 && bytes.IndexByte(header.Value(source), '|') >= 0 &&
		delimiterRow.Match(delimiter)
}

// isDeeplyNested reports whether a line of src begins with more than maxNesting
// list and quotation markers.
func isDeeplyNested(src string) bool {
	markers, atStart := 0, true
	for i := 0; i < len(src); i++ {
		switch c := src[i]; {
		case c == '\n':
			markers, atStart = 0, true
		case !atStart:
			next := strings.IndexByte(src[i:], '\n')
			if next < 0 {
				return false
			}
			i += next - 1
		case c == '>' || strings.IndexByte("-*+.)", c) >= 0 && (i+1 == len(src) || isSpaceByte(src[i+1])):
			if markers++; markers > maxNesting {
				return true
			}
		case c == ' ' || c == '\t' || '0' <= c && c <= '9':
		default:
			atStart = false
		}
	}
	return false
}

func isSpaceByte(c byte) bool { return c == ' ' || c == '\t' || c == '\n' }

// maxInline is the length in bytes above which the markup of a heading is not parsed.
const maxInline = 500

// headingText returns the content of a heading without its markup.
func headingText(raw []byte) string {
	if len(raw) > maxInline {
		return shortenTitle(string(raw))
	}
	raw = withoutHeadingExtensions(withoutStruck(raw))
	if !bytes.ContainsAny(raw, "*_`[<\\&~") {
		return shortenTitle(string(raw))
	}
	source := append([]byte("# "), bytes.ReplaceAll(raw, []byte("\n"), []byte(" "))...)
	doc := goldmark.DefaultParser().Parse(text.NewReader(source))
	var sb strings.Builder
	// The callback returns no errors.
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Text:
			value := n.Value(source)
			if n.Parent().Kind() != ast.KindCodeSpan {
				value = util.ResolveEntityNames(util.ResolveNumericReferences(util.UnescapePunctuations(value)))
			}
			sb.Write(value)
		case *ast.AutoLink:
			sb.Write(n.Label(source))
		}
		return ast.WalkContinue, nil
	})
	return shortenTitle(sb.String())
}

// withoutStruck returns a heading without its struck-out text, as a dose that is struck out must not
// look valid. If nothing else is left, the heading is returned as it is, with its marks.
func withoutStruck(raw []byte) []byte {
	heading := string(raw)
	stretches := struck.Find(heading)
	if len(stretches) == 0 {
		return raw
	}
	valid := struck.WithoutStruck(heading, stretches).Text
	if !strings.ContainsFunc(valid, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
		return raw
	}
	return []byte(valid)
}

var attributes = lazyregexp.New(`[ \t]*\{:?[ \t]*[#.][^{}]*\}[ \t]*$`)

// extended lists inline markup that CommonMark does not define.
var extended = []struct {
	mark   string
	markup *lazyregexp.Regexp
}{
	{"[[", lazyregexp.New(`\[\[(?:[^\[\]|]*\|)?([^\[\]|]+)\]\]`)},
	{"==", lazyregexp.New(`==([^=\s](?:[^=]*[^=\s])?)==`)},
}

// withoutHeadingExtensions removes markup from a heading that CommonMark does not define: {#anchors
// .classes}, [[links|to notes]] and ==highlighted==.
func withoutHeadingExtensions(raw []byte) []byte {
	if bytes.IndexByte(raw, '{') >= 0 {
		raw = attributes.ReplaceAll(raw, nil)
	}
	for _, e := range extended {
		if bytes.Contains(raw, []byte(e.mark)) {
			raw = e.markup.ReplaceAll(raw, []byte("$1"))
		}
	}
	return raw
}
