// Package latex reads the sources of LaTeX as Markdown: headings, theorems,
// lists and code, with macros reduced to what they say, and mathematics as it is
// written. Files that a source includes are not read.
//
// Every line of the text is made of that line of the file, so that a citation
// leads to the place in an editor, unless text follows a heading on its line. Nothing is
// run: a macro of the file is known only if it stands for a text.
//
// There is no library for that: github.com/go-richdoc/latex v0.3.0 and
// github.com/go-tex/tex, both begun in 2026 and without other users, were not to be had
// for a comparison; they make a tree and pages of a subset of LaTeX, and a tree does not
// say which line of the file a paragraph is. codeberg.org/go-latex/latex v0.2.0 draws
// formulas, and pandoc is a program of its own, under the GPL.
package latex

import (
	"strings"

	"vademecum/docs/extract"
	"vademecum/docs/extract/charset"
)

// maxSource is the length in bytes above which a source is shown as it is.
const maxSource = 16 << 20

// Read reads the source of a LaTeX document, or of a part of one.
func Read(raw []byte, _ extract.Progress) (extract.Content, error) {
	c, err := charset.Read(raw)
	if err != nil {
		return extract.Content{}, err
	}
	if len(c.Text) > extract.MaxText {
		return extract.Content{}, extract.ErrTooMuchText
	}
	if len(c.Text) > maxSource {
		c.Form = extract.Records
		return c, nil
	}
	r := newReader(lineFeeds.Replace(c.Text))
	r.read()
	text := r.out.text.String()
	switch {
	case len(text) > extract.MaxText:
		return extract.Content{}, extract.ErrTooMuchText
	case r.isMacros(text):
		c.Form = extract.Records
		return c, nil
	}
	c.Text, c.Title, c.Form = text, r.title, extract.Markdown
	return c, nil
}

// isMacros reports whether a source says next to nothing, as one that only
// declares macros, or includes other files: it is shown as it is.
func (r *reader) isMacros(text string) bool {
	const share = 8
	return !r.headed && len(strings.TrimSpace(text)) < len(r.src)/share
}

var lineFeeds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// A reader goes through a source once, from the start to the end.
type reader struct {
	src    string
	pos    int
	out    lines
	title  string
	headed bool // there is a heading

	inPreamble bool
	names      map[string]string // of theorems, by their environments
	words      map[string]string // what macros of the file stand for
	levels     map[string]int    // of headings, by their macros
	open       []environment
	closers    []string // what is written at the end of each open group
	looked     int      // bytes that were searched in vain
	depth      int      // of sources within a source
}

func newReader(src string) *reader {
	r := &reader{src: src, inPreamble: strings.Contains(src, `\begin{document}`)}
	r.names = theoremNames(src)
	r.words = definedWords(src)
	r.levels = headingLevels(src)
	return r
}

func (r *reader) read() {
	for r.pos < len(r.src) {
		r.token()
	}
	r.out.endLine()
}

// token reads what stands next.
func (r *reader) token() {
	c := r.src[r.pos]
	if r.inPreamble && c != '\\' && c != '%' && c != '\n' {
		r.pos++
		return
	}
	switch c {
	case '\\':
		r.macro()
	case '%':
		r.comment()
	case '\n':
		r.pos++
		r.lineEnd()
	case '$':
		r.dollar()
	case '{':
		r.pos++
		r.openGroup("")
	case '}':
		r.pos++
		r.closeGroup()
	case '~':
		r.pos++
		r.out.put(" ")
	case '`', '\'', '-':
		r.ligature(c)
	case '&':
		r.pos++
		r.out.put(r.ampersand())
	default:
		r.plain()
	}
}

// plain takes the characters up to the next one that means something.
func (r *reader) plain() {
	rest := r.src[r.pos:]
	n := strings.IndexAny(rest[1:], "\\%\n${}~`'-&")
	if n < 0 {
		n = len(rest) - 1
	}
	r.out.put(rest[:n+1])
	r.pos += n + 1
}

func (r *reader) lineEnd() {
	r.out.endLine()
	r.out.place(r.place())
}

// comment skips the rest of a line.
func (r *reader) comment() {
	if end := strings.IndexByte(r.src[r.pos:], '\n'); end >= 0 {
		r.pos += end
		return
	}
	r.pos = len(r.src)
}

// ligature writes the quotation mark or the dash that characters stand for.
func (r *reader) ligature(c byte) {
	run := len(r.src) - r.pos - len(strings.TrimLeft(r.src[r.pos:], string(c)))
	switch {
	case c == '-' && run == 2:
		r.out.put("–")
	case c == '-' && run == 3:
		r.out.put("—")
	case c == '`' && run == 1:
		r.out.put("‘")
	case c == '`' && run == 2:
		r.out.put("“")
	case c == '\'' && run == 2:
		r.out.put("”")
	default:
		r.out.put(r.src[r.pos : r.pos+run])
	}
	r.pos += run
}

// maxGroups is how many groups inside each other have an end of their own.
const maxGroups = 10_000

func (r *reader) openGroup(closer string) {
	if len(r.closers) < maxGroups {
		r.closers = append(r.closers, closer)
	}
}

func (r *reader) closeGroup() {
	if last := len(r.closers) - 1; last >= 0 {
		r.out.put(r.closers[last])
		r.closers = r.closers[:last]
	}
}

// ampersand returns what separates the columns of a table, or an ampersand.
func (r *reader) ampersand() string {
	for _, e := range r.open {
		if e.kind == table {
			return " | "
		}
	}
	return "&"
}

// inline returns what a part of the source says, on one line.
func (r *reader) inline(src string) string {
	if r.depth >= maxInner {
		return src
	}
	inner := reader{src: src, names: r.names, words: r.words, depth: r.depth + 1}
	inner.read()
	return strings.Join(strings.Fields(inner.out.text.String()), " ")
}

// maxInner is how many sources are read inside each other: a footnote in the
// name of a theorem is the third.
const maxInner = 4
