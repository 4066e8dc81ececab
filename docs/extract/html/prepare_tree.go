package html

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"vademecum/docs/extract"
	"vademecum/docs/extract/markdown"
	"vademecum/internal/base/lazyregexp"
)

// Elements that are renamed before conversion: to div, which becomes a block, or to span, which
// leaves no trace. Inline emphasis and code lose their marks, as in all formats.
var (
	elementsAsDiv = wordSet(`body button center frameset hgroup label legend menuitem noscript optgroup option search select summary
		svg:desc svg:text svg:title textarea`)
	elementsAsSpan = wordSet("a abbr b bdi bdo big cite code del dfn em font i ins kbd mark q rb rtc s samp small strike strong sub sup time tt u var")
	elementsAsList = wordSet("dir menu")
)

const maxShownURL = 300 // maximum length in bytes of an address that is shown because its link has no text

const maxNested = 32 // maximum depth of nested lists and quotations: the converter copies the inner ones once per level

// surroundings say what is around an element.
type surroundings struct {
	nested   int  // number of lists and quotations
	isStruck bool // whether it is within struck-out text
	isCode   bool // whether it is within preformatted text
}

// prepareTree reshapes the tree under n, from the leaves up, into a form that the converter handles
// well.
func prepareTree(n *html.Node, around surroundings) {
	around.isStruck = around.isStruck || strikesOut(n)
	around.isCode = around.isCode || isElement(n, "pre")
	for c := n.FirstChild; c != nil; {
		next := c.NextSibling
		switch {
		case c.Type == html.CommentNode || isDropped(c):
			n.RemoveChild(c)
		case c.Type == html.ElementNode:
			inner := around
			inner.nested += indentation(c)
			prepareTree(c, inner)
			if around.nested >= maxNested && indentation(c) > 0 {
				renameElement(c, "div")
			}
			simplifyElement(c)
		}
		c = next
	}
	joinTextNodes(n)
	if !around.isCode {
		escapeTildes(n)
	}
	if around.isStruck {
		markStruckTexts(n)
	}
}

// indentation returns 1 for an element whose lines the converter indents, otherwise 0.
func indentation(n *html.Node) int {
	switch n.Data {
	case "ul", "ol", "menu", "dir", "blockquote":
		return 1
	}
	return 0
}

func isDropped(n *html.Node) bool {
	return n.Type == html.ElementNode && droppedElements[n.Data] || isElement(n, "title")
}

// joinTextNodes joins the adjacent text nodes under n.
func joinTextNodes(n *html.Node) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type != html.TextNode {
			continue
		}
		if next := c.NextSibling; next != nil && next.Type == html.TextNode {
			var b strings.Builder
			b.WriteString(c.Data)
			for next != nil && next.Type == html.TextNode {
				b.WriteString(next.Data)
				n.RemoveChild(next)
				next = c.NextSibling
			}
			c.Data = b.String()
		}
		c.Data = hideAngles.Replace(c.Data)
	}
}

// simplifyElement simplifies an element whose children have been prepared.
func simplifyElement(n *html.Node) {
	name := n.Data
	if n.Namespace != "" {
		name = n.Namespace + ":" + name
	}
	switch name {
	case "a":
		showAddress(n)
	case "img", "area":
		replaceByText(n, altText(n))
	case "input":
		replaceByText(n, inputText(n))
	case "select":
		keepChosenOptions(n)
	case "ruby":
		showRuby(n)
	case "table":
		if isLayout(n) {
			unfoldLayoutTable(n)
		}
		return
	case "pre":
		if strings.Contains(nodeText(n), struckStart) {
			unfoldStruckLines(n)
			return
		}
		showLanguage(n)
	case "del", "ins", "s", "strike":
		separateChange(n)
	}
	if name == "sup" || isNoteReference(n) || raisedStyle.MatchString(attributeValue(n, "style")) {
		showSuperscript(n)
	}
	switch {
	case elementsAsDiv[name]:
		renameElement(n, "div")
	case elementsAsSpan[name]:
		renameElement(n, "span")
	case elementsAsList[name]:
		renameElement(n, "ul")
	}
}

func renameElement(n *html.Node, name string) {
	n.Data, n.DataAtom, n.Namespace = name, atom.Lookup([]byte(name)), ""
}

func replaceByText(n *html.Node, text string) {
	n.Type, n.Data, n.DataAtom, n.Attr = html.TextNode, text, 0, nil
}

func appendText(n *html.Node, text string) {
	n.AppendChild(&html.Node{Type: html.TextNode, Data: text})
}

// showAddress adds the address to a link that has no text. The addresses of other links are
// omitted, because nobody searches for them.
func showAddress(n *html.Node) {
	if next := n.NextSibling; next != nil && isElement(next, "a") {
		appendText(n, " ")
	}
	href := attributeValue(n, "href")
	if len(href) > maxShownURL || strings.Contains(href, "?") || !strings.HasPrefix(href, "http://") && !strings.HasPrefix(href, "https://") && !strings.HasPrefix(href, "mailto:") {
		return
	}
	if nodeText(n) == "" {
		appendText(n, strings.TrimPrefix(href, "mailto:"))
	}
}

// separateChange inserts a space between deleted text and its replacement: "5 mg10 mg" is not a
// dose.
func separateChange(n *html.Node) {
	next := n.NextSibling
	isPut := next != nil && next.Type == html.ElementNode && (n.Data != "ins" || next.Data == "del" || next.Data == "s" || next.Data == "strike")
	isFollowed := next != nil && next.Type == html.TextNode && n.Data != "ins" && isHeadingLength(n) && markdown.IsReplacement(nodeText(n), next.Data)
	if isFollowed && n.PrevSibling != nil && n.PrevSibling.Type == html.TextNode {
		before, _ := utf8.DecodeLastRuneInString(n.PrevSibling.Data)
		isFollowed = !markdown.IsWithinNumber(before, strings.Trim(nodeText(n), struckStart+struckEnd), next.Data)
	}
	if isPut || isFollowed {
		appendText(n, " ")
	}
}

// showLanguage copies the class of the code element in pre, which names the language, to pre
// itself, where the converter looks for it.
func showLanguage(pre *html.Node) {
	if code := pre.FirstChild; code != nil && code.Type == html.ElementNode && attributeValue(pre, "class") == "" {
		pre.Attr = append(pre.Attr, html.Attribute{Key: "class", Val: attributeValue(code, "class")})
	}
}

// altText returns the alternative text or title of a picture.
func altText(n *html.Node) string {
	text := attributeValue(n, "alt")
	if text == "" {
		text = attributeValue(n, "title")
	}
	if strings.HasPrefix(text, "data:") {
		return ""
	}
	return text
}

// inputText returns the value of a form field, or the label of a button.
func inputText(n *html.Node) string {
	switch strings.ToLower(attributeValue(n, "type")) {
	case "", "text", "submit", "button":
		return " " + attributeValue(n, "value") + " "
	case "image":
		return altText(n)
	case "checkbox":
		if mark := taskMark(n); mark != "" {
			return mark
		}
		return formMark(n)
	case "radio":
		return formMark(n)
	}
	return ""
}

// formMark returns the mark of a check box or a radio button of a form. One outside of a form that
// has an identifier belongs to a menu or to tabs that open without a script, by labels elsewhere.
func formMark(n *html.Node) string {
	mark := " " + string(extract.CheckboxRune(hasAttribute(n, "checked"))) + " "
	if !hasAttribute(n, "id") {
		return mark
	}
	for p := n.Parent; p != nil; p = p.Parent {
		if isElement(p, "form") || isElement(p, "fieldset") {
			return mark
		}
	}
	return ""
}

// keepChosenOptions removes from a list, whose options have been prepared, those that are not
// chosen. It keeps all if none is, since such a list says what may be chosen.
func keepChosenOptions(list *html.Node) {
	var chosen []*html.Node
	for n := range list.Descendants() {
		if n.Type == html.ElementNode && hasAttribute(n, "selected") && !hasAttribute(n, "disabled") { // a disabled one asks to choose
			chosen = append(chosen, n)
		}
	}
	if len(chosen) == 0 {
		return
	}
	if !hasAttribute(list, "multiple") {
		chosen = chosen[len(chosen)-1:] // as browsers do
	}
	for c := list.FirstChild; c != nil; c = list.FirstChild {
		list.RemoveChild(c)
	}
	for _, n := range chosen {
		if n.Parent != nil { // in a group
			n.Parent.RemoveChild(n)
		}
		list.AppendChild(n)
	}
}

// taskMark returns the mark of a task, which is a check box that nobody can change or that has a
// label, at the beginning of a list item. Other check boxes belong to forms and to menus.
func taskMark(n *html.Node) string {
	if !hasAttribute(n, "disabled") && !isElement(n.Parent, "label") || !beginsItem(n) {
		return ""
	}
	if hasAttribute(n, "checked") {
		return "[x] "
	}
	return "[ ] "
}

// beginsItem reports whether a node is the first content of a list item, with at most a few elements
// between them.
func beginsItem(n *html.Node) bool {
	const maxLevels = 4
	for range maxLevels {
		if !isFirstContent(n) || n.Parent == nil {
			return false
		}
		if n = n.Parent; isElement(n, "li") {
			return true
		}
	}
	return false
}

// isFirstContent reports whether nothing but a few blank text nodes comes before a node in its parent.
func isFirstContent(n *html.Node) bool {
	const maxBlanks = 4
	blanks := 0
	for c := n.PrevSibling; c != nil; c = c.PrevSibling {
		if blanks++; blanks > maxBlanks || c.Type != html.TextNode || strings.TrimSpace(c.Data) != "" {
			return false
		}
	}
	return true
}

// showRuby writes ruby annotations (readings of characters) in parentheses after the whole
// annotated text, so that words are not split.
func showRuby(n *html.Node) {
	var notes strings.Builder
	for c := n.FirstChild; c != nil; {
		next := c.NextSibling
		if isElement(c, "rt") || isElement(c, "rtc") {
			notes.WriteString(nodeText(c))
		}
		if isElement(c, "rt") || isElement(c, "rtc") || isElement(c, "rp") {
			n.RemoveChild(c)
		}
		c = next
	}
	if notes.Len() > 0 {
		appendText(n, "("+notes.String()+")")
	}
	joinTextNodes(n)
	renameElement(n, "span")
}

// isNoteReference reports whether a link leads to a note (EPUB 3 Structural Semantics 1.1, Digital
// Publishing WAI-ARIA 1.0). The style sheets of books usually show its number as superscript.
func isNoteReference(n *html.Node) bool {
	return n.Data == "a" && (strings.Contains(attributeValue(n, "epub:type"), "noteref") || attributeValue(n, "role") == "doc-noteref" || attributeValue(n, "class") == "footnote-ref")
}

var raisedStyle = lazyregexp.New(`(?i)vertical-align\s*:\s*super`)

// showSuperscript converts superscript digits into Unicode superscript characters, so that 10⁹ does
// not become 109. They may be links to notes. Text with letters is left unchanged.
func showSuperscript(n *html.Node) {
	var texts []*html.Node
	for c := range n.Descendants() {
		if c.Type != html.TextNode {
			continue
		}
		if strings.ContainsFunc(c.Data, unicode.IsLetter) {
			return
		}
		texts = append(texts, c)
	}
	for _, c := range texts {
		c.Data = markdown.Superscript(c.Data)
	}
}
