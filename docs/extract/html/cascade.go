package html

import (
	"slices"
	"strings"

	"golang.org/x/net/html"

	"vademecum/internal/base/lazyregexp"
)

// An elementStyle says whether the text of an element is shown and struck out, according to the
// declarations for the element itself and not for those around it.
type elementStyle struct {
	isHidden   bool   // whether the element and everything in it are hidden
	visibility string // "hidden", "visible", or "" if it is that of the element around it
	isStruck   bool
}

// A precedence says which of several declarations of a property wins (CSS Cascading Level 3, 6).
type precedence struct{ level, specificity, order int }

// The levels of declarations, from the weakest.
const (
	byBrowser = iota
	byRule
	byAttribute
	byImportantRule
	byImportantAttribute
)

func (p precedence) beats(other precedence) bool {
	if p.level != other.level {
		return p.level > other.level
	}
	if p.specificity != other.specificity {
		return p.specificity > other.specificity
	}
	return p.order >= other.order
}

// A cascade determines the value of a property of an element. It holds the winning one of the
// declarations that apply in every window and state, and the strongest of those that apply only in
// some.
type cascade struct {
	hiding     map[string]bool // values that hide the element
	value      string
	precedence precedence
	otherValue string
	otherLevel int
}

// unknownValues are values that leave the decision to weaker declarations.
var unknownValues = wordSet("revert revert-layer")

func (c *cascade) add(d declaration, p precedence) {
	if d.isImportant {
		p.level += byImportantRule - byRule
	}
	if d.value != "" && !unknownValues[d.value] && !strings.Contains(d.value, "var(") && p.beats(c.precedence) {
		c.value, c.precedence = d.value, p
	}
}

// addUncertain adds a declaration that applies only in some windows or states. It ignores one that
// hides the element.
func (c *cascade) addUncertain(d declaration) {
	level := byRule
	if d.isImportant {
		level = byImportantRule
	}
	if d.value != "" && !c.hiding[d.value] && level >= c.otherLevel {
		c.otherValue, c.otherLevel = d.value, level
	}
}

var (
	hidingDisplay    = wordSet("none")
	hidingVisibility = wordSet("hidden collapse")
)

// isHiding reports whether the property hides the element in every window and state. An element that
// is shown in some, such as on a phone or under the pointer, can be read there.
func (c *cascade) isHiding() bool {
	return c.hiding[c.value] && (c.otherValue == "" || c.otherLevel < c.precedence.level)
}

// styleOf returns the style that a page and its style sheets give an element.
func (s *pageStyles) styleOf(n *html.Node) elementStyle {
	display, visibility, decoration := cascade{hiding: hidingDisplay}, cascade{hiding: hidingVisibility}, cascade{}
	if isHiddenByBrowser(n) {
		display.value = "none"
	}
	if struckElements[n.Data] {
		decoration.value = "line-through"
	}
	s.eachRule(n, func(r *styleRule, order int, isCertain bool) {
		p := precedence{byRule, r.specificity(), order}
		if isCertain {
			decoration.add(r.decoration, p)
		}
		if isCertain && (len(r.around) == 0 || !s.isScripted) { // a script may change the elements around, to show this one
			display.add(r.display, p)
			visibility.add(r.visibility, p)
			return
		}
		display.addUncertain(r.display)
		visibility.addUncertain(r.visibility)
	})
	if inline := attributeValue(n, "style"); inline != "" {
		d, p := readDeclarations(inline), precedence{level: byAttribute}
		display.add(d.display, p)
		visibility.add(d.visibility, p)
		decoration.add(d.decoration, p)
		if flattened.MatchString(inline) && clipped.MatchString(inline) {
			display.add(declaration{value: "none", isImportant: true}, p)
		}
	}
	style := elementStyle{isHidden: display.isHiding(), isStruck: isDeletion(n) || strings.Contains(decoration.value, "line-through")}
	switch {
	case visibility.isHiding():
		style.visibility = "hidden"
	case visibility.value != "" || visibility.otherValue != "":
		style.visibility = "visible"
	}
	return style
}

// isDeletion reports whether an element is text that its author removed, whatever it looks like (HTML Standard,
// 4.7.2): some pages colour it instead of striking it out. Other elements of struckElements may be used for
// their looks alone, such as <s> for an icon.
func isDeletion(n *html.Node) bool { return n.Data == "del" }

// Patterns for the style attribute of a text that has no height. The preview texts of mails are often
// hidden in this way as well, for programs that ignore the property display.
var (
	flattened = lazyregexp.New(`(?i)(?:^|[;\s])max-height\s*:\s*0(?:px|em|%)?\s*(?:;|!|$)`)
	clipped   = lazyregexp.New(`(?i)(?:^|[;\s])overflow\s*:\s*hidden`)
)

// isHiddenByBrowser reports whether a browser hides the element if no style sheet says otherwise (HTML
// Standard, 15.3.1 and 6.1). An element with hidden="until-found" is not hidden, as a text search in
// the browser shows it.
func isHiddenByBrowser(n *html.Node) bool {
	if isElement(n, "dialog") && !hasAttribute(n, "open") {
		return true
	}
	return hasAttribute(n, "hidden") && !strings.EqualFold(attributeValue(n, "hidden"), "until-found")
}

// eachRule calls f with each rule for the element, and with its order among all rules of the page.
// isCertain is false for a rule that may apply only in some states of the page.
func (s *pageStyles) eachRule(n *html.Node, f func(r *styleRule, order int, isCertain bool)) {
	if !slices.ContainsFunc(s.sheets, func(sheet *StyleSheet) bool { return sheet.count > 0 }) {
		return
	}
	id, classes := attributeValue(n, "id"), strings.Fields(attributeValue(n, "class"))
	keys := make([]string, 0, len(classes)+3)
	keys = append(keys, "*", n.Data)
	if id != "" {
		keys = append(keys, "#"+id)
	}
	for _, class := range classes {
		keys = append(keys, "."+class)
	}
	for i, sheet := range s.sheets {
		for _, key := range keys {
			rules := sheet.rules[key]
			if s.matches += len(rules); s.matches > maxRuleMatches {
				return
			}
			for j := range rules {
				if r := &rules[j]; r.matches(n, id, classes) {
					isAround := matchesAround(n, r.around, &s.matches)
					if isAround || s.isScripted || n.Parent == nil { // without a tree, nothing is known around
						f(r, i*maxStyleRules+r.order, r.isCertain && isAround)
					}
				}
			}
		}
	}
}
