package html

import (
	"slices"
	"strings"

	"golang.org/x/net/html"

	"vademecum/internal/base/lazyregexp"
)

// applyStyles removes from a page what it hides from its readers, and reports whether it has removed
// anything. It also gives each element that a style sheet strikes out a style attribute that does so,
// and removes the strikethrough of each element to which a style sheet denies it.
func applyStyles(tree *html.Node, sheets []*StyleSheet) (hasRemoved bool) {
	f := hiddenFinder{tree: tree, styles: readPageStyles(tree, sheets), shownKinds: make(map[*html.Node]map[string]bool)}
	f.visit(tree, nil)
	links := make(map[*html.Node]bool)
	hidden := f.surelyHidden()
	for _, n := range hidden {
		if a := linkAround(n); a != nil {
			links[a] = true
		}
		n.Parent.RemoveChild(n)
	}
	for a := range links { // a link without text would be shown as its address
		if !containsText(a) && !containsElement(a, "img") {
			a.Parent.RemoveChild(a)
		}
	}
	return len(hidden) > 0
}

// addDeclaration adds a declaration to the style attribute of an element.
func addDeclaration(n *html.Node, declaration string) {
	for i := range n.Attr {
		if n.Attr[i].Key == "style" {
			n.Attr[i].Val += ";" + declaration
			return
		}
	}
	n.Attr = append(n.Attr, html.Attribute{Key: "style", Val: declaration})
}

// removeStrike changes an element that strikes out its text, by its name or its style attribute, to one
// that does not.
func removeStrike(n *html.Node) {
	if struckElements[n.Data] {
		renameElement(n, "span")
	}
	for i := range n.Attr {
		if n.Attr[i].Key == "style" {
			n.Attr[i].Val = struckStyle.ReplaceAllString(n.Attr[i].Val, "")
		}
	}
}

// linkAround returns the link that n is in, a few levels up, or nil.
func linkAround(n *html.Node) *html.Node {
	const maxLevels = 4
	for range maxLevels {
		if n = n.Parent; n == nil || isElement(n, "a") {
			return n
		}
	}
	return nil
}

func containsElement(n *html.Node, name string) bool {
	for d := range n.Descendants() {
		if isElement(d, name) {
			return true
		}
	}
	return false
}

// A hiddenFinder finds the hidden parts of a page.
type hiddenFinder struct {
	tree     *html.Node
	styles   *pageStyles
	found    []hiddenPart
	controls *controls // what can open parts of the page; nil until it is needed

	shownKinds map[*html.Node]map[string]bool // kinds of the shown children of an element, by that element; see elementKinds
}

// A hiddenPart is a hidden element or text. whole is the hidden element that it is or is in.
type hiddenPart struct{ node, whole *html.Node }

// visit finds the hidden parts under n. invisible is the element whose visibility hides n, although
// elements in n may be visible again; nil if there is none.
func (f *hiddenFinder) visit(n, invisible *html.Node) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type != html.ElementNode {
			if c.Type == html.TextNode && invisible != nil {
				f.found = append(f.found, hiddenPart{c, invisible})
			}
			continue
		}
		if isDropped(c) {
			continue
		}
		style := f.styles.styleOf(c)
		switch isStruck := strikesOut(c); {
		case style.isStruck && !isStruck:
			addDeclaration(c, "text-decoration:line-through")
		case !style.isStruck && isStruck:
			removeStrike(c)
		}
		isRoot := c.Data == "html" || c.Data == "body" // these are often hidden until a script has run
		switch {
		case style.isHidden && !isRoot && !f.canBeOpened(c) && !holdsFormula(c):
			f.found = append(f.found, hiddenPart{c, c})
			continue
		case invisible != nil && replacedElements[c.Data] && style.visibility != "visible":
			f.found = append(f.found, hiddenPart{c, invisible})
			continue
		}
		inner := invisible
		switch style.visibility {
		case "visible":
			inner = nil
		case "hidden":
			if inner == nil && !isRoot && !f.canBeOpened(c) {
				inner = c
			}
		}
		f.visit(c, inner)
	}
}

// holdsFormula reports whether a hidden element is the text of a formula that is shown as a picture,
// as MediaWiki does.
func holdsFormula(n *html.Node) bool {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode {
			return c.Data == "math"
		}
	}
	return false
}

// replacedElements are elements whose text is in an attribute, not below them in the tree.
var replacedElements = wordSet("area img input")

// leastUnfinished is the minimum number of letters in a hidden part that is taken for the content of a
// page, which a script has not shown yet.
const leastUnfinished = 1000

// surelyHidden returns the hidden parts that were found, except those that are taken for the content
// of a page which a script has yet to show: a part with most of the text of the page, or all parts if
// nothing else is shown and the page has scripts.
func (f *hiddenFinder) surelyHidden() []*html.Node {
	letters := make(map[*html.Node]int) // by hiddenPart.whole
	shown := textLetters(f.tree)
	for _, p := range f.found {
		count := textLetters(p.node)
		letters[p.whole] += count
		shown -= count
	}
	if shown == 0 && len(f.found) > 0 && f.readControls().hasScripts {
		return nil
	}
	var surely []*html.Node
	for _, p := range f.found {
		if letters[p.whole] < max(shown, leastUnfinished) {
			surely = append(surely, p.node)
		}
	}
	return surely
}

// textLetters counts the letters under n, and of n itself if it is text.
func textLetters(n *html.Node) int {
	if n.Type == html.TextNode {
		return countLetters(n.Data)
	}
	if isDropped(n) {
		return 0
	}
	count := 0
	for c := range n.ChildNodes() {
		count += textLetters(c)
	}
	return count
}

// canBeOpened reports whether a reader can probably open a hidden element, such as the panel of a tab
// or the answer under a question.
func (f *hiddenFinder) canBeOpened(n *html.Node) bool {
	c := f.readControls()
	id := attributeValue(n, "id")
	role := attributeValue(n, "role")
	switch {
	case role == "tabpanel" || role == "region" && hasAttribute(n, "aria-labelledby"):
		return true
	case id != "" && (c.targets[id] || c.scriptWords[id]):
		return true
	case isBesideControl(n):
		return true
	case namesOpening(n) || n.Parent != nil && namesOpening(n.Parent):
		return true
	case c.hasScripts && f.isOneOfSeveral(n):
		return true
	}
	return slices.ContainsFunc(strings.Fields(attributeValue(n, "class")), func(class string) bool { return c.scriptWords[class] })
}

// isOneOfSeveral reports whether a sibling of the same kind as n is shown, so that a script may show
// the siblings in turn, or more of them on request.
func (f *hiddenFinder) isOneOfSeveral(n *html.Node) bool {
	shown, isKnown := f.shownKinds[n.Parent]
	if !isKnown {
		shown = make(map[string]bool)
		for c := range n.Parent.ChildNodes() {
			if c.Type == html.ElementNode && !f.styles.styleOf(c).isHidden {
				for _, kind := range elementKinds(c) {
					shown[kind] = true
				}
			}
		}
		f.shownKinds[n.Parent] = shown
	}
	return slices.ContainsFunc(elementKinds(n), func(kind string) bool { return shown[kind] })
}

// elementKinds returns the kinds of an element: its name with each of its classes and, for a table row
// or a list item, also the name alone.
func elementKinds(n *html.Node) []string {
	var kinds []string
	for _, class := range strings.Fields(attributeValue(n, "class")) {
		kinds = append(kinds, n.Data+" "+class)
	}
	if n.Data == "li" || n.Data == "tr" {
		kinds = append(kinds, n.Data)
	}
	return kinds
}

// isBesideControl reports whether the element before n is or contains a button.
func isBesideControl(n *html.Node) bool {
	before := n.PrevSibling
	for before != nil && before.Type != html.ElementNode {
		before = before.PrevSibling
	}
	if before == nil {
		return false
	}
	if isControl(before) {
		return true
	}
	for e := range before.ChildNodes() {
		if e.Type == html.ElementNode && isControl(e) {
			return true
		}
	}
	return false
}

func isControl(n *html.Node) bool {
	return n.Data == "button" || hasAttribute(n, "aria-expanded") || hasAttribute(n, "onclick")
}

var (
	openingNames    = wordSet("tab tabs tabcontent pane accordion spoiler faq answer solution hint details more carousel navcontent")
	openingPrefixes = []string{"collaps", "toggle", "expand", "slide"}
)

// namesOpening reports whether the class or id of an element says that it can be opened, as in
// faq-answer or collapsible.
func namesOpening(n *html.Node) bool {
	names := strings.ToLower(attributeValue(n, "class") + " " + attributeValue(n, "id"))
	return slices.ContainsFunc(strings.FieldsFunc(names, isNameEnd), func(name string) bool {
		return openingNames[name] || slices.ContainsFunc(openingPrefixes, func(prefix string) bool { return strings.HasPrefix(name, prefix) })
	})
}

func isNameEnd(r rune) bool { return r == ' ' || r == '-' || r == '_' || r == '\t' || r == '\n' }

// controls are what can open hidden parts of a page.
type controls struct {
	targets     map[string]bool // ids that links and buttons name
	scriptWords map[string]bool // words in the texts of scripts
	hasScripts  bool
}

var (
	quotedText = lazyregexp.New("\"[^\"\n]{1,200}\"|'[^'\n]{1,200}'|`[^`\n]{1,200}`")
	nameWord   = lazyregexp.New(`[\w-]+`)
)

func (f *hiddenFinder) readControls() *controls {
	if f.controls != nil {
		return f.controls
	}
	f.controls = &controls{targets: make(map[string]bool), scriptWords: make(map[string]bool)}
	for n := range f.tree.Descendants() {
		switch {
		case n.Type != html.ElementNode:
		case isElement(n, "script"):
			f.controls.addScript(n)
		default:
			f.controls.addTargets(n)
		}
	}
	return f.controls
}

func (c *controls) addScript(n *html.Node) {
	switch kind := strings.ToLower(attributeValue(n, "type")); {
	case kind != "" && kind != "module" && !strings.HasSuffix(kind, "javascript"):
		return // data
	}
	c.hasScripts = true
	if n.FirstChild != nil {
		c.addQuotedWords(n.FirstChild.Data)
	}
}

func (c *controls) addQuotedWords(script string) {
	for _, text := range quotedText.FindAllString(script, -1) {
		for _, word := range nameWord.FindAllString(text, -1) {
			c.scriptWords[word] = true
		}
	}
}

func (c *controls) addTargets(n *html.Node) {
	for _, a := range n.Attr {
		switch {
		case strings.HasPrefix(a.Key, "on"):
			c.hasScripts = true
			c.addQuotedWords(a.Val)
		case a.Key == "href" && n.Data == "a" && strings.HasPrefix(a.Val, "#"),
			a.Key == "popovertarget", a.Key == "commandfor", a.Key == "aria-controls", strings.HasPrefix(a.Key, "data-") && len(a.Val) <= maxTargetLength:
			for _, id := range strings.Fields(a.Val) {
				c.targets[strings.TrimPrefix(id, "#")] = true
			}
		}
	}
}

const maxTargetLength = 100 // maximum length of an attribute that may name an element
