package html

import (
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
)

// A selector says which elements a rule is for.
type selector struct {
	compoundSelector // what the element itself is like
	around           []aroundSelector
}

// An aroundSelector is the part of a selector that describes an ancestor: of the element itself or, after
// the first part, of the ancestor that the previous part describes.
type aroundSelector struct {
	compoundSelector
	isParent bool // whether the ancestor must be the parent, rather than any
}

// A compoundSelector is the part of a selector that says what one element is like.
type compoundSelector struct {
	name       string // "" for any
	ids        []string
	classes    []string
	attributes []html.Attribute // with an empty value for any
}

// readSelector parses a selector. If it names siblings or states, these are ignored, as are the
// ancestors that it names, and isSimple is false. ok is false for a selector that matches no element,
// such as p::before.
func readSelector(source string) (s selector, isSimple, ok bool) {
	isSimple = true
	for {
		i := indexOutsideStrings(source, combinators)
		if i < 0 {
			break
		}
		c, isCompoundSimple, ok := readCompoundSelector(source[:i])
		rest := strings.TrimLeft(source[i:], combinators)
		combinator := strings.TrimSpace(source[i : len(source)-len(rest)])
		isSimple = isSimple && isCompoundSimple && ok && (combinator == "" || combinator == ">")
		s.around = append(s.around, aroundSelector{c, combinator == ">"})
		source = rest
	}
	var isCompoundSimple bool
	if s.compoundSelector, isCompoundSimple, ok = readCompoundSelector(source); !ok {
		return s, false, false
	}
	isSimple = isSimple && isCompoundSimple && len(s.around) <= maxAround
	if !isSimple {
		s.around = nil
	}
	slices.Reverse(s.around)
	return s, isSimple, true
}

// readCompoundSelector parses a compound selector. isSimple is false if it names a state. ok is false
// if it matches no element.
func readCompoundSelector(selector string) (c compoundSelector, isSimple, ok bool) {
	isSimple = true
	if selector == "" {
		return c, false, false
	}
	c.name, selector = cutIdentifier(strings.TrimPrefix(selector, "*"))
	c.name = strings.ToLower(c.name)
	for selector != "" {
		kind := selector[0]
		var name string
		switch kind {
		case '#', '.', ':':
			name, selector = cutIdentifier(selector[1:])
		case '[':
			end := strings.IndexByte(selector, ']')
			if end < 0 {
				return c, false, false
			}
			name, selector = selector[1:end], selector[end+1:]
		}
		switch {
		case kind == '#' && name != "":
			c.ids = append(c.ids, name)
		case kind == '.' && name != "":
			c.classes = append(c.classes, name)
		case kind == '[' && !strings.ContainsAny(name, "~|^$*"):
			key, value, _ := strings.Cut(name, "=")
			isSimple = isSimple && !strings.HasSuffix(key, "-cloak") // an attribute that Vue and Alpine remove by a script
			c.attributes = append(c.attributes, html.Attribute{Key: strings.ToLower(strings.TrimSpace(key)), Val: strings.Trim(value, `"' `)})
		case kind == '[':
			isSimple = false
		case kind == ':' && name != "" && !pseudoElements[strings.ToLower(name)]:
			isSimple = false
			if strings.HasPrefix(selector, "(") {
				end := strings.LastIndexByte(selector, ')')
				if end < 0 {
					return c, false, false
				}
				selector = selector[end+1:]
			}
		default:
			return c, false, false
		}
	}
	return c, isSimple, true
}

// cutIdentifier returns the identifier that begins s, without escapes, and what follows it.
func cutIdentifier(s string) (name, rest string) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '\\':
			digits := i + 1
			for digits < len(s) && digits < i+7 && strings.IndexByte("0123456789abcdefABCDEF", s[digits]) >= 0 {
				digits++
			}
			if code, err := strconv.ParseUint(s[i+1:digits], 16, 32); err == nil {
				b.WriteRune(rune(code))
				if i = digits - 1; digits < len(s) && s[digits] == ' ' {
					i++
				}
			} else if i++; i < len(s) {
				b.WriteByte(s[i])
			}
		case c == '-' || c == '_' || c >= 0x80 || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z':
			b.WriteByte(c)
		default:
			return b.String(), s[i:]
		}
	}
	return b.String(), ""
}

// key returns the key under which rules with the selector are kept.
func (c compoundSelector) key() string {
	switch {
	case len(c.ids) > 0:
		return "#" + c.ids[0]
	case len(c.classes) > 0:
		return "." + c.classes[0]
	case c.name != "":
		return c.name
	}
	return "*"
}

func (c compoundSelector) matches(n *html.Node, id string, classes []string) bool {
	for _, i := range c.ids {
		if i != id {
			return false
		}
	}
	for _, class := range c.classes {
		if !slices.Contains(classes, class) {
			return false
		}
	}
	for _, a := range c.attributes {
		if !hasAttribute(n, a.Key) || a.Val != "" && attributeValue(n, a.Key) != a.Val {
			return false
		}
	}
	return c.name == "" || c.name == n.Data
}

// matchesAround reports whether n has the ancestors that around describes. It counts comparisons in
// matches, and returns false once there are too many.
func matchesAround(n *html.Node, around []aroundSelector, matches *int) bool {
	if len(around) == 0 {
		return true
	}
	for e := n.Parent; e != nil && e.Type == html.ElementNode; e = e.Parent {
		class := attributeValue(e, "class")
		if *matches += 1 + len(class)/longClass; *matches > maxRuleMatches {
			return false
		}
		isMatch := around[0].matches(e, attributeValue(e, "id"), strings.Fields(class))
		if isMatch && matchesAround(e, around[1:], matches) {
			return true
		}
		if around[0].isParent {
			return false
		}
	}
	return false
}

// specificity returns a number that is higher for the selector that wins (Selectors Level 3, 9).
func (s selector) specificity() int {
	count := s.compoundSelector.specificity()
	for _, a := range s.around {
		count += a.specificity()
	}
	return count
}

func (c compoundSelector) specificity() int {
	count := 100*100*len(c.ids) + 100*(len(c.classes)+len(c.attributes))
	if c.name != "" {
		count++
	}
	return count
}
