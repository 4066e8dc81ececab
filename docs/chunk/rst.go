package chunk

import (
	"slices"
	"strings"

	"golang.org/x/text/width"

	"vademecum/internal/base/lazyregexp"
)

// rstBlocks returns the blocks of reStructuredText
// (https://docutils.sourceforge.io/docs/ref/rst/restructuredtext.html). The result is never nil.
// Invalid text is treated as docutils does.
func rstBlocks(src string) []block {
	p := rstParser{blockCollector: newBlockCollector(src), lead: true, literal: noLiteral}
	for {
		start, end, ok := p.nextLine()
		if !ok {
			return p.finishBlocks()
		}
		p.parseLine(start, end)
	}
}

// rstTitle returns the title in the metadata of a text, or else the title at its start if that also
// has an overline or all other titles are below it. docutils, too, takes the latter for the
// document title.
func rstTitle(src string, blocks []block) string {
	if title := headerTitle(src); title != "" {
		return rstText(title)
	}
	for _, b := range blocks {
		if b.kind != matter {
			break
		}
		if m := rstTitleField.FindStringSubmatch(src[b.start:b.end]); m != nil {
			return shortenTitle(rstText(m[1]))
		}
	}
	isDirective := func(b block) bool { return strings.HasPrefix(src[b.start:], "..") || isSpaceByte(src[b.start]) }
	lead, ok := leadingHeading(blocks, isDirective)
	if !ok {
		return ""
	}
	first, _, _ := strings.Cut(src[lead.start:lead.end], "\n")
	if overlined := isAdornment(strings.TrimSpace(first)); overlined || isOnlyTopHeading(blocks, lead) {
		return lead.title
	}
	return ""
}

// rstTitleField matches a title field: of the document or, in blogs, in a comment.
var rstTitleField = lazyregexp.New(`(?m)^(?::|\.\. )title: +(\S.*)$`)

// An adornment is the style of a title's underline.
type adornment struct {
	mark byte
	over bool // whether there is also an overline
}

// An rstParser parses reStructuredText line by line.
type rstParser struct {
	blockCollector
	lead    bool        // whether only front matter and headings have been read so far
	styles  []adornment // styles of the headings so far; the index is the level minus one
	indent  int         // indentation of the first line of the open block
	last    int         // indentation of the last line of the open block
	text    bool        // whether the open block is a paragraph
	literal int         // indentation of the paragraph that announced a literal block, or noLiteral
}

const noLiteral = -1

func (p *rstParser) parseLine(start, end int) {
	line := p.src[start:end]
	if isBlank(line) {
		p.endParagraph()
		return
	}
	indent, text := cutIndent(line)
	literal := p.literal
	p.literal = noLiteral
	inParagraph := p.isOpen && p.text && p.last == 0
	switch {
	case indent == 0 && !inParagraph && p.readTitle(start, end):
	case p.continuesBlock(indent, text):
		p.open.end, p.last = end, indent
	case literal != noLiteral && indent > literal:
		p.addLine(rows, start, p.readIndented(end, literal))
	case p.takeRows(start, end, indent, text):
	default:
		p.openElement(start, end, indent, text)
	}
}

// continuesBlock reports whether a line continues the open block, according to that block.
func (p *rstParser) continuesBlock(indent int, text string) bool {
	if !p.isOpen {
		return false
	}
	switch {
	case p.text:
		return indent > p.indent || indent == p.indent && indent == p.last
	case indent > p.indent:
		return true
	case indent < p.indent:
		return false
	}
	switch p.open.kind {
	case list:
		return startsRSTItem(text) || isField(text)
	case matter:
		return isField(text)
	}
	return false
}

// endParagraph ends a paragraph. Lists, fields and comments can continue after it.
func (p *rstParser) endParagraph() {
	if !p.isOpen || p.open.kind != prose {
		return
	}
	if p.text && strings.HasSuffix(strings.TrimRight(p.src[p.open.start:p.open.end], " \t"), "::") {
		p.literal = p.last
	}
	p.closeBlock()
}

// openElement opens the block that begins at a line.
func (p *rstParser) openElement(start, end, indent int, text string) {
	k := prose
	p.text = false
	switch {
	case isDirective(text):
	case isExplicit(text):
		if p.lead && !strings.HasPrefix(text, ".. [") && !strings.HasPrefix(text, ".. |") {
			k = matter
		}
	case isField(text):
		if k = list; p.lead {
			k = matter
		}
	case startsRSTItem(text):
		k = list
	case p.isOpen && p.open.kind == prose && indent == p.indent && p.last > indent:
		// The next term of a definition list.
		p.text = true
		p.open.end, p.last = end, indent
		return
	default:
		p.text = !isAdornment(text) || len(text) < minAdornment
	}
	p.beginBlock(k, start)
	p.open.end, p.indent, p.last = end, indent, indent
	p.lead = p.lead && k == matter
}

// takeRows reads the table, code or line block that begins at the line from start to end, whose text
// is given without its indentation, and reports whether one begins there.
func (p *rstParser) takeRows(start, end, indent int, text string) bool {
	switch {
	case strings.HasPrefix(text, ">>> "), strings.HasPrefix(text, "| "), text == "|", gridTop.MatchString(text):
		end = p.readParagraph(end)
	case simpleTop.MatchString(text):
		end = p.readSimpleTable(end)
	case isVerbatimDirective(text):
		end = p.readIndented(end, indent)
	default:
		return false
	}
	p.addLine(rows, start, end)
	return true
}

func (p *rstParser) addLine(k blockKind, start, end int) {
	p.emitBlock(block{kind: k, start: start, end: end})
	p.lead = false
}

// readIndented reads the lines that are indented further than limit. It returns their end, or end
// if there are none.
func (p *rstParser) readIndented(end, limit int) int {
	for {
		before := p.lines
		from, to, ok := p.nextLine()
		if !ok {
			return end
		}
		line := p.src[from:to]
		if isBlank(line) {
			continue
		}
		if indent, _ := cutIndent(line); indent <= limit {
			p.lines = before
			return end
		}
		end = to
	}
}

// readParagraph reads the lines up to a blank one. It returns their end, or end if there are none.
func (p *rstParser) readParagraph(end int) int {
	for {
		from, to, ok := p.nextLine()
		if !ok || isBlank(p.src[from:to]) {
			return end
		}
		end = to
	}
}

// readSimpleTable reads a simple table after its first line, which ends at end. It returns the end
// of the table: its third border, or a border before a blank line. Without one, the text is read as
// a paragraph.
func (p *rstParser) readSimpleTable(end int) int {
	before := p.lines
	borders, last := 0, 0
	for {
		from, to, ok := p.nextLine()
		if borders == 1 && last > 0 && (!ok || isBlank(p.src[from:to])) {
			return last
		}
		if !ok {
			p.lines = before
			return p.readParagraph(end)
		}
		last = 0
		if _, text := cutIndent(p.src[from:to]); simpleTop.MatchString(text) {
			if borders++; borders == 2 {
				return to
			}
			last = to
		}
	}
}

// minAdornment is the length from which a line of punctuation adorns a title even if it is shorter
// than the title.
const minAdornment = 4

// readTitle recognises a title with an underline, or with an overline and an underline.
func (p *rstParser) readTitle(start, end int) bool {
	first := strings.TrimRight(p.src[start:end], " \t")
	if isExplicit(first) || isBullet(first) || isField(first) {
		return false
	}
	ahead := p.lines
	from, to, ok := ahead.next()
	if !ok {
		return false
	}
	second := strings.TrimRight(p.src[from:to], " \t")
	if !isAdornment(first) {
		if !isAdornmentOf(first, second) {
			return false
		}
		p.addHeading(adornment{mark: second[0]}, first, start, to)
		p.lines = ahead
		return true
	}
	from, to, ok = ahead.next()
	if !ok {
		return false
	}
	third := strings.TrimRight(p.src[from:to], " \t")
	if isAdornment(second) || !isAdornmentOf(second, first) || !isAdornmentOf(second, third) || first[0] != third[0] {
		return false
	}
	p.addHeading(adornment{mark: first[0], over: true}, second, start, to)
	p.lines = ahead
	return true
}

// isAdornmentOf reports whether rule, a line next to title, may be its adornment.
func isAdornmentOf(title, rule string) bool {
	if len(title) > 4*maxTitle || isBlank(title) || !isAdornment(rule) {
		return false
	}
	return len(rule) >= minAdornment || len(rule) >= displayWidth(strings.TrimSpace(title))
}

// displayWidth returns the width of s in columns of a fixed-width font.
func displayWidth(s string) int {
	n := 0
	for _, r := range s {
		n++
		if k := width.LookupRune(r).Kind(); k == width.EastAsianWide || k == width.EastAsianFullwidth {
			n++
		}
	}
	return n
}

// addHeading adds a heading. A new style is below all others.
func (p *rstParser) addHeading(style adornment, title string, start, end int) {
	i := slices.Index(p.styles, style)
	if i < 0 {
		i = len(p.styles)
		p.styles = append(p.styles, style)
	}
	p.emitBlock(block{kind: heading, level: i + 1, title: shortenTitle(rstText(title)), start: start, end: end})
}

// isAdornment reports whether line consists of one repeated ASCII punctuation character.
func isAdornment(line string) bool {
	if line == "" {
		return false
	}
	c := line[0]
	if c <= ' ' || c > '~' || '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z' {
		return false
	}
	return strings.Trim(line, line[:1]) == ""
}

// isExplicit reports whether text begins explicit markup: a directive, a
// target, a footnote, a comment.
func isExplicit(text string) bool {
	return text == ".." || text == "__" || strings.HasPrefix(text, ".. ") || strings.HasPrefix(text, "__ ")
}

// isDirective reports whether text begins a directive or the definition of a
// substitution.
func isDirective(text string) bool {
	return strings.HasPrefix(text, "..") && rstDirective.MatchString(text[:min(len(text), maxPadding)])
}

func isBullet(text string) bool {
	return len(text) > 1 && strings.IndexByte("-+*", text[0]) >= 0 && isSpaceByte(text[1])
}

func startsRSTItem(text string) bool {
	return startsListItem(text) || rstNumber.MatchString(text)
}

// isField reports whether text begins a field such as ":Author: Me".
func isField(text string) bool {
	return text[0] == ':' && rstField.MatchString(text[:min(len(text), maxPadding)])
}

var (
	rstDirective = lazyregexp.New(`^\.\. +(\|[^|]+\| +)?[\pL\pN_.:+-]*[\pL\pN] ?::( |$)`)
	rstField     = lazyregexp.New("^:[^:` ]([^:`]|:[^ `])*:( |$)")
	rstNumber    = lazyregexp.New(`^(#|[0-9]{1,3})[.)][ \t]`)
	gridTop      = lazyregexp.New(`^\+[-=][-=+]*\+$`)
	simpleTop    = lazyregexp.New(`^=+( +=+)+$`)
)

// verbatim lists directives, without their domain, whose content is code or a table. The content of
// other directives is text.
var verbatim = strings.Fields(`code code-block sourcecode parsed-literal literalinclude highlight math raw
	table csv-table list-table flat-table tabularcolumns doctest testcode testoutput testsetup testcleanup
	productionlist prompt ipython jupyter-execute plot graphviz digraph graph mermaid uml toctree autosummary`)

// isVerbatimDirective reports whether text begins a directive in verbatim.
func isVerbatimDirective(text string) bool {
	if !strings.HasPrefix(text, ".. ") {
		return false
	}
	name, _, ok := strings.Cut(strings.TrimLeft(text[3:min(len(text), maxPadding)], " "), "::")
	if !ok {
		return false
	}
	return slices.Contains(verbatim, name[strings.LastIndexByte(name, ':')+1:])
}

var (
	rstRole     = lazyregexp.New(":[A-Za-z][A-Za-z0-9:+._-]*:`[!~]?")
	rstLink     = lazyregexp.New("`([^`<]*[^`<\\s])\\s*<[^`>]*>`_{0,2}")
	rstQuoted   = lazyregexp.New("``([^`]+)``|`([^`]+)`_{0,2}")
	rstEmphasis = lazyregexp.New(`(^|[\s\-'"(])\*\*?([^*\s](?:[^*]*[^*\s])?)\*\*?`)
	rstEscape   = lazyregexp.New(`\\(\S)|\\\s`)
)

// rstText returns s without markup.
func rstText(s string) string {
	if len(s) > maxInline || !strings.ContainsAny(s, "`*\\") {
		return s
	}
	s = rstRole.ReplaceAllString(s, "`")
	s = rstLink.ReplaceAllString(s, "$1")
	s = rstQuoted.ReplaceAllString(s, "$1$2")
	s = rstEmphasis.ReplaceAllString(s, "$1$2")
	return rstEscape.ReplaceAllString(s, "$1")
}
