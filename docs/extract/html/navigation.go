package html

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/net/html"
)

// leastBeside is the minimum number of letters that a page must have outside its navigation for the
// navigation to be left out. The purpose of a page with fewer is to link to others.
const leastBeside = 60

// dropNavigation removes navigation elements: their links repeat on every page of a site, so they
// would match every query.
func dropNavigation(tree *html.Node) {
	var navs []*html.Node
	for n := range tree.Descendants() {
		if n.Type == html.ElementNode && (n.Data == "nav" || strings.EqualFold(attributeValue(n, "role"), "navigation")) {
			navs = append(navs, n)
		}
	}
	if len(navs) == 0 || countLettersOutside(tree, navs) < leastBeside {
		return
	}
	for _, n := range navs {
		n.Parent.RemoveChild(n)
	}
}

// countLettersOutside counts the letters under the node n, except those under one of the nodes in
// others. It stops counting at about leastBeside.
func countLettersOutside(n *html.Node, others []*html.Node) int {
	if slices.Contains(others, n) || isDropped(n) {
		return 0
	}
	count := 0
	if n.Type == html.TextNode {
		count = countLetters(n.Data)
	}
	for c := n.FirstChild; c != nil && count < leastBeside; c = c.NextSibling {
		count += countLettersOutside(c, others)
	}
	return count
}

// IsTableOfContents reports whether nearly all letters of a page are in links, so that it is a table of
// contents.
func IsTableOfContents(source string) bool {
	const share = 5 // minimum number of letters in links for each letter outside
	if IsXHTML(source) {
		source = ExpandSelfClosingTags(source)
	}
	linked, others, inLink, hidden := 0, 0, false, ""
	for z := html.NewTokenizer(strings.NewReader(source)); ; {
		kind := z.Next()
		name, _ := z.TagName()
		switch tag := string(name); {
		case kind == html.ErrorToken:
			return linked > 0 && others <= leastBeside+linked/share
		case kind == html.TextToken && hidden != "":
		case kind == html.TextToken && inLink:
			linked += countLetters(string(z.Text()))
		case kind == html.TextToken:
			others += countLetters(string(z.Text()))
		case kind == html.StartTagToken && hidden == "" && (tag == "head" || droppedElements[tag] && !voidElements[tag]):
			hidden = tag
		case kind == html.EndTagToken && tag == hidden:
			hidden = ""
		case tag == "a":
			inLink = kind == html.StartTagToken
		}
	}
}

func countLetters(text string) (count int) {
	for _, r := range text {
		if unicode.IsLetter(r) {
			count++
		}
	}
	return count
}
