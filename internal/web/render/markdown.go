package render

import (
	"html"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	tables "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// markdownState is what a writer of Markdown knows.
type markdownState struct {
	base     int    // where the source begins in Body
	source   []byte // what is parsed of it
	headings []Heading
	hasText  bool // something has been written
	level    int  // of the last heading
	nesting  int  // of inline elements
	isInLink bool
	open     []string // elements that tags in the text have begun, in their order
	outer    int      // how many of them were begun around the element that is being written
	breakAt  string   // what stands in place of the next end of a line, as that ends the title of a callout; "" for a line end
}

// deepestInline is how many inline elements are written in each other.
const deepestInline = 16

func (w *writer) markdown() {
	from := w.From
	if from == 0 {
		from = w.frontMatter()
	}
	w.marked.base, w.marked.source = from, []byte(w.Body[from:w.To])
	w.marked.headings = Outline(w.Body[:w.To])
	w.blocks(tree(w.marked.source))
}

// frontMatter writes the block of properties that a note begins with, and returns where
// what follows begins.
func (w *writer) frontMatter() int {
	end := frontMatterEnd(w.Body[:w.To])
	if end == 0 {
		return w.From
	}
	inner := Range{strings.IndexByte(w.Body, '\n') + 1, strings.LastIndexByte(w.Body[:end-1], '\n') + 1}
	if inner.From < inner.To {
		w.code("front", []Range{inner}, "yaml")
	}
	return end
}

// frontMatterEnd is the byte after the front matter of a text, 0 where it has none.
func frontMatterEnd(text string) int {
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

// blocks writes the blocks in a node.
func (w *writer) blocks(parent ast.Node) {
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		if parent.Kind() == ast.KindDocument {
			if at := start(n); at >= 0 {
				w.divisionsUpTo(w.marked.base + at + 1)
			}
		}
		w.block(n)
	}
}

// start is the byte of the source at which a block begins, -1 where it has no text.
func start(n ast.Node) int {
	if n.Type() == ast.TypeBlock && n.Lines().Len() > 0 {
		return n.Lines().At(0).Start
	}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if c.Type() != ast.TypeBlock {
			break
		}
		if at := start(c); at >= 0 {
			return at
		}
	}
	return -1
}

// rangeOf are the bytes of Body that the lines of a block take.
func (w *writer) rangeOf(n ast.Node) Range {
	lines := n.Lines()
	if lines.Len() == 0 {
		return Range{w.marked.base, w.marked.base}
	}
	return Range{w.marked.base + lines.At(0).Start, w.marked.base + lines.At(lines.Len()-1).Stop}
}

func (w *writer) block(n ast.Node) {
	switch n := n.(type) {
	case *ast.Heading:
		w.heading(n)
	case *ast.Paragraph:
		w.leaf("p", "", n)
	case *ast.TextBlock:
		w.inlines(n)
		w.put("\n")
	case *plain:
		w.plain(n)
	case *ast.ThematicBreak:
		w.put("<hr>\n")
	case *ast.Blockquote:
		w.quote(n)
	case *ast.List:
		w.list(n)
	case *ast.FencedCodeBlock:
		w.code("", w.linesOf(n), string(n.Language(w.marked.source)))
	case *ast.CodeBlock:
		w.code("", w.linesOf(n), "")
	case *ast.HTMLBlock:
		w.htmlBlock(n)
	case *tables.Table:
		w.tableOf(n)
	case *tables.FootnoteList:
		w.put("<hr>\n<ol class=\"footnotes\">\n")
		w.blocks(n)
		w.put("</ol>\n")
	case *tables.Footnote:
		w.put("<li")
		if !w.IsPassage {
			w.put(` id="fn`, strconv.Itoa(n.Index), `"`)
		}
		w.put(">")
		w.blocks(n)
		w.put("</li>\n")
	case *ast.LinkReferenceDefinition:
	default:
		w.blocks(n)
	}
	w.marked.hasText = true
}

func (w *writer) linesOf(n ast.Node) []Range {
	all := make([]Range, n.Lines().Len())
	for i := range all {
		s := n.Lines().At(i)
		all[i] = Range{w.marked.base + s.Start, w.marked.base + s.Stop}
	}
	return all
}

// leaf writes a block of text.
func (w *writer) leaf(name, class string, n ast.Node) {
	w.put("<", name)
	r := w.rangeOf(n)
	w.place(r.From, r.To, class)
	w.put(">")
	w.inlines(n)
	w.put("</", name, ">\n")
}

// heading writes a heading one level below that of the page, whose title is the first.
func (w *writer) heading(n *ast.Heading) {
	class := "d" + strconv.Itoa(n.Level)
	r := w.rangeOf(n)
	if n.Level == 1 && !w.IsPassage && !w.marked.hasText && w.Title != "" && plainTitle(w.Body[r.From:r.To]) == w.Title {
		w.leaf("h2", class+" same", n)
		return
	}
	w.leaf(w.headingName(n.Level), class, n)
}

// headingName is the element of a heading of a level: no more than one below that before it.
func (w *writer) headingName(level int) string {
	if w.IsPassage {
		return "p"
	}
	w.marked.level = min(level, w.marked.level+1, 5)
	return "h" + strconv.Itoa(w.marked.level+1)
}

// plain writes a paragraph as it is written.
func (w *writer) plain(n *plain) {
	if n.isTable {
		w.plainTable(w.linesOf(n))
		return
	}
	r := w.rangeOf(n)
	w.put("<p")
	w.place(r.From, r.To, "plain")
	w.put(">")
	for _, l := range w.linesOf(n) {
		w.text(l.From, l.To, false)
	}
	w.put("</p>\n")
}

// callouts are the looks of those kinds of notes that have their own.
var callouts = map[string]string{
	"tip": "good", "hint": "good", "success": "good", "check": "good", "done": "good", "important": "good",
	"warning": "warn", "caution": "warn", "attention": "warn", "question": "warn", "help": "warn", "faq": "warn",
	"danger": "bad", "error": "bad", "bug": "bad", "failure": "bad", "fail": "bad", "missing": "bad", "quote": "cited", "cite": "cited",
}

// quote writes a quotation, or a callout, as GitHub and Obsidian have them.
func (w *writer) quote(n *ast.Blockquote) {
	kind, title := w.callout(n)
	if kind == "" {
		w.put("<blockquote>\n")
		w.blocks(n)
		w.put("</blockquote>\n")
		return
	}
	look := callouts[strings.ToLower(kind)]
	if look == "" {
		look = "note"
	}
	w.put(`<div class="callout `, look, "\">\n")
	first := n.FirstChild()
	r := w.rangeOf(first)
	w.put("<p")
	w.place(r.From, r.To, "callout-title")
	w.put(">")
	end := r.From + strings.IndexByte(w.Body[r.From:r.To]+"\n", '\n')
	if strings.TrimSpace(w.Body[title:min(end, r.To)]) == "" {
		w.say(capital(kind))
	}
	w.skipped, w.marked.breakAt = title, "</p>\n<p>"
	w.inlines(first)
	w.skipped, w.marked.breakAt = 0, ""
	w.put("</p>\n")
	for c := first.NextSibling(); c != nil; c = c.NextSibling() {
		w.block(c)
	}
	w.put("</div>\n")
}

// callout tells which kind of one a quotation is, "" for none, and where its title begins.
func (w *writer) callout(n *ast.Blockquote) (kind string, title int) {
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
	if strings.HasPrefix(rest, "-") || strings.HasPrefix(rest, "+") { // it folds
		title++
	}
	return kind, title
}

func capital(word string) string {
	first, size := utf8.DecodeRuneInString(word)
	return string(unicode.ToUpper(first)) + strings.ToLower(word[size:])
}

func (w *writer) list(n *ast.List) {
	name := "ul"
	if n.IsOrdered() {
		name = "ol"
	}
	w.put("<", name)
	if n.IsOrdered() && n.Start != 1 {
		w.put(` start="`, strconv.Itoa(n.Start), `"`)
	}
	w.put(">\n")
	for item := n.FirstChild(); item != nil; item = item.NextSibling() {
		w.put("<li")
		if first, ok := item.FirstChild().(*ast.TextBlock); ok {
			r, class := w.rangeOf(first), ""
			if box, ok := first.FirstChild().(*tables.TaskCheckBox); ok && box != nil {
				class = "task"
			}
			w.place(r.From, r.To, class)
		}
		w.put(">")
		w.blocks(item)
		w.put("</li>\n")
	}
	w.put("</", name, ">\n")
}

func (w *writer) tableOf(n *tables.Table) {
	w.openTable()
	isBody := false
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		name, rowRange := "td", Range{}
		if row.Kind() == tables.KindTableHeader {
			name = "th"
		} else if !isBody {
			isBody = true
			w.put("</thead><tbody>\n")
		}
		w.put("<tr>")
		for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
			rowRange = w.rangeOf(cell)
			w.put("<", name)
			class := ""
			if c, ok := cell.(*tables.TableCell); ok && c.Alignment == tables.AlignRight {
				class = "right"
			}
			w.place(rowRange.From, rowRange.To, class)
			w.put(">")
			w.inlines(cell)
			w.put("</", name, ">")
		}
		w.put("</tr>\n")
	}
	w.closeTable(isBody)
}

// inlines writes the inline elements in a node.
func (w *writer) inlines(parent ast.Node) {
	outer := w.marked.outer
	w.marked.outer = len(w.marked.open)
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		w.inline(n)
	}
	w.closeTags(w.marked.outer)
	w.marked.outer = outer
}

func (w *writer) inline(n ast.Node) {
	switch n := n.(type) {
	case *ast.Text:
		w.textNode(n)
	case *ast.String:
		w.say(shown(string(n.Value)))
	case *ast.CodeSpan:
		w.put("<code>")
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			if t, ok := c.(*ast.Text); ok {
				w.segment(t.Segment, false)
			}
		}
		w.put("</code>")
	case *ast.Emphasis:
		w.element([]string{"em", "strong"}[min(max(n.Level, 1), 2)-1], n)
	case *tables.Strikethrough:
		w.element("del", n)
	case *ast.Link:
		w.linkTo(string(n.Destination), n)
	case *ast.Image:
		w.picture(string(n.Destination), altOf(n, w.marked.source))
	case *ast.AutoLink:
		w.autoLink(n)
	case *ast.RawHTML:
		w.rawHTML(n)
	case *wikiLink:
		w.wikiLink(n)
	case *tables.TaskCheckBox:
		if n.IsChecked {
			w.put(`<span class="box" role="img" aria-label="[x]">☑</span> `)
		} else {
			w.put(`<span class="box" role="img" aria-label="[ ]">☐</span> `)
		}
	case *tables.FootnoteLink:
		i := strconv.Itoa(n.Index)
		if w.IsPassage || w.marked.isInLink {
			w.put(`<sup>`, i, `</sup>`)
			break
		}
		w.put(`<sup><a href="#fn`, i, `">`, i, `</a></sup>`)
	case *tables.FootnoteBacklink:
	default:
		w.inlines(n)
	}
}

// element writes an inline element, but not deep in others: its text then.
func (w *writer) element(name string, n ast.Node) {
	if w.marked.nesting >= deepestInline {
		w.inlines(n)
		return
	}
	w.marked.nesting++
	w.put("<", name, ">")
	w.inlines(n)
	w.put("</", name, ">")
	w.marked.nesting--
}

func (w *writer) textNode(n *ast.Text) {
	w.segment(n.Segment, !n.IsRaw())
	switch {
	case n.SoftLineBreak() && w.marked.breakAt != "" && w.marked.nesting == 0 && len(w.marked.open) == 0:
		w.put(w.marked.breakAt)
		w.marked.breakAt = ""
	case n.HardLineBreak() || n.SoftLineBreak() && w.KeepsLines:
		w.put("<br>\n")
	case n.SoftLineBreak() && !w.isWideAround(w.marked.base+n.Segment.Stop):
		w.put("\n")
	}
}

// isWideAround tells whether a line ends and the next begins with a character of a script
// that has no spaces.
func (w *writer) isWideAround(at int) bool {
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(w.Body[:at][max(0, at-8):], " \n"))
	first, _ := utf8.DecodeRuneInString(strings.TrimLeft(w.Body[at:min(len(w.Body), at+64)], " \t\n>"))
	return isWide(last) && isWide(first)
}

func isWide(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) || strings.ContainsRune("，。、；：？！）」』】》…（「『【《", r)
}

func (w *writer) segment(s text.Segment, isMarkdown bool) {
	w.text(w.marked.base+s.Start, w.marked.base+s.Stop, isMarkdown)
}

// unescaped is what a text of Markdown says.
func unescaped(text string) string {
	if !strings.ContainsAny(text, `\&`) {
		return text
	}
	b := util.UnescapePunctuations([]byte(text))
	return shown(string(util.ResolveEntityNames(util.ResolveNumericReferences(b))))
}

// altOf is the text of a picture.
func altOf(n ast.Node, source []byte) string {
	const most = 1000 // bytes
	var out strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if t, ok := n.(*ast.Text); ok && entering && out.Len() < most {
			out.Write(t.Segment.Value(source))
		}
		return ast.WalkContinue, nil
	})
	return unescaped(out.String())
}

// linkTo writes a link with what is in a node.
func (w *writer) linkTo(to string, n ast.Node) {
	open := w.linkTag(unescaped(to))
	if open == "" {
		w.inlines(n)
		return
	}
	w.put(open)
	w.marked.nesting++
	w.marked.isInLink = true
	w.inlines(n)
	w.marked.isInLink = false
	w.marked.nesting--
	w.put("</a>")
}

// linkTag is the tag of a link, "" where it leads nowhere that it may, or stands in another.
func (w *writer) linkTag(to string) string {
	if w.marked.isInLink {
		return ""
	}
	if outside := webAddress(to); outside != "" {
		return `<a href="` + html.EscapeString(outside) + `" rel="noreferrer noopener">`
	}
	path, fragment, _ := strings.Cut(to, "#")
	if strings.Contains(path, ":") { // another scheme
		return ""
	}
	return w.ownLink(Link{To: path, Fragment: fragment})
}

// ownLink is the tag of a link to a document, or to a heading of this one.
func (w *writer) ownLink(l Link) string {
	if l.To == "" {
		if h, ok := Find(w.marked.headings, l.Fragment); ok && h.At >= w.From && !w.IsPassage {
			return `<a href="#L` + strconv.Itoa(h.Line) + `">`
		}
	}
	if w.Link == nil || l == (Link{IsWiki: l.IsWiki}) {
		return ""
	}
	if to := w.Link(l); isOwn(to) {
		return `<a href="` + html.EscapeString(to) + `">`
	}
	return ""
}

// isOwn tells an address of this server.
func isOwn(to string) bool { return strings.HasPrefix(to, "/") && !strings.HasPrefix(to, "//") }

func (w *writer) autoLink(n *ast.AutoLink) {
	address := string(n.URL(w.marked.source))
	if n.AutoLinkType == ast.AutoLinkEmail && !strings.HasPrefix(strings.ToLower(address), "mailto:") {
		address = "mailto:" + address
	}
	open := w.linkTag(address)
	w.put(open)
	w.say(string(n.Label(w.marked.source)))
	if open != "" {
		w.put("</a>")
	}
}

func (w *writer) wikiLink(n *wikiLink) {
	if n.isEmbed && w.Picture != nil {
		if source := w.Picture(n.link); isOwn(source) {
			w.img(source, n.link.To, n.size)
			return
		}
	}
	open := ""
	if !w.marked.isInLink {
		open = w.ownLink(n.link)
	}
	if open == "" {
		w.put(`<span class="nowhere">`)
		w.segment(n.label, false)
		w.put(`</span>`)
		return
	}
	w.put(open)
	w.segment(n.label, false)
	w.put("</a>")
}

// picture writes a picture of the folder, or a link to what is elsewhere: nothing is loaded
// from there.
func (w *writer) picture(to, alt string) {
	to = unescaped(to)
	if alt == "" {
		alt = to[strings.LastIndexByte(to, '/')+1:]
	}
	if webAddress(to) == "" && w.Picture != nil {
		path, _, _ := strings.Cut(to, "#")
		if source := w.Picture(Link{To: path}); isOwn(source) {
			w.img(source, alt, "")
			return
		}
	}
	open := w.linkTag(to)
	w.put(`<span class="elsewhere">`, open)
	w.say(shown(alt))
	if open != "" {
		w.put("</a>")
	}
	w.put("</span>")
}

func (w *writer) img(source, alt, size string) {
	w.put(`<img src="`, html.EscapeString(source), `" alt="`, html.EscapeString(alt), `" loading="lazy"`)
	if n, err := strconv.Atoi(size); err == nil && 0 < n && n < 10_000 {
		w.put(` width="`, strconv.Itoa(n), `"`)
	}
	w.put(">")
}
