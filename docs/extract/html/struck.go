package html

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"vademecum/docs/extract/markdown"
	"vademecum/internal/base/lazyregexp"
)

// Unicode noncharacters, which no text contains, stand at both ends of a struck-out text until the
// page has been converted: only then is it known which texts follow one another in a line.
const (
	struckStart = "\uFDD2"
	struckEnd   = "\uFDD3"
)

var (
	struckElements = wordSet("del s strike")
	struckStyle    = lazyregexp.New(`(?i)text-decoration(?:-line)?\s*:[^;]*\bline-through`)
)

// strikesOut reports whether an element strikes out its text, by its name or its style. Its
// children cannot undo that (CSS Text Decoration Module Level 3, 2).
func strikesOut(n *html.Node) bool {
	return n.Type == html.ElementNode && (struckElements[n.Data] || struckStyle.MatchString(attributeValue(n, "style")))
}

// markStruckTexts marks the text nodes that are children of n as struck out.
func markStruckTexts(n *html.Node) {
	for c := range n.ChildNodes() {
		text := strings.TrimSpace(c.Data)
		if c.Type != html.TextNode || text == "" {
			continue
		}
		start := strings.Index(c.Data, text)
		c.Data = c.Data[:start] + struckStart + text + struckEnd + c.Data[start+len(text):]
	}
}

// escapeTildes escapes the tildes in the text nodes that are children of n, so that they do not mark
// struck-out text.
func escapeTildes(n *html.Node) {
	for c := range n.ChildNodes() {
		if c.Type == html.TextNode {
			c.Data = markdown.EscapeTildes(c.Data)
		}
	}
}

// unfoldStruckLines turns preformatted text, some of which is struck out, into lines of a paragraph: in a
// code block, the marks would strike nothing out.
func unfoldStruckLines(pre *html.Node) {
	var texts []*html.Node
	for n := range pre.Descendants() {
		if n.Type == html.TextNode {
			texts = append(texts, n)
		}
	}
	for _, n := range texts {
		open, closing := "", ""
		if strings.Contains(n.Data, struckStart) {
			open, closing = struckStart, struckEnd
		}
		text := markdown.EscapeTildes(strings.NewReplacer(struckStart, "", struckEnd, "").Replace(n.Data))
		for i, line := range strings.Split(text, "\n") {
			if i > 0 {
				n.Parent.InsertBefore(&html.Node{Type: html.ElementNode, Data: "br", DataAtom: atom.Br}, n)
			}
			if content := strings.TrimSpace(line); content != "" {
				line = strings.Replace(line, content, open+content+closing, 1)
			}
			n.Parent.InsertBefore(&html.Node{Type: html.TextNode, Data: line}, n)
		}
		n.Parent.RemoveChild(n)
	}
	renameElement(pre, "div")
}

// showStruck replaces the marks of struck-out texts in a converted page by those of Markdown. Texts
// that follow one another in a paragraph get one pair.
func showStruck(page string) string {
	plain, rest, isFound := strings.Cut(page, struckStart)
	if !isFound {
		return page
	}
	var shown markdown.InlineText
	for {
		if strings.Contains(plain, "\n\n") {
			shown.FinishText()
		}
		shown.IsNextStruck = false
		shown.WriteMarkdown(strings.ReplaceAll(plain, struckEnd, ""))
		if !isFound {
			return shown.String()
		}
		var struck string
		struck, rest, _ = strings.Cut(rest, struckEnd)
		shown.IsNextStruck = true
		shown.WriteMarkdown(strings.ReplaceAll(struck, struckStart, ""))
		plain, rest, isFound = strings.Cut(rest, struckStart)
	}
}
