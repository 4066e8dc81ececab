package html

import (
	"slices"
	"strings"

	"golang.org/x/net/html"

	"vademecum/internal/base/lazyregexp"
)

// Limits on the style sheets of a page, far above the values in real pages.
const (
	maxStyleBytes   = 4 << 20
	maxStyleRules   = 100_000    // rules that can hide text or strike it out
	maxRuleMatches  = 20_000_000 // comparisons of a rule with an element of the page
	longClass       = 32         // length in bytes of a class attribute for which a comparison counts once more
	maxNestedBlocks = 16         // maximum depth of nested blocks, such as @media
)

// A StyleSheet holds the rules of a style sheet that can hide text or strike it out.
type StyleSheet struct {
	rules map[string][]styleRule // by the id, class or element that an element must have: "#id", ".class", "p"; else "*"
	count int
	bytes int // of what was read
}

// pageStyles are the style sheets of a page, in order, the last of which are its own style elements.
type pageStyles struct {
	sheets     []*StyleSheet
	own        *StyleSheet
	isScripted bool // whether scripts may change the classes of elements
	matches    int  // comparisons so far
}

// A styleRule is a rule for one selector.
type styleRule struct {
	selector
	isCertain bool // whether it holds for each element that the selector matches, in any window and state
	order     int
	declarations
}

// declarations are those of a rule or a style attribute that can hide text or strike it out.
type declarations struct {
	display, visibility, decoration declaration
}

// A declaration gives a property its value; the value is "" if there is no declaration of the
// property.
type declaration struct {
	value       string
	isImportant bool
}

// ParseStyleSheets returns the rules of style sheets as those of one.
func ParseStyleSheets(sources ...string) *StyleSheet {
	s := &StyleSheet{rules: make(map[string][]styleRule)}
	for _, css := range sources {
		s.addRules(css, true)
	}
	return s
}

// newPageStyles returns the style sheets to which a page links, and an empty one for its style elements.
func newPageStyles(linked []*StyleSheet) *pageStyles {
	own := ParseStyleSheets()
	return &pageStyles{sheets: append(slices.Clip(linked), own), own: own}
}

// readPageStyles returns the style sheets to which a page links, and the rules of its style elements.
func readPageStyles(tree *html.Node, linked []*StyleSheet) *pageStyles {
	s := newPageStyles(linked)
	for n := range tree.Descendants() {
		switch {
		case isElement(n, "script"):
			s.isScripted = true
		case isElement(n, "style") && n.FirstChild != nil && isScreenMedia(attributeValue(n, "media")):
			s.own.addRules(n.FirstChild.Data, n.Parent == nil || n.Parent.Data != "noscript")
		}
	}
	return s
}

// maxSheetLinks is the maximum number of style sheet addresses that are returned for a page.
const maxSheetLinks = 32

// StyleSheetLinks returns the addresses of the style sheets to which a page links, except those for
// other media than screens.
func StyleSheetLinks(source string) (links []string) {
	if IsXHTML(source) {
		source = ExpandSelfClosingTags(source)
	}
	for z := html.NewTokenizer(strings.NewReader(source)); len(links) < maxSheetLinks; {
		switch z.Next() {
		case html.ErrorToken:
			return links
		case html.StartTagToken, html.SelfClosingTagToken:
			n := tagElement(z)
			if n.Data == "body" {
				return links
			}
			if href := attributeValue(n, "href"); n.Data == "link" && strings.EqualFold(attributeValue(n, "rel"), "stylesheet") && href != "" && isScreenMedia(attributeValue(n, "media")) {
				links = append(links, href)
			}
		}
	}
	return links
}

// isScreenMedia reports whether a media attribute makes a style sheet apply on every screen.
func isScreenMedia(media string) bool {
	media = strings.ToLower(media)
	return media == "" || media == "all" || media == "screen"
}

// addRules adds the rules of a style sheet. isCertain says whether they hold in any browser: those in
// noscript do not.
func (s *StyleSheet) addRules(css string, isCertain bool) {
	if s.bytes += len(css); s.bytes > maxStyleBytes {
		return
	}
	s.addBlock(removeComments(css), isCertain, 0)
}

// removeComments replaces the comments of a style sheet by spaces, and the marks of an HTML comment
// that may surround the style sheet.
func removeComments(css string) string {
	css = strings.NewReplacer("<!--", " ", "-->", " ").Replace(css)
	var b strings.Builder
	for {
		before, rest, isFound := strings.Cut(css, "/*")
		b.WriteString(before)
		if !isFound {
			return b.String()
		}
		b.WriteByte(' ')
		_, css, _ = strings.Cut(rest, "*/")
	}
}

// addBlock adds the rules of a block. isCertain says whether they hold in any window.
func (s *StyleSheet) addBlock(css string, isCertain bool, depth int) {
	for css != "" && s.count < maxStyleRules {
		end := indexOutsideStrings(css, "{;}")
		if end < 0 {
			return
		}
		prelude, delimiter := strings.TrimSpace(css[:end]), css[end]
		css = css[end+1:]
		if delimiter != '{' {
			continue // such as @import
		}
		var block string
		block, css = cutBlock(css)
		switch name, _ := cutIdentifier(strings.TrimPrefix(prelude, "@")); {
		case !strings.HasPrefix(prelude, "@"):
			s.addRule(prelude, block, isCertain, depth)
		case conditionalRules[strings.ToLower(name)] && depth < maxNestedBlocks:
			s.addBlock(block, false, depth+1)
		}
	}
}

// conditionalRules are the names of at-rules that contain other rules and may restrict them to some
// windows, browsers or elements, or rank them below others.
var conditionalRules = wordSet("media supports layer container document scope")

// indexOutsideStrings returns the index of the first byte of css that is one of chars, outside
// strings, parentheses and brackets, or -1.
func indexOutsideStrings(css, chars string) int {
	var quote byte
	depth := 0
	for i := 0; i < len(css); i++ {
		switch c := css[i]; {
		case c == '\\':
			i++
		case quote != 0:
			if c == quote || c == '\n' {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '(' || c == '[':
			depth++
		case c == ')' || c == ']':
			depth = max(depth-1, 0)
		case (depth == 0 || c == '}') && strings.IndexByte(chars, c) >= 0:
			return i
		}
	}
	return -1
}

// cutBlock returns the content of the block that begins css, and what follows the block.
func cutBlock(css string) (block, rest string) {
	depth, from := 1, 0
	for depth > 0 {
		i := indexOutsideStrings(css[from:], "{}")
		if i < 0 {
			return css, ""
		}
		if from += i + 1; css[from-1] == '{' {
			depth++
		} else {
			depth--
		}
	}
	return css[:from-1], css[from:]
}

func (s *StyleSheet) addRule(selectors, block string, isCertain bool, depth int) {
	own, nested := splitNestedRules(block)
	defer func() { // added after the rule itself, as in the order of the style sheet
		for i := 0; i < len(nested) && depth < maxNestedBlocks; i += 2 {
			inner := strings.ReplaceAll(nested[i], "&", "")
			if strings.HasPrefix(inner, "@") {
				inner = selectors
			}
			s.addRule(inner, nested[i+1], false, depth+1)
		}
	}()
	d := readDeclarations(own)
	if d.display.value+d.visibility.value+d.decoration.value == "" {
		return
	}
	for rest := selectors; rest != "" && s.count < maxStyleRules; {
		selector := rest
		if i := indexOutsideStrings(rest, ","); i >= 0 {
			selector, rest = rest[:i], rest[i+1:]
		} else {
			rest = ""
		}
		parsed, isSimple, ok := readSelector(strings.TrimSpace(selector))
		if !ok {
			continue
		}
		s.count++
		key := parsed.key()
		s.rules[key] = append(s.rules[key], styleRule{selector: parsed, isCertain: isCertain && isSimple, order: s.count, declarations: d})
	}
}

// splitNestedRules splits a block into its own declarations and the rules nested in it (CSS Nesting),
// which apply to other elements, states or windows. nested has the prelude and the block of each rule,
// one after the other.
func splitNestedRules(block string) (own string, nested []string) {
	var b strings.Builder
	for {
		open := indexOutsideStrings(block, "{")
		if open < 0 {
			b.WriteString(block)
			return b.String(), nested
		}
		from := strings.LastIndexByte(block[:open], ';') + 1
		b.WriteString(block[:from])
		prelude := strings.TrimSpace(block[from:open])
		inner, rest := cutBlock(block[open+1:])
		nested, block = append(nested, prelude, inner), rest
	}
}

var (
	declarationPattern = lazyregexp.New(`(?i)(?:^|[;{}\s])(display|visibility|text-decoration|text-decoration-line)\s*:([^;{}]*)`)
	importantMark      = lazyregexp.New(`(?i)\s*!\s*important\s*$`)
)

// readDeclarations parses the declarations of a rule or a style attribute.
func readDeclarations(css string) (d declarations) {
	if lower := strings.ToLower(css); !strings.Contains(lower, "display") && !strings.Contains(lower, "visibility") && !strings.Contains(lower, "text-decoration") {
		return d // most rules have none of these; this is faster than the pattern
	}
	for _, m := range declarationPattern.FindAllStringSubmatch(css, -1) {
		read := declaration{value: strings.ToLower(strings.TrimSpace(m[2]))}
		if value := importantMark.ReplaceAllString(read.value, ""); value != read.value {
			read = declaration{value: value, isImportant: true}
		}
		target := &d.decoration
		switch strings.ToLower(m[1]) {
		case "display":
			target = &d.display
		case "visibility":
			target = &d.visibility
		}
		if read.value != "" && (read.isImportant || !target.isImportant) {
			*target = read
		}
	}
	return d
}

// combinators are the characters between the compound selectors of a selector.
const combinators = " \t\r\n>+~"

// maxAround is the maximum number of ancestors that a selector may name.
const maxAround = 8

// pseudoElements are the names of pseudo-elements that may follow a single colon, as the names of
// states do.
var pseudoElements = wordSet("before after first-line first-letter")
