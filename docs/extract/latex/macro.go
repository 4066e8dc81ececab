package latex

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// macro reads a macro, and the arguments that are no text.
func (r *reader) macro() {
	name := letters(r.src[r.pos+1:])
	if name == "" {
		r.symbol()
		return
	}
	r.pos += 1 + len(name)
	starred := r.pos < len(r.src) && r.src[r.pos] == '*'
	if starred && (starring[name] || r.levels[name] > 0) {
		r.pos++
	}
	if r.inPreamble && !declaring[name] {
		return
	}
	if read := structure[name]; read != nil {
		read(r)
		return
	}
	r.word(name)
}

// letters returns the letters that s begins with, which name a macro.
func letters(s string) string {
	n := 0
	for n < len(s) && ('a' <= s[n] && s[n] <= 'z' || 'A' <= s[n] && s[n] <= 'Z' || s[n] == '@') {
		n++
	}
	return s[:n]
}

// word writes what a macro within a text stands for.
func (r *reader) word(name string) {
	switch {
	case r.levels[name] > 0:
		r.option()
		if title, ok := r.argument(); ok {
			r.heading(name, title)
		}
	case strings.Contains(name, "cite"):
		r.cite()
	case characters[name] != "":
		r.out.put(characters[name])
		r.skipSpaceOf(name)
	case layout[name]:
		r.out.put(" ")
	case dropped[name] > 0:
		r.option()
		for range dropped[name] {
			r.argument()
		}
	case combining[name] != "" && r.accents():
		r.accent(combining[name])
	case r.words[name] != "":
		r.out.put(r.words[name])
	case r.pos < len(r.src) && (r.src[r.pos] == '{' || r.src[r.pos] == '['):
		// What it does to its argument is not known: the argument is text.
	default:
		r.out.put(name)
	}
}

// skipSpaceOf skips the space after the name of a letter, which only ends it.
func (r *reader) skipSpaceOf(name string) {
	if strings.HasPrefix(r.src[r.pos:], " ") && utf8.RuneCountInString(characters[name]) == 1 && name != "S" && name != "P" {
		r.pos++
	}
}

// heading writes a heading, which ends what was left open before it.
func (r *reader) heading(name, src string) {
	title := r.inline(src)
	if title == "" {
		return
	}
	if r.depth > 0 {
		r.out.put(title)
		return
	}
	r.open, r.closers, r.headed = nil, nil, true
	r.out.whole(strings.Repeat("#", r.levels[name]) + " " + title)
}

// titled writes the title of the document.
func (r *reader) titled() {
	r.option()
	src, ok := r.argument()
	if title := r.inline(src); ok && title != "" && r.title == "" {
		r.title, r.headed = title, true
		r.out.whole("# " + title)
	}
}

// label writes the name by which other places refer to this one: beside a
// heading as its attribute.
func (r *reader) label() {
	name, ok := r.argument()
	name = strings.Join(strings.Fields(name), " ")
	switch {
	case !ok || name == "":
	case r.out.raw && !strings.ContainsAny(name, "{}"):
		r.out.line.WriteString(" {#" + name + "}")
	default:
		r.out.put("[" + name + "] ")
	}
}

func (r *reader) reference() {
	if name, ok := r.argument(); ok {
		r.out.put("[" + strings.Join(strings.Fields(name), " ") + "]")
	}
}

// cite writes the keys of what is cited, with the place in it.
func (r *reader) cite() {
	var where []string
	for range 2 {
		if option, ok := r.option(); ok && strings.TrimSpace(option) != "" {
			where = append(where, r.inline(option))
		}
	}
	if keys, ok := r.argument(); ok {
		r.out.put("[" + strings.Join(append([]string{strings.Join(strings.Fields(keys), " ")}, where...), ", ") + "]")
	}
}

// footnote writes a footnote in parentheses where it is referred to.
func (r *reader) footnote() {
	r.option()
	if r.pos < len(r.src) && r.src[r.pos] == '{' {
		r.pos++
		r.out.put(" (")
		r.openGroup(")")
	}
}

// link leaves the address of a link out.
func (r *reader) link() {
	r.option()
	r.argument()
}

// asWritten writes a macro as it is.
func (r *reader) asWritten(name string) {
	if arg, ok := r.argument(); ok {
		r.out.put(`\` + name + "{" + strings.Join(strings.Fields(arg), " ") + "}")
	}
}

// verb writes code within a line, between two equal characters.
func (r *reader) verb() {
	r.option()
	if r.pos >= len(r.src) || strings.IndexByte("{ \n", r.src[r.pos]) >= 0 {
		return
	}
	_, size := utf8.DecodeRuneInString(r.src[r.pos:])
	rest := r.src[r.pos+size:]
	line, _, _ := strings.Cut(rest[:min(len(rest), maxArgument)], "\n")
	if n := strings.Index(line, r.src[r.pos:r.pos+size]); n >= 0 {
		r.out.put("`" + line[:n] + "`")
		r.pos += n + 2*size
	}
}

// define skips the definition of a macro.
func (r *reader) define() {
	if _, ok := r.argument(); !ok {
		r.skipBlank()
		r.skipName()
	}
	r.option()
	r.option()
	r.argument()
}

// def skips a definition of TeX: \def\name#1#2{...}.
func (r *reader) def() {
	r.skipBlank()
	r.skipName()
	const most = 100 // bytes of parameters
	rest := r.src[r.pos:min(len(r.src), r.pos+most)]
	if n := strings.IndexAny(rest, "{\n"); n >= 0 && rest[n] == '{' {
		r.pos += n
		r.argument()
	}
}

// let skips \let\name=\other.
func (r *reader) let() {
	r.skipName()
	r.pos += len(r.src[r.pos:]) - len(strings.TrimPrefix(r.src[r.pos:], "="))
	r.skipName()
}

func (r *reader) skipName() {
	if strings.HasPrefix(r.src[r.pos:], `\`) {
		r.pos += 1 + len(letters(r.src[r.pos+1:]))
	}
}

// symbol reads a macro of one character that is no letter.
func (r *reader) symbol() {
	if r.pos+1 >= len(r.src) {
		r.pos++
		return
	}
	c, size := utf8.DecodeRuneInString(r.src[r.pos+1:])
	if r.inPreamble {
		r.pos += 1 + size
		return
	}
	switch {
	case c == '\n': // a space, and the line ends
		r.pos++
		return
	case c == '[' || c == '(':
		r.pos += 2
		r.formula(`\`+string(c), map[rune]string{'[': `\]`, '(': `\)`}[c])
		return
	}
	r.pos += 1 + size
	switch {
	case c == '\\':
		r.out.put(" ")
		if strings.HasPrefix(r.src[r.pos:], "[") {
			r.option()
		}
	case combining[string(c)] != "" && r.accents():
		r.accent(combining[string(c)])
	case strings.ContainsRune(" ,;:>", c):
		r.out.put(" ")
	case strings.ContainsRune("/-!@", c):
	case c != ']' && c != ')':
		r.out.put(string(c))
	}
}

// accents reports whether what comes next can have an accent.
func (r *reader) accents() bool {
	next := strings.TrimLeft(r.src[r.pos:min(len(r.src), r.pos+4)], " ")
	return next != "" && strings.IndexByte("\n}$%&~-", next[0]) < 0
}

// accent writes the next letter with an accent.
func (r *reader) accent(mark string) {
	base, ok := r.argument()
	if ok {
		base = r.inline(base)
	} else {
		r.pos += len(r.src[r.pos:]) - len(strings.TrimLeft(r.src[r.pos:], " "))
		base = r.letter()
	}
	if base == "" {
		return
	}
	if dotted, ok := map[string]string{"ı": "i", "ȷ": "j"}[base]; ok {
		base = dotted
	}
	_, size := utf8.DecodeRuneInString(base)
	r.out.put(norm.NFC.String(base[:size]+mark) + base[size:])
}

// letter takes the next letter, also an i without its dot.
func (r *reader) letter() string {
	rest := r.src[r.pos:]
	if strings.HasPrefix(rest, `\i`) || strings.HasPrefix(rest, `\j`) {
		r.pos += 2
		return rest[1:2]
	}
	if rest == "" || rest[0] == '\\' || rest[0] == '\n' {
		return ""
	}
	_, size := utf8.DecodeRuneInString(rest)
	r.pos += size
	return rest[:size]
}
