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
	inPre         bool
	listDepth     int
	inTitle       bool
	isRaised      bool // whether the text is superscript
	struckDepth   int  // number of open elements that strike their text out
}

// blockElements are the elements that begin and end blocks of text.
var blockElements = wordSet(`address article aside blockquote body caption center dd details dialog dir div dl dt fieldset
	figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav noscript ol option
	p pre search section select summary table tbody textarea tfoot thead tr ul`)

// flatMarkdown converts HTML into Markdown, ignoring how elements are nested.
func flatMarkdown(source string) (markdown, title string, err error) {
	var p flatConverter
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
			p.startTag(z)
		case html.EndTagToken:
			name, _ := z.TagName()
			p.endTag(string(name))
		}
	}
	return "", p.title, extract.ErrTooMuchText
}

func (p *flatConverter) addText(text string) {
	p.text.IsStruck = p.struckDepth > 0
	switch {
	case p.inTitle:
		if p.title == "" {
			p.title = markdown.OneLine(text)
		}
	case p.hiddenElement == "" && p.inPre:
		p.text.WriteString(text)
	case p.hiddenElement == "" && p.isRaised:
		p.text.WriteString(markdown.Superscript(collapseSpace(text)))
	case p.hiddenElement == "":
		p.text.WriteString(collapseSpace(text))
	}
}

func (p *flatConverter) startTag(z *html.Tokenizer) {
	tag, _ := z.TagName()
	name := string(tag)
	switch {
	case name == "noscript":
		z.NextIsNotRawText()
	case name == "title":
		p.inTitle = true
	case name == "sup":
		p.isRaised = true
	case name == "img":
		p.text.WriteString(imageAlt(z))
	case struckElements[name]:
		p.struckDepth++
	case name == "br":
		p.text.WriteString("\n")
	case name == "td" || name == "th":
		if p.text.IsStruck = false; strings.TrimSpace(p.text.String()) != "" {
			p.text.WriteString(" | ")
		}
	case p.hiddenElement == "" && name != "head" && droppedElements[name] && !voidElements[name]:
		p.hiddenElement = name
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
		p.hiddenElement = ""
	}
	if !blockElements[name] {
		return
	}
	p.writeBlock()
	switch name {
	case "ul", "ol", "menu", "dir":
		p.listDepth = max(p.listDepth-1, 0)
	case "pre":
		p.inPre = false
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
	case p.inPre:
		p.w.WriteCodeBlock("", strings.Trim(text, "\n"))
	case isHeading(kind):
		p.w.WriteHeading(int(kind[1]-'0'), text)
	case kind == "li":
		p.w.WriteListItem(p.listDepth-1, "-", text)
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

// imageAlt returns the alternative text of the current image tag.
func imageAlt(z *html.Tokenizer) string {
	for {
		key, value, more := z.TagAttr()
		if string(key) == "alt" {
			return string(value)
		}
		if !more {
			return ""
		}
	}
}
