package latex

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"vademecum/docs/extract"
	"vademecum/docs/extract/charset"
)

// ReadBibliography reads BibTeX and BibLaTeX entries as text, line for line, without the braces and
// macros that split words.
func ReadBibliography(raw []byte, _ extract.ProgressReporter) (extract.Content, error) {
	c, err := charset.Read(raw)
	if err != nil {
		return extract.Content{}, err
	}
	b := bibliography{src: c.Text}
	for b.pos < len(b.src) {
		b.readToken()
	}
	c.Text = b.out.String()
	return c, nil
}

// A bibliography holds the state while a source is converted in one pass.
type bibliography struct {
	src   string
	pos   int
	out   strings.Builder
	open  []bool // for each open brace, whether it is written because it begins an entry or a value
	after byte   // the last character that is not blank
}

func (b *bibliography) readToken() {
	c, start := b.src[b.pos], b.pos
	b.pos++
	switch c {
	case '{':
		isShown := len(b.open) == 0 || b.after == '=' || b.after == '#'
		b.open = append(b.open, isShown)
		b.writeIf(isShown, "{")
	case '}':
		last := len(b.open) - 1
		b.writeIf(last < 0 || b.open[last], "}")
		b.open = b.open[:max(last, 0)]
	case '$':
		b.copyFormula()
	case '\\':
		b.readMacro()
	case '~':
		b.writeIf(b.after == '/', "~")
		b.writeIf(b.after != '/', " ")
	case ' ', '\t', '\r', '\n':
		b.out.WriteByte(c)
		return
	default:
		for b.pos < len(b.src) && strings.IndexByte("{}$\\~ \t\r\n", b.src[b.pos]) < 0 {
			b.pos++
		}
		b.out.WriteString(b.src[start:b.pos])
	}
	b.after = b.src[b.pos-1]
}

func (b *bibliography) writeIf(isShown bool, text string) {
	if isShown {
		b.out.WriteString(text)
	}
}

// copyFormula copies a formula whose opening dollar sign has been read.
func (b *bibliography) copyFormula() {
	const longest = 1000 // maximum length of a formula in bytes; a dollar sign without another one is a currency sign
	b.out.WriteByte('$')
	rest := b.src[b.pos:min(len(b.src), b.pos+longest)]
	if end := strings.IndexAny(rest, "$\n"); end >= 0 && rest[end] == '$' {
		b.out.WriteString(rest[:end+1])
		b.pos += end + 1
	}
}

// readMacro reads a macro whose backslash has been read. Formatting macros are dropped, unknown
// ones are kept.
func (b *bibliography) readMacro() {
	rest := b.src[b.pos:]
	name := leadingLetters(rest)
	if name == "" {
		_, size := utf8.DecodeRuneInString(rest)
		name = rest[:size]
	}
	isWord := leadingLetters(name) != ""
	next := strings.TrimPrefix(rest[len(name):], " ")
	switch {
	case name == "" || name == "\n" || name == "\r":
		b.out.WriteByte('\\')
	case combiningAccents[name] != "" && b.readAccented(rest[len(name):], combiningAccents[name]):
	case characterMacros[name] != "":
		b.out.WriteString(characterMacros[name])
		b.pos += len(rest) - len(strings.TrimPrefix(next, "{}"))
	case layoutMacros[name]:
		b.pos += len(rest) - len(next)
	case !isWord:
		b.out.WriteString(name)
		b.pos += len(name)
	case strings.HasPrefix(next, "{"):
		b.pos += len(name)
	default:
		b.out.WriteString(`\` + name)
		b.pos += len(name)
	}
}

// readAccented writes the letter at the start of rest, which may be in braces, with the accent
// mark. It reports whether there is such a letter.
func (b *bibliography) readAccented(rest, mark string) bool {
	letter := strings.TrimLeft(rest, " ")
	inBraces := strings.HasPrefix(letter, "{")
	letter = strings.TrimPrefix(letter, "{")
	for _, dotless := range []string{`\i`, `\j`} {
		if strings.HasPrefix(letter, dotless) && leadingLetters(letter[1:]) == dotless[1:] {
			letter = letter[1:]
		}
	}
	r, size := utf8.DecodeRuneInString(letter)
	composed := norm.NFC.String(string(r) + mark)
	if size == 0 || r <= ' ' || strings.ContainsRune(`\{}$,"`, r) {
		return false
	}
	b.out.WriteString(composed)
	letter = letter[size:]
	if inBraces && strings.HasPrefix(letter, "}") {
		letter = letter[1:]
	} else if inBraces {
		b.open = append(b.open, false)
	}
	b.pos = len(b.src) - len(letter)
	return true
}
