package render

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	tables "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// markdownState is what a writer keeps while it writes Markdown.
type markdownState struct {
	base     int    // offset in Body at which source begins
	source   []byte // the part of Body that was parsed
	headings []Heading
	hasText  bool // some text has been written
	level    int  // level of the latest heading
	nesting  int  // nesting depth of inline elements
	isInLink bool
	open     []string // HTML elements opened by raw HTML, outermost first
	outer    int      // number of these elements that were opened outside of the current node
	breakAt  string   // what is written instead of the next soft line break, which ends the title of a callout; "" for nothing
}

// deepestInline is the maximum nesting depth of inline elements that are written.
const deepestInline = 16

func (w *writer) writeMarkdown() {
	from := w.From
	if from == 0 {
		from = w.writeFrontMatter()
	}
	w.marked.base, w.marked.source = from, []byte(w.Body[from:w.To])
	w.marked.headings = Outline(w.Body[:w.To])
	w.writeBlocks(markdownParser().Parse(text.NewReader(w.marked.source)))
}

// writeFencedCode writes a code block, with a note above the source of a diagram that it is not
// drawn.
func (w *writer) writeFencedCode(n *ast.FencedCodeBlock) {
	language := string(n.Language(w.marked.source))
	if w.DiagramNote != "" && slices.Contains(diagrams, strings.ToLower(language)) {
		w.writeMarkup(`<p class="diagram">`)
		w.writeWords(w.DiagramNote)
		w.writeMarkup(` <code>`)
		w.writeWords(language)
		w.writeMarkup("</code></p>\n")
	}
	w.writeCode("", w.lineRanges(n), language)
}

// writeFrontMatter writes the front matter of a note, and returns the offset at which the rest
// begins.
func (w *writer) writeFrontMatter() int {
	end := FrontMatterEnd(w.Body[:w.To])
	if end == 0 {
		return w.From
	}
	inner := Range{strings.IndexByte(w.Body, '\n') + 1, strings.LastIndexByte(w.Body[:end-1], '\n') + 1}
	if inner.From < inner.To {
		w.codeLinks = inOrder(append(w.linksOf(inner), w.tagsOf(inner)...))
		w.writeCode("front", []Range{inner}, "yaml")
		w.codeLinks = nil
	}
	return end
}

// FrontMatterEnd returns the offset at which the front matter of a Markdown text ends; 0 if there
// is none.
func FrontMatterEnd(text string) int {
	const most = 64 << 10 // bytes
	if !strings.HasPrefix(text, "---\n") {
		return 0
	}
	at := len("---\n")
	for line := range strings.Lines(text[at:min(len(text), most)]) {
		at += len(line)
		if rest := strings.TrimRight(line, " \t\n"); rest == "---" || rest == "..." {
			return at
		}
	}
	return 0
}

// writeBlocks writes the blocks in a node.
func (w *writer) writeBlocks(parent ast.Node) {
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		if parent.Kind() == ast.KindDocument {
			if at := blockStart(n); at >= 0 {
				w.writeDivisionsUpTo(w.marked.base + at + 1)
			}
		}
		w.writeBlock(n)
	}
}

// blockStart returns the offset in the source at which the text of a block begins; -1 if it has
// none.
func blockStart(n ast.Node) int {
	if n.Type() == ast.TypeBlock && n.Lines().Len() > 0 {
		return n.Lines().At(0).Start
	}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if c.Type() != ast.TypeBlock {
			break
		}
		if at := blockStart(c); at >= 0 {
			return at
		}
	}
	return -1
}

// rangeOf returns the range of Body that the lines of a block cover.
func (w *writer) rangeOf(n ast.Node) Range {
	lines := n.Lines()
	if lines.Len() == 0 {
		return Range{w.marked.base, w.marked.base}
	}
	return Range{w.marked.base + lines.At(0).Start, w.marked.base + lines.At(lines.Len()-1).Stop}
}

func (w *writer) writeBlock(n ast.Node) {
	switch n := n.(type) {
	case *ast.Heading:
		w.writeHeading(n)
	case *ast.Paragraph:
		w.writeTextBlock("p", "", n)
	case *ast.TextBlock:
		w.writeInlines(n)
		w.writeMarkup("\n")
	case *plainParagraph:
		w.writePlain(n)
	case *ast.ThematicBreak:
		w.writeMarkup("<hr>\n")
	case *ast.Blockquote:
		w.writeQuote(n)
	case *ast.List:
		w.writeList(n)
	case *ast.FencedCodeBlock:
		w.writeFencedCode(n)
	case *formulaBlock:
		w.writeCode("math", w.lineRanges(n), "")
	case *ast.CodeBlock:
		w.writeCode("", w.lineRanges(n), "")
	case *ast.HTMLBlock:
		w.writeHTMLBlock(n)
	case *tables.Table:
		w.writeTable(n)
	case *tables.FootnoteList:
		w.writeMarkup("<hr>\n<ol class=\"footnotes\">\n")
		w.writeBlocks(n)
		w.writeMarkup("</ol>\n")
	case *tables.Footnote:
		w.writeMarkup("<li")
		if !w.IsPassage {
			w.writeMarkup(` id="fn`, strconv.Itoa(n.Index), `"`)
		}
		w.writeMarkup(">")
		w.writeBlocks(n)
		w.writeMarkup("</li>\n")
	case *ast.LinkReferenceDefinition:
	default:
		w.writeBlocks(n)
	}
	w.marked.hasText = true
}

func (w *writer) lineRanges(n ast.Node) []Range {
	all := make([]Range, n.Lines().Len())
	for i := range all {
		s := n.Lines().At(i)
		all[i] = Range{w.marked.base + s.Start, w.marked.base + s.Stop}
	}
	return all
}

// writeTextBlock writes a block of text as an HTML element with a name and a class.
func (w *writer) writeTextBlock(name, class string, n ast.Node) {
	w.writeMarkup("<", name)
	r := w.rangeOf(n)
	w.writePosition(r.From, r.To, class)
	w.writeMarkup(">")
	w.writeInlines(n)
	w.writeMarkup("</", name, ">\n")
}

// writeHeading writes a heading one level lower than in the source, as the title of the web page is
// the top level.
func (w *writer) writeHeading(n *ast.Heading) {
	class := "d" + strconv.Itoa(n.Level)
	r := w.rangeOf(n)
	if n.Level == 1 && !w.IsPassage && !w.marked.hasText && w.Title != "" && plainTitle(w.Body[r.From:r.To]) == w.Title {
		w.writeTextBlock("h2", class+" same", n)
		return
	}
	w.writeTextBlock(w.headingElement(n.Level), class, n)
}

// headingElement returns the HTML element for a heading of a level, which is at most one level
// below the heading before.
func (w *writer) headingElement(level int) string {
	if w.IsPassage {
		return "p"
	}
	w.marked.level = min(level, w.marked.level+1, 5)
	return "h" + strconv.Itoa(w.marked.level+1)
}

// writePlain writes the source of a paragraph that is too long to be parsed.
func (w *writer) writePlain(n *plainParagraph) {
	if n.isTable {
		w.writePlainTable(w.lineRanges(n))
		return
	}
	r := w.rangeOf(n)
	w.writeMarkup("<p")
	w.writePosition(r.From, r.To, "plain")
	w.writeMarkup(">")
	for _, l := range w.lineRanges(n) {
		w.writeText(l.From, l.To, false)
	}
	w.writeMarkup("</p>\n")
}

func (w *writer) writeList(n *ast.List) {
	name := "ul"
	if n.IsOrdered() {
		name = "ol"
	}
	w.writeMarkup("<", name)
	if n.IsOrdered() && n.Start != 1 {
		w.writeMarkup(` start="`, strconv.Itoa(n.Start), `"`)
	}
	w.writeMarkup(">\n")
	for item := n.FirstChild(); item != nil; item = item.NextSibling() {
		w.writeMarkup("<li")
		if first, ok := item.FirstChild().(*ast.TextBlock); ok {
			r, class := w.rangeOf(first), ""
			if box, ok := first.FirstChild().(*tables.TaskCheckBox); ok && box != nil {
				class = "task"
			}
			w.writePosition(r.From, r.To, class)
		}
		w.writeMarkup(">")
		w.writeBlocks(item)
		w.writeMarkup("</li>\n")
	}
	w.writeMarkup("</", name, ">\n")
}

func (w *writer) writeTable(n *tables.Table) {
	w.openTable("table")
	isBody := false
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		name, rowRange := "td", Range{}
		if row.Kind() == tables.KindTableHeader {
			name = "th"
		} else if !isBody {
			isBody = true
			w.writeMarkup("</thead><tbody>\n")
		}
		w.writeMarkup("<tr>")
		for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
			rowRange = w.rangeOf(cell)
			w.writeMarkup("<", name)
			class := ""
			if c, ok := cell.(*tables.TableCell); ok && (c.Alignment == tables.AlignRight || c.Alignment == tables.AlignCenter) {
				class = c.Alignment.String()
			}
			w.writePosition(rowRange.From, rowRange.To, class)
			w.writeMarkup(">")
			w.writeInlines(cell)
			w.writeMarkup("</", name, ">")
		}
		w.writeMarkup("</tr>\n")
	}
	w.closeTable(isBody)
}

// writeInlines writes the inline nodes in a node.
func (w *writer) writeInlines(parent ast.Node) {
	outer := w.marked.outer
	w.marked.outer = len(w.marked.open)
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		w.writeInline(n)
	}
	w.closeElementsTo(w.marked.outer)
	w.marked.outer = outer
}

func (w *writer) writeInline(n ast.Node) {
	switch n := n.(type) {
	case *ast.Text:
		w.writeTextNode(n)
	case *ast.String:
		w.writeWords(displayText(string(n.Value)))
	case *ast.CodeSpan:
		w.writeMarkup("<code>")
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			if t, ok := c.(*ast.Text); ok {
				w.writeSegment(t.Segment, false)
			}
		}
		w.writeMarkup("</code>")
	case *ast.Emphasis:
		w.writeElement([]string{"em", "strong"}[min(max(n.Level, 1), 2)-1], n)
	case *tables.Strikethrough:
		w.writeElement("del", n)
	case *highlighted:
		w.writeElement("mark", n)
	case *formula:
		w.writeMarkup(`<code class="math">`)
		w.writeSegment(n.inner, false)
		w.writeMarkup("</code>")
	case *ast.Link:
		w.writeLink(string(n.Destination), n)
	case *ast.Image:
		w.writePicture(string(n.Destination), altText(n, w.marked.source))
	case *ast.AutoLink:
		w.writeAutoLink(n)
	case *ast.RawHTML:
		w.writeRawHTML(n)
	case *wikiLink:
		w.writeWikiLink(n)
	case *hashtag:
		w.writeHashtag(n)
	case *tables.TaskCheckBox:
		if n.IsChecked {
			w.writeMarkup(`<span class="box" role="img" aria-label="[x]">☑</span> `)
		} else {
			w.writeMarkup(`<span class="box" role="img" aria-label="[ ]">☐</span> `)
		}
	case *tables.FootnoteLink:
		i := strconv.Itoa(n.Index)
		if w.IsPassage || w.marked.isInLink {
			w.writeMarkup(`<sup>`, i, `</sup>`)
			break
		}
		w.writeMarkup(`<sup><a href="#fn`, i, `">`, i, `</a></sup>`)
	case *tables.FootnoteBacklink:
	default:
		w.writeInlines(n)
	}
}

// writeElement writes an inline node as an HTML element; beyond deepestInline only its text.
func (w *writer) writeElement(name string, n ast.Node) {
	if w.marked.nesting >= deepestInline {
		w.writeInlines(n)
		return
	}
	w.marked.nesting++
	w.writeTag(name)
	w.writeInlines(n)
	w.writeMarkup("</", name, ">")
	w.marked.nesting--
}

// writeTag writes the opening tag of an HTML element. The highlights of the author look different
// from matches of the query.
func (w *writer) writeTag(name string) {
	w.writeMarkup("<", name)
	if name == "mark" {
		w.writeMarkup(` class="author"`)
	}
	w.writeMarkup(">")
}

func (w *writer) writeTextNode(n *ast.Text) {
	w.writeSegment(n.Segment, !n.IsRaw())
	switch {
	case n.SoftLineBreak() && w.marked.breakAt != "" && w.marked.nesting == 0 && len(w.marked.open) == 0:
		w.writeMarkup(w.marked.breakAt)
		w.marked.breakAt = ""
	case n.HardLineBreak() || n.SoftLineBreak() && w.KeepsLineBreaks:
		w.writeMarkup("<br>\n")
	case n.SoftLineBreak() && !w.isWideLineBreak(w.marked.base+n.Segment.Stop):
		w.writeMarkup("\n")
	}
}

// isWideLineBreak reports whether the characters before and after a line break belong to scripts
// without spaces, so that the break is dropped.
func (w *writer) isWideLineBreak(at int) bool {
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(w.Body[:at][max(0, at-8):], " \n"))
	first, _ := utf8.DecodeRuneInString(strings.TrimLeft(w.Body[at:min(len(w.Body), at+64)], " \t\n>"))
	return isWide(last) && isWide(first)
}

func isWide(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) || strings.ContainsRune("，。、；：？！）」』】》…（「『【《", r)
}

func (w *writer) writeSegment(s text.Segment, isMarkdown bool) {
	w.writeText(w.marked.base+s.Start, w.marked.base+s.Stop, isMarkdown)
}

// unescapeMarkdown returns Markdown text with its escapes and entities resolved.
func unescapeMarkdown(text string) string {
	if !strings.ContainsAny(text, `\&`) {
		return text
	}
	b := util.UnescapePunctuations([]byte(text))
	return displayText(string(util.ResolveEntityNames(util.ResolveNumericReferences(b))))
}
