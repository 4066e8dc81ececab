package html

import (
	"strings"

	"golang.org/x/net/html"

	"vademecum/docs/extract"
	"vademecum/docs/extract/markdown"
)

// A flatPage is a page read tag after tag, however deep its elements nest.
type flatPage struct {
	w       markdown.Writer
	text    strings.Builder // of the block that is open
	kind    string          // its element
	title   string
	hidden  string // the element whose content is dropped, or ""
	pre     bool
	lists   int
	inTitle bool
}

// blockElements begin and end blocks of text.
var blockElements = words(`address article aside blockquote body caption center dd details dialog dir div dl dt fieldset
	figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav noscript ol option
	p pre search section select summary table tbody textarea tfoot thead tr ul`)

// flatMarkdown turns HTML into Markdown without regard to what is inside what.
func flatMarkdown(source string) (markdown, title string, err error) {
	var p flatPage
	z := html.NewTokenizer(strings.NewReader(source))
	for !p.w.IsFull {
		switch kind := z.Next(); kind {
		case html.ErrorToken:
			p.flush()
			c, err := p.w.Content()
			return c.Text, p.title, err
		case html.TextToken:
			p.addText(string(z.Text()))
		case html.StartTagToken, html.SelfClosingTagToken:
			p.start(z)
		case html.EndTagToken:
			name, _ := z.TagName()
			p.end(string(name))
		}
	}
	return "", p.title, extract.ErrTooMuchText
}

func (p *flatPage) addText(text string) {
	switch {
	case p.inTitle:
		if p.title == "" {
			p.title = markdown.OneLine(text)
		}
	case p.hidden == "" && p.pre:
		p.text.WriteString(text)
	case p.hidden == "":
		p.text.WriteString(collapsed(text))
	}
}

func (p *flatPage) start(z *html.Tokenizer) {
	tag, _ := z.TagName()
	name := string(tag)
	switch {
	case name == "noscript":
		z.NextIsNotRawText()
	case name == "title":
		p.inTitle = true
	case name == "img":
		p.text.WriteString(altOf(z))
	case name == "br":
		p.text.WriteByte('\n')
	case name == "td" || name == "th":
		if strings.TrimSpace(p.text.String()) != "" {
			p.text.WriteString(" | ")
		}
	case p.hidden == "" && name != "head" && droppedElements[name] && !voidElements[name]:
		p.hidden = name
	}
	if blockElements[name] {
		p.flush()
		p.kind = name
	}
	switch name {
	case "ul", "ol", "menu", "dir":
		p.lists++
	case "pre":
		p.pre = true
	}
}

func (p *flatPage) end(name string) {
	if name == "title" {
		p.inTitle = false
	}
	if name == p.hidden {
		p.hidden = ""
	}
	if !blockElements[name] {
		return
	}
	p.flush()
	switch name {
	case "ul", "ol", "menu", "dir":
		p.lists = max(p.lists-1, 0)
	case "pre":
		p.pre = false
	}
	p.kind = ""
}

// flush writes the block that is open.
func (p *flatPage) flush() {
	text := p.text.String()
	if text == "" {
		return
	}
	p.text.Reset()
	switch kind := p.kind; {
	case p.pre:
		p.w.WriteCodeBlock("", strings.Trim(text, "\n"))
	case isHeading(kind):
		p.w.WriteHeading(int(kind[1]-'0'), text)
	case kind == "li":
		p.w.WriteItem(p.lists-1, "-", text)
	default:
		p.w.WriteParagraph(strings.TrimSpace(text))
	}
}

// collapsed returns text with every run of white space turned into one space,
// at its ends too.
func collapsed(text string) string {
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

// altOf returns the alternative text of the image whose tag was read.
func altOf(z *html.Tokenizer) string {
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
