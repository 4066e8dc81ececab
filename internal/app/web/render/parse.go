package render

import (
	"bytes"
	"sync"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"vademecum/docs/extract/markdown"
)

// Limits of parsing. They keep the time for hostile input roughly proportional to its length, as
// goldmark scans some texts again for each special character.
const (
	deepest       = 24     // nesting depth of lists and quotations; what is deeper is shown as text
	mostParagraph = 8_000  // bytes of a paragraph; a longer one is shown as source
	mostLine      = 8_000  // bytes of a table row; a table with a longer one is not parsed by goldmark but split here
	mostCells     = 60_000 // cells of a table, including those that rows lack
	mostColumns   = 200    // columns of a table that are shown
)

// markdownParser returns the Markdown parser, which it creates at the first call.
var markdownParser = sync.OnceValue(func() parser.Parser {
	p := parser.NewParser(
		parser.WithBlockParsers(
			util.Prioritized(shortSetextParser{parser.NewSetextHeadingParser()}, 100),
			util.Prioritized(parser.NewThematicBreakParser(), 200),
			util.Prioritized(depthLimitedParser{parser.NewListParser()}, 300),
			util.Prioritized(depthLimitedParser{parser.NewListItemParser()}, 400),
			util.Prioritized(parser.NewCodeBlockParser(), 500),
			util.Prioritized(shortATXParser{parser.NewATXHeadingParser()}, 600),
			util.Prioritized(parser.NewFencedCodeBlockParser(), 700),
			util.Prioritized(formulaBlockParser{}, 750),
			util.Prioritized(depthLimitedParser{parser.NewBlockquoteParser()}, 800),
			util.Prioritized(parser.NewHTMLBlockParser(), 900),
			util.Prioritized(depthLimitedParser{extension.NewFootnoteBlockParser()}, 999),
			util.Prioritized(parser.NewParagraphParser(), 1000),
		),
		parser.WithInlineParsers(append(parser.DefaultInlineParsers(),
			util.Prioritized(extension.NewFootnoteParser(), 101),
			util.Prioritized(wikiLinkParser{}, 102),
			util.Prioritized(formulaParser{}, 103),
			util.Prioritized(hashtagParser{}, 104),
			util.Prioritized(highlightParser{}, 500),
			util.Prioritized(strikeParser{extension.NewStrikethroughParser()}, 500),
		)...),
		parser.WithParagraphTransformers(append(parser.DefaultParagraphTransformers(), util.Prioritized(sizeLimiter{}, 1))...),
		parser.WithASTTransformers(util.Prioritized(extension.NewFootnoteASTTransformer(), 999)),
	)
	return goldmark.New(goldmark.WithParser(p), goldmark.WithExtensions(extension.Table, extension.Linkify, extension.TaskList)).Parser()
})

// strikeParser parses struck-out text, whose marks are exactly two tildes. goldmark's own parser would
// also accept single tildes, as in "~5 mg" or in two tildes that a joiner separates.
type strikeParser struct{ parser.InlineParser }

func (s strikeParser) Parse(parent ast.Node, r text.Reader, pc parser.Context) ast.Node {
	line, _ := r.PeekLine()
	if run := len(line) - len(bytes.TrimLeft(line, "~")); run != len(markdown.Strikethrough) {
		return nil
	}
	return s.InlineParser.Parse(parent, r, pc)
}

// depthLimitedParser is a block parser that opens no blocks beyond the maximum depth.
type depthLimitedParser struct{ parser.BlockParser }

func (s depthLimitedParser) Open(parent ast.Node, r text.Reader, pc parser.Context) (ast.Node, parser.State) {
	depth := 0
	for n := parent; n != nil; n = n.Parent() {
		if n.Kind() != ast.KindList { // a list always contains an item, which counts
			depth++
		}
	}
	if depth > deepest {
		return nil, parser.NoChildren
	}
	return s.BlockParser.Open(parent, r, pc)
}

// shortATXParser parses headings that begin with # and have at most mostParagraph bytes.
type shortATXParser struct{ parser.BlockParser }

func (s shortATXParser) Open(parent ast.Node, r text.Reader, pc parser.Context) (ast.Node, parser.State) {
	if line, _ := r.PeekLine(); len(line) > mostParagraph {
		return nil, parser.NoChildren
	}
	return s.BlockParser.Open(parent, r, pc)
}

// shortSetextParser parses underlined headings of at most mostParagraph bytes.
type shortSetextParser struct{ parser.BlockParser }

func (s shortSetextParser) Open(parent ast.Node, r text.Reader, pc parser.Context) (ast.Node, parser.State) {
	if last := pc.LastOpenedBlock().Node; last != nil && last.Type() == ast.TypeBlock && totalLength(last.Lines()) > mostParagraph {
		return nil, parser.NoChildren
	}
	return s.BlockParser.Open(parent, r, pc)
}

func totalLength(lines *text.Segments) int {
	if lines.Len() == 0 {
		return 0
	}
	return lines.At(lines.Len()-1).Stop - lines.At(0).Start
}

// plainParagraph is a Markdown node for a paragraph or table that is shown as source, as it is too
// long to be parsed.
type plainParagraph struct {
	ast.BaseBlock
	isTable bool
}

var kindPlain = ast.NewNodeKind("Plain")

func (*plainParagraph) Kind() ast.NodeKind        { return kindPlain }
func (*plainParagraph) IsRaw() bool               { return true }
func (p *plainParagraph) Dump(src []byte, at int) { ast.DumpHelper(p, src, at, nil, nil) }

// sizeLimiter replaces paragraphs and tables that are too long by plain paragraphs.
type sizeLimiter struct{}

func (sizeLimiter) Transform(node *ast.Paragraph, reader text.Reader, _ parser.Context) {
	lines, source := node.Lines(), reader.Source()
	if totalLength(lines) <= mostParagraph/10 && lines.Len() < 3 {
		return
	}
	header := tableHeaderLine(lines, source)
	switch {
	case header < 0 && totalLength(lines) <= mostParagraph:
		return
	case header >= 0 && isSmallTable(lines, header, source):
		return
	}
	p := &plainParagraph{isTable: header == 0}
	p.SetLines(lines)
	p.SetBlankPreviousLines(node.HasBlankPreviousLines())
	node.Parent().ReplaceChild(node.Parent(), node, p)
}

// tableHeaderLine returns the index of the line that is the header of a table; -1 if there is none.
func tableHeaderLine(lines *text.Segments, source []byte) int {
	for i := 1; i < lines.Len(); i++ {
		segment := lines.At(i)
		if line := segment.Value(source); bytes.IndexByte(line, '-') >= 0 && len(bytes.Trim(line, " \t\n|:-")) == 0 && len(bytes.Trim(line, " \t\n-")) > 0 {
			return i - 1
		}
	}
	return -1
}

// isSmallTable reports whether a table and the text before it are small enough to be parsed.
func isSmallTable(lines *text.Segments, header int, source []byte) bool {
	first := lines.At(header)
	columns := bytes.Count(first.Value(source), []byte("|")) + 1
	if first.Start-lines.At(0).Start > mostParagraph || columns > mostColumns || columns*(lines.Len()-header) > mostCells {
		return false
	}
	for i := header; i < lines.Len(); i++ {
		if s := lines.At(i); s.Len() > mostLine {
			return false
		}
	}
	return true
}

// wikiLink is a Markdown node for a link in double brackets, such as [[Note#Heading
//
// label]], or for an embed, which has an exclamation mark before it.
type wikiLink struct {
	ast.BaseInline
	link    Link
	size    string // size of an embedded picture, as written
	label   text.Segment
	isEmbed bool
}

var kindWikiLink = ast.NewNodeKind("WikiLink")

func (*wikiLink) Kind() ast.NodeKind        { return kindWikiLink }
func (l *wikiLink) Dump(src []byte, at int) { ast.DumpHelper(l, src, at, nil, nil) }

// wikiLinkParser parses links of the form [[target|text]], and ![[target]], which embeds a file.
type wikiLinkParser struct{}

func (wikiLinkParser) Trigger() []byte { return []byte{'!', '['} }

// mostWikiLink is the maximum length of a wiki link in bytes.
const mostWikiLink = 1000

func (wikiLinkParser) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, segment := block.PeekLine()
	rest, isEmbed := bytes.CutPrefix(line, []byte("!"))
	if !bytes.HasPrefix(rest, []byte("[[")) {
		return nil
	}
	inner := rest[2:min(len(rest), mostWikiLink)]
	end := bytes.IndexAny(inner, "]\n[")
	if end <= 0 || !bytes.HasPrefix(inner[end:], []byte("]]")) {
		return nil
	}
	inner = inner[:end]
	start := segment.Start + len(line) - len(rest) + 2
	l := &wikiLink{isEmbed: isEmbed, label: text.NewSegment(start, start+end)}
	target, label, hasLabel := bytes.Cut(inner, []byte("|"))
	if hasLabel {
		l.size = string(label)
		l.label.Start += len(target) + 1
		target = bytes.TrimSuffix(target, []byte(`\`)) // in tables the bar is escaped
	}
	to, fragment, _ := bytes.Cut(target, []byte("#"))
	l.link = Link{Target: string(bytes.TrimSpace(to)), Fragment: string(bytes.TrimSpace(fragment)), IsWiki: true}
	block.Advance(len(line) - len(rest) + 2 + end + 2)
	return l
}
