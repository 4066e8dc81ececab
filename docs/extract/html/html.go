// Package html converts web pages into Markdown. It builds a tree of their elements if that is
// small enough, and otherwise converts them tag by tag. It loads no referenced files.
package html

import (
	"errors"
	"strings"

	"golang.org/x/net/html"

	"vademecum/docs/extract"
	"vademecum/docs/extract/charset"
	"vademecum/docs/extract/markdown"
	"vademecum/internal/base/lazyregexp"
)

// Limits above which a page is converted tag by tag, without a tree of its elements, which can be
// far larger than the page.
const (
	maxTreeSize     = 10 << 20 // maximum bytes of HTML
	maxTreeElements = 300_000
	maxReopened     = 1_000_000 // maximum number of elements that the parser reopens, such as <b> in <p><b>…<p>
	maxRejoined     = 1 << 30   // maximum bytes that the parser copies to join text nodes
	maxAttributes   = 1_000     // maximum attributes of one element
)

// Read reads a web page.
func Read(raw []byte, _ extract.ProgressReporter) (extract.Content, error) {
	d, err := Decode(raw)
	if err != nil {
		return extract.Content{}, err
	}
	text, title, err := Markdown(d.Text)
	if err != nil {
		return extract.Content{}, err
	}
	return extract.Content{Text: text, Form: extract.Markdown, Title: markdown.RemoveGeneratedTitle(title), Encoding: d.Encoding, IsEncodingGuessed: d.IsGuessed}, nil
}

// declarationLength is how many bytes at the start of a page are searched for an encoding
// declaration. It is more than the 1024 of the HTML Standard, for pages that begin with scripts.
const declarationLength = 64 << 10

var encodingDeclaration = lazyregexp.New(`(?i)(?:<meta\s[^>]*charset\s*=\s*["']?|^\s*<\?xml\s[^>]*encoding\s*=\s*["'])\s*([a-z0-9_.:-]+)`)

// Decode decodes a page in the encoding that it declares, unless the bytes contradict that.
func Decode(raw []byte) (charset.DecodedText, error) {
	label := ""
	if m := encodingDeclaration.FindSubmatch(raw[:min(len(raw), declarationLength)]); m != nil {
		label = string(m[1])
	}
	if strings.HasPrefix(strings.ToLower(label), "utf-16") {
		label = "utf-8" // if the declaration is readable as ASCII, the page is not in UTF-16
	}
	return charset.DecodeCheckingLabel(raw, label)
}

// Markdown converts decoded HTML into Markdown, and returns the title of the page. It fails with an
// *extract.SkipError if there is no text or too much. The Markdown ends with a line feed.
func Markdown(source string) (markdown, title string, err error) {
	return StyledMarkdown(source, nil)
}

// StyledMarkdown converts a page like Markdown, and applies the style sheets to which it links as if
// they preceded its own style elements. The sheets may be used for several pages at the same time.
func StyledMarkdown(source string, sheets []*StyleSheet) (markdown, title string, err error) {
	source = strings.ReplaceAll(source, "\x00", "")
	if IsXHTML(source) {
		source = ExpandSelfClosingTags(source)
	}
	var text string
	if fitsInTree(source) {
		text, title, err = treeMarkdown(source, sheets)
	}
	if text == "" && err != extract.ErrNoText {
		text, title, err = flatMarkdown(source, sheets)
	}
	var reason *extract.SkipError
	switch {
	case errors.As(err, &reason):
		return "", title, err
	case len(text) > extract.MaxTextBytes:
		return "", title, extract.ErrTooMuchText
	case strings.TrimSpace(text) == "":
		return "", title, extract.ErrNoText
	}
	return strings.TrimRight(text, "\n") + "\n", title, nil
}

var (
	xhtmlStart = lazyregexp.New(`(?i)^\s*<\?xml|<html[^>]+xmlns`)
	emptyTag   = lazyregexp.New(`<([A-Za-z][A-Za-z0-9:._-]*)((?:\s[^<>]*)?)/>`)
)

// IsXHTML reports whether a page is written in XML.
func IsXHTML(source string) bool {
	return xhtmlStart.MatchString(source[:min(len(source), declarationLength)])
}

// ExpandSelfClosingTags replaces each self-closing XHTML tag that HTML would leave open by a start tag and an
// end tag: in HTML, <title/> stays open until the end of the file.
func ExpandSelfClosingTags(page string) string {
	return emptyTag.ReplaceAllStringFunc(page, func(tag string) string {
		m := emptyTag.FindStringSubmatch(tag)
		if voidElements[strings.ToLower(m[1])] {
			return tag
		}
		return "<" + m[1] + m[2] + "></" + m[1] + ">"
	})
}

// wordSet returns the set of the words in s.
func wordSet(s string) map[string]bool {
	set := make(map[string]bool)
	for _, w := range strings.Fields(s) {
		set[w] = true
	}
	return set
}

// HTML elements by category (HTML Standard).
var (
	voidElements       = wordSet("area base br col embed hr img input link meta param source track wbr")
	formattingElements = wordSet("a b big code em font i nobr s small strike strong tt u")
	tableElements      = wordSet("caption col colgroup tbody td tfoot th thead tr")
	droppedElements    = wordSet("base head iframe link meta noembed noframes script style template")
)

// fitsInTree reports whether the cost of parsing a page into a tree stays within the limits.
func fitsInTree(source string) bool {
	if len(source) > maxTreeSize {
		return false
	}
	var c treeCost
	for z := html.NewTokenizer(strings.NewReader(source)); !c.exceedsLimits(); {
		switch z.Next() {
		case html.ErrorToken:
			return true
		case html.TextToken:
			c.addText(len(z.Raw()))
		case html.StartTagToken, html.SelfClosingTagToken:
			c.startTag(z)
		case html.EndTagToken:
			name, _ := z.TagName()
			c.endTag(string(name))
		}
	}
	return false
}

// A treeCost estimates what the HTML parser spends on building a tree.
type treeCost struct {
	elements, reopened, rejoined int
	formatting                   map[string]int // number of open formatting elements, by name
	openFormatting               int            // total number of open formatting elements
	textRun                      int            // bytes of text that may become one node
	attributes                   int
	inSelect                     bool
}

func (c *treeCost) exceedsLimits() bool {
	return c.elements > maxTreeElements || c.reopened > maxReopened || c.rejoined > maxRejoined || c.attributes > maxAttributes
}

func (c *treeCost) addText(length int) {
	c.rejoined += c.textRun
	c.textRun += length
}

func (c *treeCost) startTag(z *html.Tokenizer) {
	tag, more := z.TagName()
	name := string(tag)
	c.elements++
	c.reopened += c.openFormatting
	c.inSelect = c.inSelect || name == "select"
	if formattingElements[name] {
		if c.formatting == nil {
			c.formatting = make(map[string]int)
		}
		c.formatting[name]++
		c.openFormatting++
	}
	if !tableElements[name] && !c.inSelect {
		c.textRun = 0
	}
	c.attributes = 0
	for more && !c.exceedsLimits() {
		_, _, more = z.TagAttr()
		c.attributes++
	}
}

func (c *treeCost) endTag(name string) {
	if c.formatting[name] > 0 {
		c.formatting[name]--
		c.openFormatting--
	}
	if name == "select" {
		c.inSelect = false
	}
}
