// Package latex converts LaTeX sources into Markdown: headings, theorems, lists and code, with
// macros replaced by their text and mathematics unchanged. Included files are not read.
//
// Every line of the text comes from the same line of the file, so that a citation leads to the
// right place in an editor, unless text follows a heading on its line. No macro is executed: those
// defined in the file are expanded only if they stand for plain text.
//
// No library fits: github.com/go-richdoc/latex v0.3.0 and github.com/go-tex/tex, both begun in 2026
// and without other users, could not be obtained for a comparison. They produce a tree, and pages
// from a subset of LaTeX; a tree loses the line numbers of paragraphs. codeberg.org/go-latex/latex
// v0.2.0 draws formulas, and pandoc is a separate program under the GPL.
package latex

import (
	"strings"

	"vademecum/docs/extract"
	"vademecum/docs/extract/charset"
)

// maxSource is the length in bytes above which a source is shown unchanged.
const maxSource = 16 << 20

// Read reads the source of a LaTeX document or of a part of one.
func Read(raw []byte, _ extract.ProgressReporter) (extract.Content, error) {
	c, err := charset.Read(raw)
	if err != nil {
		return extract.Content{}, err
	}
	if len(c.Text) > extract.MaxTextBytes {
		return extract.Content{}, extract.ErrTooMuchText
	}
	if len(c.Text) > maxSource {
		c.Form = extract.LineRecords
		return c, nil
	}
	r := newReader(lineEndReplacer.Replace(c.Text))
	r.read()
	text := r.out.text.String()
	switch {
	case len(text) > extract.MaxTextBytes:
		return extract.Content{}, extract.ErrTooMuchText
	case r.holdsOnlyMacros(text):
		c.Form = extract.LineRecords
		return c, nil
	}
	c.Text, c.Title, c.Form = text, r.title, extract.Markdown
	return c, nil
}

// holdsOnlyMacros reports whether a source has hardly any text, for example because it only defines
// macros or includes other files. It is then shown unchanged.
func (r *reader) holdsOnlyMacros(text string) bool {
	const share = 8
	return !r.hasHeading && len(strings.TrimSpace(text)) < len(r.src)/share
}

var lineEndReplacer = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// A reader holds the state while a source is converted in one pass.
type reader struct {
	src        string
	pos        int
	out        lineWriter
	title      string
	hasHeading bool // whether the text has a title or another heading

	inPreamble       bool
	theoremNames     map[string]string     // display names of theorems, by environment
	macroTexts       map[string]string     // texts of the macros defined in the file
	definitions      map[string]definition // macros with arguments defined in the file
	headingLevels    map[string]int        // Markdown heading levels, by macro
	openEnvironments []environment
	groupClosers     []string // text to write at the end of each open group
	fruitlessBytes   int      // number of bytes searched without a match
	expanded         *int     // bytes to which own macros were expanded, in all sources within one
	nesting          int      // nesting depth of sources that are converted within another one
}

func newReader(src string) *reader {
	r := &reader{src: src, expanded: new(int), inPreamble: strings.Contains(src, `\begin{document}`)}
	r.theoremNames = theoremNames(src)
	r.macroTexts, r.definitions = macroDefinitions(src), definitionsWithArguments(src)
	r.headingLevels = headingLevels(src)
	return r
}

func (r *reader) read() {
	for r.pos < len(r.src) {
		r.readToken()
	}
	r.out.endLine()
}

// readToken reads the next token and writes its text.
func (r *reader) readToken() {
	c := r.src[r.pos]
	if r.inPreamble && c != '\\' && c != '%' && c != '\n' {
		r.pos++
		return
	}
	switch c {
	case '\\':
		r.readMacro()
	case '%':
		r.skipComment()
	case '\n':
		r.pos++
		r.writeLineEnd()
	case '$':
		r.readDollarMath()
	case '{':
		r.pos++
		r.openGroup("")
	case '}':
		r.pos++
		r.closeGroup()
	case '~':
		r.pos++
		r.out.writeText(" ")
	case '`', '\'', '-':
		r.writeLigature(c)
	case '&':
		r.pos++
		r.out.writeText(r.columnSeparator())
	default:
		r.readPlainText()
	}
}

// readPlainText copies the characters up to the next special one.
func (r *reader) readPlainText() {
	rest := r.src[r.pos:]
	n := strings.IndexAny(rest[1:], "\\%\n${}~`'-&")
	if n < 0 {
		n = len(rest) - 1
	}
	r.out.writeText(rest[:n+1])
	r.pos += n + 1
}

func (r *reader) writeLineEnd() {
	r.out.endLine()
	r.out.setPosition(r.linePosition())
}

// skipComment skips a comment, which extends to the end of the line.
func (r *reader) skipComment() {
	if end := strings.IndexByte(r.src[r.pos:], '\n'); end >= 0 {
		r.pos += end
		return
	}
	r.pos = len(r.src)
}

// writeLigature writes the quotation mark or dash that a run of the character c stands for.
func (r *reader) writeLigature(c byte) {
	run := len(r.src) - r.pos - len(strings.TrimLeft(r.src[r.pos:], string(c)))
	switch {
	case c == '-' && run == 2:
		r.out.writeText("–")
	case c == '-' && run == 3:
		r.out.writeText("—")
	case c == '`' && run == 1:
		r.out.writeText("‘")
	case c == '`' && run == 2:
		r.out.writeText("“")
	case c == '\'' && run == 2:
		r.out.writeText("”")
	default:
		r.out.writeText(r.src[r.pos : r.pos+run])
	}
	r.pos += run
}

// maxGroups is the maximum number of nested groups at whose end a text of their own is written.
const maxGroups = 10_000

func (r *reader) openGroup(closer string) {
	if len(r.groupClosers) < maxGroups {
		r.groupClosers = append(r.groupClosers, closer)
	}
}

// argumentEnd closes the group of an argument of a macro: a space, if another argument follows.
const argumentEnd = "}{"

func (r *reader) closeGroup() {
	last := len(r.groupClosers) - 1
	if last < 0 {
		return
	}
	closer := r.groupClosers[last]
	r.groupClosers = r.groupClosers[:last]
	switch {
	case closer != argumentEnd:
		r.out.writeText(closer)
	case r.isAt("{"):
		r.pos++
		r.out.writeText(" ")
		r.openGroup(argumentEnd)
	}
}

// columnSeparator returns the text for an ampersand: the separator of columns in a table, or an
// ampersand elsewhere.
func (r *reader) columnSeparator() string {
	for _, e := range r.openEnvironments {
		if e.kind == table {
			return " | "
		}
	}
	return "&"
}

// convertInline converts a part of the source, such as an argument, and returns its text on one
// line.
func (r *reader) convertInline(src string) string {
	if r.nesting >= maxInner {
		return src
	}
	inner := reader{src: src, theoremNames: r.theoremNames, macroTexts: r.macroTexts, definitions: r.definitions, expanded: r.expanded, nesting: r.nesting + 1}
	inner.read()
	return strings.Join(strings.Fields(inner.out.text.String()), " ")
}

// maxInner is the maximum nesting depth of sources that are converted within another one. A
// footnote in the name of a theorem is at the third level.
const maxInner = 4
