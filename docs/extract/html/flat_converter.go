package html

import (
	"strings"

	"golang.org/x/net/html"

	"vademecum/docs/extract"
	"vademecum/docs/extract/markdown"
)

// A flatConverter converts a page tag by tag, without building a tree, so that deep nesting does
// not matter.
type flatConverter struct {
	w             markdown.Writer
	text          markdown.InlineText // text of the current block
	blockElement  string              // element of the current block
	title         string
	hiddenElement string // the element whose content is being dropped, or ""
	hiddenDepth   int    // number of open elements with the name of hiddenElement
	inPre         bool
	isPreStruck   bool // whether some of the preformatted text is struck out
	listDepth     int
	inTitle       bool
	isRaised      bool   // whether the text is superscript
	struckDepth   int    // number of open elements that strike their text out by their name
	struckElement string // the element that strikes its text out by its style, or ""
	styledDepth   int    // number of open elements with the name of struckElement
	page          pageOutline
}

// A pageOutline holds what a first pass over a page finds out, before it is converted tag by tag.
type pageOutline struct {
	styles     *pageStyles
	openCounts map[string]int // number of start tags less that of end tags, by element
	hasScripts bool           // which may show what is hidden
}

// readOutline makes the first pass over a page.
func readOutline(source string, sheets []*StyleSheet) pageOutline {
	o := pageOutline{styles: newPageStyles(sheets), openCounts: make(map[string]int)}
	inStyle := false
	for z := html.NewTokenizer(strings.NewReader(source)); ; {
		kind := z.Next()
		n := tagElement(z)
		name := n.Data
		switch {
		case kind == html.ErrorToken:
			return o
		case kind == html.TextToken && inStyle:
			o.styles.own.addRules(string(z.Raw()), true)
		case kind == html.StartTagToken:
			inStyle = name == "style" && isScreenMedia(attributeValue(n, "media"))
			o.openCounts[name]++
			o.hasScripts = o.hasScripts || name == "script"
		case kind == html.EndTagToken:
			inStyle = false
			o.openCounts[name]--
		}
	}
}

// blockElements are the elements that begin and end blocks of text.
var blockElements = wordSet(`address article aside blockquote body caption center dd details dialog dir div dl dt fieldset
	figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav noscript ol option
	p pre search section select summary table tbody textarea tfoot thead tr ul`)

// flatMarkdown converts HTML into Markdown, ignoring how elements are nested.
func flatMarkdown(source string, sheets []*StyleSheet) (markdown, title string, err error) {
	p := flatConverter{page: readOutline(source, sheets)}
	z := html.NewTokenizer(strings.NewReader(source))
	for !p.w.IsFull {
		switch kind := z.Next(); kind {
		case html.ErrorToken:
			p.writeBlock()
			c, err := p.w.Content()
			return c.Text, p.title, err
		case html.TextToken:
			p.addText(string(z.Text()))
		case html.StartTagToken, html.SelfClosingTagToken:
			p.startTag(z, kind == html.SelfClosingTagToken)
		case html.EndTagToken:
			name, _ := z.TagName()
			p.endTag(string(name))
		}
	}
	return "", p.title, extract.ErrTooMuchText
}

func (p *flatConverter) addText(text string) {
	p.text.IsNextStruck = p.struckDepth > 0 || p.struckElement != ""
	switch {
	case p.inTitle:
		if p.title == "" {
			p.title = markdown.OneLine(text)
		}
	case p.hiddenElement == "" && p.inPre:
		p.addPreformatted(text)
	case p.hiddenElement == "" && p.isRaised:
		p.text.WriteString(markdown.Superscript(collapseSpace(text)))
	case p.hiddenElement == "":
		p.text.WriteString(collapseSpace(text))
	}
}

// addPreformatted adds text that keeps its lines. What is struck out has marks around each paragraph of it.
func (p *flatConverter) addPreformatted(text string) {
	isStruck := p.text.IsNextStruck
	p.isPreStruck = p.isPreStruck || isStruck
	for i, paragraph := range strings.SplitAfter(text, "\n\n") {
		if i > 0 && isStruck {
			p.text.FinishText()
			p.text.IsNextStruck = true
		}
		p.text.WriteMarkdown(paragraph)
	}
}

func (p *flatConverter) startTag(z *html.Tokenizer, isClosed bool) {
	n := tagElement(z)
	name := n.Data
	if !isClosed { // as in SVG
		p.applyStyle(n)
	}
	switch {
	case name == "noscript":
		z.NextIsNotRawText()
	case name == "title":
		p.inTitle = true
	case name == "sup":
		p.isRaised = true
	case name == "img" && p.hiddenElement == "":
		p.text.WriteString(attributeValue(n, "alt"))
	case struckElements[name]:
		p.struckDepth++
	case name == "br":
		p.text.WriteString("\n")
	case name == "td" || name == "th":
		if p.text.IsNextStruck = false; strings.TrimSpace(p.text.String()) != "" {
			p.text.WriteString(" | ")
		}
	case p.hiddenElement == "" && name != "head" && droppedElements[name] && !voidElements[name]:
		p.hiddenElement, p.hiddenDepth = name, 1
	}
	if blockElements[name] {
		p.writeBlock()
		p.blockElement = name
	}
	switch name {
	case "ul", "ol", "menu", "dir":
		p.listDepth++
	case "pre":
		p.inPre = true
	}
}

// applyStyle begins to hide or strike out the content of an element if its style does so. It ignores
// elements whose name has start tags without end tags in the page, as their ends are unknown.
func (p *flatConverter) applyStyle(n *html.Node) {
	if n.Data == p.hiddenElement {
		p.hiddenDepth++
	}
	if n.Data == p.struckElement {
		p.styledDepth++
	}
	if voidElements[n.Data] || p.page.openCounts[n.Data] != 0 || n.Data == "body" || n.Data == "html" {
		return
	}
	style := p.page.styles.styleOf(n)
	if style.isHidden && p.hiddenElement == "" && !p.page.hasScripts {
		p.hiddenElement, p.hiddenDepth = n.Data, 1
	}
	if style.isStruck && p.struckElement == "" && !struckElements[n.Data] {
		p.struckElement, p.styledDepth = n.Data, 1
	}
}

func (p *flatConverter) endTag(name string) {
	switch name {
	case "title":
		p.inTitle = false
	case "sup":
		p.isRaised = false
	case "del", "s", "strike":
		p.struckDepth = max(p.struckDepth-1, 0)
	}
	if name == p.hiddenElement {
		if p.hiddenDepth--; p.hiddenDepth <= 0 {
			p.hiddenElement = ""
		}
	}
	if name == p.struckElement {
		if p.styledDepth--; p.styledDepth <= 0 {
			p.struckElement = ""
		}
	}
	if !blockElements[name] {
		return
	}
	p.writeBlock()
	switch name {
	case "ul", "ol", "menu", "dir":
		p.listDepth = max(p.listDepth-1, 0)
	case "pre":
		p.inPre, p.isPreStruck = false, false
	}
	p.blockElement = ""
}

// writeBlock writes the text of the current block, as the kind of block that its element requires.
func (p *flatConverter) writeBlock() {
	text := p.text.String()
	if text == "" {
		return
	}
	p.text.Reset()
	switch kind := p.blockElement; {
	case p.inPre && !p.isPreStruck: // in a code block, marks would strike nothing out
		p.w.WriteCodeBlock("", strings.Trim(text, "\n"))
	case isHeading(kind):
		p.w.WriteHeading(int(kind[1]-'0'), text)
	case kind == "li":
		p.w.WriteListItem(max(p.listDepth-1, 0), "-", text)
	default:
		p.w.WriteParagraph(strings.TrimSpace(text))
	}
}

// collapseSpace replaces every run of white space by one space, including at the ends.
func collapseSpace(text string) string {
	if text == "" {
		return ""
	}
	line := markdown.OneLine(text)
	if isBlank(text[0]) {
		line = " " + line
	}
	if isBlank(text[len(text)-1]) && line != " " {
		line += " "
	}
	return line
}

func isBlank(b byte) bool { return b == ' ' || '\t' <= b && b <= '\r' }

// maxFlatAttributes is the maximum number of attributes of a tag that are read.
const maxFlatAttributes = 100

// tagElement returns the current tag as an element without content.
func tagElement(z *html.Tokenizer) *html.Node {
	name, more := z.TagName()
	n := &html.Node{Type: html.ElementNode, Data: string(name)}
	for more && len(n.Attr) < maxFlatAttributes {
		var key, value []byte
		key, value, more = z.TagAttr()
		n.Attr = append(n.Attr, html.Attribute{Key: string(key), Val: string(value)})
	}
	return n
}
