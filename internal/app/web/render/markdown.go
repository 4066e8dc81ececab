package render

import (
	"html"
	"sort"
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
	w.writeBlocks(parseMarkdown(w.marked.source))
}

// writeFencedCode writes a code block, with a note above the source of a diagram that it is not
// drawn.
func (w *writer) writeFencedCode(n *ast.FencedCodeBlock) {
	language := string(n.Language(w.marked.source))
	if w.DiagramNote != "" && isDiagram(strings.ToLower(language)) {
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

// callouts maps those kinds of callouts that have a style of their own to its CSS class.
var callouts = map[string]string{
	"tip": "good", "hint": "good", "success": "good", "check": "good", "done": "good", "important": "good",
	"warning": "warn", "caution": "warn", "attention": "warn", "question": "warn", "help": "warn", "faq": "warn",
	"danger": "bad", "error": "bad", "bug": "bad", "failure": "bad", "fail": "bad", "missing": "bad", "quote": "cited", "cite": "cited",
}

// writeQuote writes a block quotation, or a callout in the syntax of GitHub and Obsidian.
func (w *writer) writeQuote(n *ast.Blockquote) {
	kind, title := w.calloutOf(n)
	if kind == "" {
		w.writeMarkup("<blockquote>\n")
		w.writeBlocks(n)
		w.writeMarkup("</blockquote>\n")
		return
	}
	look := callouts[strings.ToLower(kind)]
	if look == "" {
		look = "note"
	}
	box, head := "div", "p"
	first := n.FirstChild()
	r := w.rangeOf(first)
	w.writeMarkup("<")
	if fold := w.Body[title-1]; fold != ']' && !w.IsPassage {
		box, head = "details", "summary"
		w.writeMarkup(box, ` class="callout `, look, `"`)
		if fold == '+' || w.standsOut(r.From, w.blockEnd(n)) {
			w.writeMarkup(" open")
		}
	} else {
		w.writeMarkup(box, ` class="callout `, look, `"`)
	}
	w.writeMarkup(">\n<", head)
	w.writePosition(r.From, r.To, "callout-title")
	w.writeMarkup(">")
	end := r.From + strings.IndexByte(w.Body[r.From:r.To]+"\n", '\n')
	if strings.TrimSpace(w.Body[title:min(end, r.To)]) == "" {
		w.writeWords(capitalise(kind))
	}
	w.skipped, w.marked.breakAt = title, "</"+head+">\n<p>"
	w.writeInlines(first)
	if w.marked.breakAt == "" { // a line break has ended the title of the callout
		head = "p"
	}
	w.skipped, w.marked.breakAt = 0, ""
	w.writeMarkup("</", head, ">\n")
	for c := first.NextSibling(); c != nil; c = c.NextSibling() {
		w.writeBlock(c)
	}
	w.writeMarkup("</", box, ">\n")
}

// standsOut reports whether a range of Body must be visible without a click because it is cited,
// marked or the target of a link.
func (w *writer) standsOut(from, to int) bool {
	i := sort.Search(len(w.Marks), func(i int) bool { return w.Marks[i].To > from })
	return w.Passage.overlaps(from, to) || i < len(w.Marks) && w.Marks[i].From < to || len(w.Anchors) > 0 && w.Anchors[0].Offset < to
}

// blockEnd returns the offset in Body at which the last text in a block ends.
func (w *writer) blockEnd(n ast.Node) int {
	if n.Lines().Len() > 0 {
		return w.rangeOf(n).To
	}
	for c := n.LastChild(); c != nil && c.Type() == ast.TypeBlock; c = c.PreviousSibling() {
		if end := w.blockEnd(c); end > 0 {
			return end
		}
	}
	return 0
}

// calloutOf returns the kind of the callout that a quotation is, and the offset of its title; the
// kind is "" if it is an ordinary quotation.
func (w *writer) calloutOf(n *ast.Blockquote) (kind string, title int) {
	first, ok := n.FirstChild().(*ast.Paragraph)
	if !ok {
		return "", 0
	}
	r := w.rangeOf(first)
	text, ok := strings.CutPrefix(w.Body[r.From:r.To], "[!")
	kind, rest, isClosed := strings.Cut(text[:min(len(text), 40)], "]")
	if !ok || !isClosed || kind == "" || strings.ContainsFunc(kind, func(c rune) bool { return !unicode.IsLetter(c) && c != '-' }) {
		return "", 0
	}
	title = r.From + len("[!") + len(kind) + len("]")
	if strings.HasPrefix(rest, "-") || strings.HasPrefix(rest, "+") { // a foldable callout
		title++
	}
	return kind, title
}

func capitalise(word string) string {
	first, size := utf8.DecodeRuneInString(word)
	return string(unicode.ToUpper(first)) + strings.ToLower(word[size:])
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
		w.writeFormula(n)
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

// altText returns the alternative text of a picture.
func altText(n ast.Node, source []byte) string {
	const most = 1000 // bytes
	var out strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if t, ok := n.(*ast.Text); ok && entering && out.Len() < most {
			out.Write(t.Segment.Value(source))
		}
		return ast.WalkContinue, nil
	})
	return unescapeMarkdown(out.String())
}

// writeLink writes a link with the content of a node.
func (w *writer) writeLink(to string, n ast.Node) {
	open := w.linkTag(unescapeMarkdown(to))
	if open == "" {
		w.writeInlines(n)
		return
	}
	w.writeMarkup(open)
	w.marked.nesting++
	w.marked.isInLink = true
	w.writeInlines(n)
	w.marked.isInLink = false
	w.marked.nesting--
	w.writeMarkup("</a>")
}

// linkTag returns the opening tag of a link; "" if its target is not allowed, or the link is inside
// another one.
func (w *writer) linkTag(to string) string {
	if w.marked.isInLink {
		return ""
	}
	if outside := safeWebAddress(to); outside != "" {
		return `<a href="` + html.EscapeString(outside) + `" rel="noreferrer noopener">`
	}
	path, fragment, _ := strings.Cut(to, "#")
	if strings.Contains(path, ":") { // a scheme that is not allowed
		return ""
	}
	return w.documentLinkTag(Link{Target: path, Fragment: fragment})
}

// documentLinkTag returns the opening tag of a link to another document, or to a heading of this
// one.
func (w *writer) documentLinkTag(l Link) string {
	if l.Target == "" {
		if h, ok := FindHeading(w.marked.headings, l.Fragment); ok && h.Offset >= w.From && !w.IsPassage {
			return `<a href="#L` + strconv.Itoa(h.Line) + `">`
		}
	}
	if w.LinkURL == nil || l == (Link{IsWiki: l.IsWiki}) {
		return ""
	}
	if to := w.LinkURL(l); isOwnAddress(to) {
		return `<a href="` + html.EscapeString(to) + `">`
	}
	return ""
}

// isOwnAddress reports whether a URL is a path of this server.
func isOwnAddress(to string) bool { return strings.HasPrefix(to, "/") && !strings.HasPrefix(to, "//") }

func (w *writer) writeAutoLink(n *ast.AutoLink) {
	address := string(n.URL(w.marked.source))
	if n.AutoLinkType == ast.AutoLinkEmail && !strings.HasPrefix(strings.ToLower(address), "mailto:") {
		address = "mailto:" + address
	}
	open := w.linkTag(address)
	w.writeMarkup(open)
	w.writeWords(string(n.Label(w.marked.source)))
	if open != "" {
		w.writeMarkup("</a>")
	}
}

func (w *writer) writeWikiLink(n *wikiLink) {
	if n.isEmbed && w.PictureURL != nil {
		if source := w.PictureURL(n.link); isOwnAddress(source) {
			w.writeImg(source, n.link.Target, n.size)
			return
		}
	}
	open := ""
	if !w.marked.isInLink {
		open = w.documentLinkTag(n.link)
	}
	if open == "" {
		w.writeMarkup(`<span class="nowhere">`)
		w.writeSegment(n.label, false)
		w.writeMarkup(`</span>`)
		return
	}
	w.writeMarkup(open)
	w.writeSegment(n.label, false)
	w.writeMarkup("</a>")
}

// writePicture writes a picture from the folder. For a picture elsewhere it writes a link, as
// nothing is loaded from other sites.
func (w *writer) writePicture(to, alt string) {
	to = unescapeMarkdown(to)
	if alt == "" {
		alt = to[strings.LastIndexByte(to, '/')+1:]
	}
	if safeWebAddress(to) == "" && w.PictureURL != nil {
		path, _, _ := strings.Cut(to, "#")
		if source := w.PictureURL(Link{Target: path}); isOwnAddress(source) {
			w.writeImg(source, alt, "")
			return
		}
	}
	open := w.linkTag(to)
	w.writeMarkup(`<span class="elsewhere">`, open)
	w.writeWords(displayText(alt))
	if open != "" {
		w.writeMarkup("</a>")
	}
	w.writeMarkup("</span>")
}

func (w *writer) writeImg(source, alt, size string) {
	w.writeMarkup(`<img src="`, html.EscapeString(source), `" alt="`, html.EscapeString(alt), `" loading="lazy"`)
	if n, err := strconv.Atoi(size); err == nil && 0 < n && n < 10_000 {
		w.writeMarkup(` width="`, strconv.Itoa(n), `"`)
	}
	w.writeMarkup(">")
}
