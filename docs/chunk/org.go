package chunk

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"vademecum/docs/struck"
	"vademecum/internal/base/lazyregexp"
)

// orgBlocks returns the blocks of Emacs Org mode (https://orgmode.org/worg/org-syntax.html). The
// result is never nil.
func orgBlocks(src string) []block {
	p := orgParser{blockCollector: newBlockCollector(src), lead: true, todo: slices.Clone(todoWords)}
	for {
		start, end, ok := p.nextLine()
		if !ok {
			return p.finishBlocks()
		}
		p.parseLine(start, end)
	}
}

// orgTitle returns the #+TITLE keywords at the start of the text, or else the heading at its start
// if all others are below it: headings of the same level are entries.
func orgTitle(src string, blocks []block) string {
	var parts []string
	for _, b := range blocks {
		if b.kind != matter {
			break
		}
		s := lineScanner{text: src[b.start:b.end]}
		for start, end, ok := s.next(); ok; start, end, ok = s.next() {
			if key, value := orgKeyword(src[b.start+start : b.start+end]); key == "title" {
				parts = append(parts, value)
			}
		}
	}
	if title := shortenTitle(orgText(string(withoutStruck([]byte(strings.Join(parts, " ")))))); title != "" {
		return title
	}
	if lead, ok := leadingHeading(blocks, func(block) bool { return false }); ok && isOnlyTopHeading(blocks, lead) {
		return lead.title
	}
	return ""
}

// maxOrgLevel is the deepest level of a heading: those below it are treated as being at it, since
// the path of each heading is stored.
const maxOrgLevel = 32

// todoWords are keywords at the start of tasks. The first two are defined by Org; the others are so
// common that files do not declare them.
var todoWords = []string{"TODO", "DONE", "NEXT", "WAITING", "WAIT", "HOLD", "STARTED", "DOING", "SOMEDAY",
	"CANCELLED", "CANCELED", "INPROGRESS", "IN-PROGRESS", "DELEGATED", "PROJ"}

// maxTodoWords is the maximum number of keywords for tasks in a file: todoWords and those that the
// file declares.
const maxTodoWords = 100

// An orgParser parses Org mode line by line. A heading ends every construct, so none extends beyond
// its section.
type orgParser struct {
	blockCollector
	lead       bool     // whether only front matter has been read so far
	affiliated bool     // whether the open block consists only of keywords for the next block
	indent     int      // indentation of the open list
	blanks     int      // number of blank lines since the last non-blank line
	todo       []string // keywords at the start of tasks
}

func (p *orgParser) parseLine(start, end int) {
	line := p.src[start:end]
	if isBlank(line) {
		if p.blanks++; p.open.kind != list || p.blanks > 1 {
			p.closeBlock()
		}
		return
	}
	p.blanks = 0
	if level := orgLevel(line); level > 0 {
		p.lead = false
		p.emitBlock(block{kind: heading, level: min(level, maxOrgLevel), title: p.headingTitle(line[level:]), start: start, end: end})
		return
	}
	indent, text := cutIndent(line)
	if closing := orgCodeEnd(text); closing != "" {
		p.addLine(rows, start, end, p.affiliated)
		p.takeCodeLines(closing)
		return
	}
	if p.isOpen && p.open.kind == list && (indent > p.indent || indent == p.indent && startsListItem(text)) {
		p.open.end = end
		return
	}
	p.addElement(start, end, text)
	if p.open.kind == list {
		p.indent = indent
	}
}

// addElement adds a line that is not a heading and does not continue a list or code.
func (p *orgParser) addElement(start, end int, text string) {
	key, value := orgKeyword(text)
	rowsAbove := p.isOpen && p.open.kind == rows
	proseAbove := p.isOpen && p.open.kind == prose
	switch {
	case key != "":
		p.addKeyword(start, end, key, value)
	case p.lead && (text == "#" || strings.HasPrefix(text, "# ")):
		p.addLine(matter, start, end, true)
	case text[0] == '|' || text[0] == ':' && (len(text) == 1 || text[1] == ' '):
		p.addLine(rows, start, end, p.affiliated || rowsAbove)
	case strings.EqualFold(text, ":properties:"):
		p.addLine(matter, start, end, p.isOpen && p.open.kind == matter)
		p.takePropertyLines()
	case startsListItem(text):
		p.addLine(list, start, end, p.affiliated)
	case strings.HasPrefix(text, "[fn:") || hasPrefixFold(text, "#+begin"):
		p.addLine(prose, start, end, p.affiliated)
	default:
		p.addLine(prose, start, end, p.affiliated || proseAbove)
		if hasPrefixFold(text, "#+end") || strings.EqualFold(text, ":end:") {
			p.closeBlock()
		}
	}
}

// addLine adds a line to the open block if join is set and there is one, or else to a new block. The
// block becomes of kind k.
func (p *orgParser) addLine(k blockKind, start, end int, join bool) {
	if !join || !p.isOpen {
		p.beginBlock(k, start)
	}
	p.open.kind, p.open.end = k, end
	p.affiliated = false
	p.lead = p.lead && k == matter
}

// addKeyword adds a line such as "#+NAME: value". Keywords before a block become part of it, and
// those below a table belong to the table.
func (p *orgParser) addKeyword(start, end int, key, value string) {
	switch key {
	case "todo", "seq_todo", "typ_todo":
		p.declareTodoWords(value)
	case "caption", "name", "results", "header", "headers", "plot", "label", "tblname":
		p.addAffiliated(start, end)
		return
	}
	switch {
	case strings.HasPrefix(key, "attr_") || p.isOpen && p.open.kind == rows:
		p.addAffiliated(start, end)
	case p.lead:
		p.addLine(matter, start, end, true)
	default:
		p.addLine(prose, start, end, p.affiliated)
	}
}

func (p *orgParser) addAffiliated(start, end int) {
	if p.isOpen && p.open.kind == rows {
		p.open.end = end
		return
	}
	p.addLine(prose, start, end, p.affiliated)
	p.affiliated = true
}

// declareTodoWords adds the keywords declared by "#+TODO: TODO(t) | DONE(d)".
func (p *orgParser) declareTodoWords(value string) {
	for _, word := range strings.Fields(value[:min(len(value), maxInline)]) {
		word, _, _ = strings.Cut(word, "(")
		if word != "" && word != "|" && len(p.todo) < maxTodoWords {
			p.todo = append(p.todo, word)
		}
	}
}

// takeCodeLines adds the lines of a code block to the open block, up to the closing line or the end
// of the section.
func (p *orgParser) takeCodeLines(closing string) {
	for {
		before := p.lines
		start, end, ok := p.nextLine()
		if !ok {
			break
		}
		line := p.src[start:end]
		if orgLevel(line) > 0 {
			p.lines = before
			break
		}
		if isBlank(line) {
			continue
		}
		p.open.end = end
		if _, text := cutIndent(line); hasPrefixFold(text, closing) {
			break
		}
	}
	p.closeBlock()
}

// takePropertyLines adds the lines of a property drawer, which have the form ":KEY: value".
func (p *orgParser) takePropertyLines() {
	for {
		before := p.lines
		start, end, ok := p.nextLine()
		if !ok {
			return
		}
		_, text := cutIndent(p.src[start:end])
		key, _, found := strings.Cut(strings.TrimPrefix(text, ":"), ":")
		if !strings.HasPrefix(text, ":") || !found || key == "" || strings.ContainsAny(key, " \t") {
			p.lines = before
			return
		}
		p.open.end = end
		if strings.EqualFold(text, ":end:") {
			return
		}
	}
}

// headingTitle returns the title of a heading, without the markup of tasks.
func (p *orgParser) headingTitle(s string) string {
	s = strings.TrimSpace(s)
	s = strings.ToValidUTF8(s[:min(len(s), 4*maxTitle)], "") // as much as a title can use
	if word, rest, ok := strings.Cut(s, " "); ok && slices.Contains(p.todo, word) {
		s = strings.TrimSpace(rest)
	}
	s = orgPriority.ReplaceAllString(s, "")
	if rest, ok := strings.CutPrefix(s, "COMMENT "); ok {
		s = rest
	}
	return shortenTitle(orgText(string(withoutStruck([]byte(orgTags.ReplaceAllString(s, ""))))))
}

var (
	orgPriority = lazyregexp.New(`^\[#[A-Za-z0-9]+\][ \t]*`)
	orgTags     = lazyregexp.New(`(^|[ \t])[ \t]*:[\pL\pM\pN_@#%:]+:$`)
	orgLink     = lazyregexp.New(`\[\[([^\]]*)\](?:\[([^\]]*)\])?\]`)
	orgEmphasis = sync.OnceValue(func() (all []*regexp.Regexp) {
		for _, c := range []string{"=", "~", `\*`, "/", "_", `\+`} {
			all = append(all, regexp.MustCompile(`(^|[\s\-–—('"{])`+c+`(\S|\S.*?\S)`+c+`($|[\s\-–—.,;:!?'")}\[])`))
		}
		return all
	})
)

// hiddenStrike stands for a mark of struck-out text while marks of code are removed; no text contains it.
const hiddenStrike = "\uFDD2"

// orgText returns s without markup, except for that of struck-out text.
func orgText(s string) string {
	if len(s) > maxInline {
		return s
	}
	s = orgLink.ReplaceAllStringFunc(s, func(link string) string {
		m := orgLink.FindStringSubmatch(link)
		if m[2] != "" {
			return m[2]
		}
		return m[1]
	})
	s = strings.ReplaceAll(s, struck.Mark, hiddenStrike) // whose tildes are no marks of code
	for _, re := range orgEmphasis() {
		s = re.ReplaceAllString(s, "$1$2$3")
	}
	return strings.ReplaceAll(s, hiddenStrike, struck.Mark)
}

// orgLevel returns the number of stars if the line is a heading, otherwise 0.
func orgLevel(line string) int {
	if line == "" || line[0] != '*' {
		return 0
	}
	rest := strings.TrimLeft(line, "*")
	if rest == "" || rest[0] != ' ' {
		return 0
	}
	return len(line) - len(rest)
}

// orgCodeEnd returns the start, in lower case, of the line that closes the code block begun by
// text, or "" if text begins none. Quotations and similar blocks are not code.
func orgCodeEnd(text string) string {
	if env, ok := strings.CutPrefix(text, `\begin{`); ok {
		if name, _, ok := strings.Cut(env[:min(len(env), maxPadding)], "}"); ok {
			return `\end{` + name + "}"
		}
	}
	for _, name := range []string{"src", "example", "export", "comment", "verse", "html", "latex", "ascii"} {
		if hasPrefixFold(text, "#+begin_"+name) && (len(text) == 8+len(name) || isSpaceByte(text[8+len(name)])) {
			return "#+end_" + name
		}
	}
	return ""
}

// orgKeyword returns the key, in lower case, and the value of "#+KEY: value", or "".
func orgKeyword(text string) (key, value string) {
	rest, ok := strings.CutPrefix(text, "#+")
	if !ok {
		return "", ""
	}
	key, value, ok = strings.Cut(rest, ":")
	if bracket := strings.IndexByte(key, '['); ok && bracket > 0 { // #+CAPTION[short]: long
		key = key[:bracket]
	}
	if !ok || len(key) > maxPadding || strings.ContainsAny(key, " \t") || hasPrefixFold(key, "begin") || hasPrefixFold(key, "end") {
		return "", ""
	}
	return strings.ToLower(key), strings.TrimSpace(value)
}

func hasPrefixFold(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}
