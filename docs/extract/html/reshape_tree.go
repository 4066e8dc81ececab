package html

import (
	"slices"
	"strings"

	"golang.org/x/net/html"

	"vademecum/docs/extract/formula"
	"vademecum/docs/extract/markdown"
	"vademecum/internal/base/lazyregexp"
)

// reshapeTree removes parts of a tree that are not text or are duplicates, and corrects structures
// that the HTML Standard does not allow, so that words are not joined.
func reshapeTree(tree *html.Node) {
	for _, n := range slices.Collect(tree.Descendants()) {
		switch {
		case n.Parent == nil: // already removed with one of its ancestors
		case n.Type == html.TextNode:
			if n.Parent.Data != "pre" {
				n.Data = wideBreak.ReplaceAllString(n.Data, "$1$2")
			}
		case n.Type != html.ElementNode:
		case isHeading(n.Data) && containsBlock(n):
			reshapeHeading(n)
		case n.Data == "li" && !listElements[n.Parent.Data]:
			renameElement(n, "div")
		case isFigure(n):
			dropRepeatedAlt(n)
		case n.Data == "math":
			reshapeFormula(n)
		case n.PrevSibling != nil && slices.ContainsFunc(strings.Fields(attributeValue(n, "class")), isFormulaCopy):
			n.Parent.RemoveChild(n)
		}
	}
}

var listElements = wordSet("dir menu ol ul")

// wideBreak matches a line end between characters of scripts without spaces (CSS Text Module Level
// 3, 4.1.3).
var wideBreak = lazyregexp.New(`([\p{Han}\p{Hiragana}\p{Katakana}，。、；：？！）」』】》])[ \t\r]*\n\s*([\p{Han}\p{Hiragana}\p{Katakana}（「『【《])`)

func isHeading(name string) bool {
	return len(name) == 2 && name[0] == 'h' && '1' <= name[1] && name[1] <= '6'
}

// reshapeHeading separates the blocks in a heading by spaces. A long heading with blocks is not a
// heading: its tag was not closed.
func reshapeHeading(n *html.Node) {
	if !isHeadingLength(n) {
		renameElement(n, "div")
		return
	}
	for _, b := range slices.Collect(n.Descendants()) {
		if b.Type == html.ElementNode && blockElements[b.Data] {
			b.Parent.InsertBefore(&html.Node{Type: html.TextNode, Data: " "}, b)
			renameElement(b, "span")
		}
	}
}

// isHeadingLength reports whether the text of an element is short enough for a heading or caption.
func isHeadingLength(n *html.Node) bool {
	length := 0
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			length += len(strings.TrimSpace(d.Data))
		}
		if length > 3*markdown.MaxHeadingCharacters {
			return false
		}
	}
	return true
}

// reshapeFormula replaces a formula by its TeX source if it has one, or else by its visible text.
func reshapeFormula(n *html.Node) {
	text := ""
	for d := range n.Descendants() {
		if d.Type == html.ElementNode && d.Data == "annotation" && attributeValue(d, "encoding") == "application/x-tex" {
			text = nodeText(d)
			break
		}
	}
	if text == "" {
		text = formula.MathMLText(formulaElement(n))
	}
	for n.FirstChild != nil {
		n.RemoveChild(n.FirstChild)
	}
	appendText(n, text)
}

// formulaElement returns a formula in a page as a tree of MathML elements.
func formulaElement(n *html.Node) *formula.Element {
	e := &formula.Element{Name: n.Data, Attributes: make(map[string]string)}
	for _, a := range n.Attr {
		e.Attributes[a.Key] = a.Val
	}
	for c := range n.ChildNodes() {
		switch {
		case c.Type == html.TextNode:
			e.Text += c.Data
		case c.Type == html.ElementNode && c.Data != "annotation" && c.Data != "annotation-xml":
			e.Children = append(e.Children, formulaElement(c))
		}
	}
	return e
}

// isFigure reports whether an element is a picture with a caption: a figure element, or a div with
// a class that programs used before figure existed.
func isFigure(n *html.Node) bool {
	return n.Data == "figure" || n.Data == "div" && slices.ContainsFunc(strings.Fields(attributeValue(n, "class")), func(class string) bool { return class == "figure" || class == "wp-caption" })
}

// dropRepeatedAlt removes alternative texts of pictures that repeat the caption of the figure.
func dropRepeatedAlt(figure *html.Node) {
	caption := ""
	var pictures []*html.Node
	for n := range figure.Descendants() {
		switch {
		case isElement(n, "img"):
			pictures = append(pictures, n)
		case caption == "" && n.Type == html.ElementNode && (n.Data == "figcaption" || strings.Contains(attributeValue(n, "class"), "caption")) && isHeadingLength(n):
			caption = nodeText(n)
		}
	}
	if caption == "" {
		return
	}
	for _, n := range pictures {
		n.Attr = slices.DeleteFunc(n.Attr, func(a html.Attribute) bool {
			return (a.Key == "alt" || a.Key == "title") && strings.Contains(caption, markdown.OneLine(a.Val))
		})
	}
}

// isFormulaCopy reports whether elements with this class repeat the preceding formula for browsers
// without MathML, as KaTeX and MediaWiki do.
func isFormulaCopy(class string) bool {
	return class == "katex-html" || strings.HasPrefix(class, "mwe-math-fallback-image-")
}
