package latex

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"vademecum/docs/extract/markdown"
	"vademecum/internal/base/lazyregexp"
)

// readMacro reads a macro, and those of its arguments that are not text.
func (r *reader) readMacro() {
	name := leadingLetters(r.src[r.pos+1:])
	if name == "" {
		r.readSymbolMacro()
		return
	}
	r.pos += 1 + len(name)
	starred := r.pos < len(r.src) && r.src[r.pos] == '*'
	if starred && (starredMacros[name] || r.headingLevels[name] > 0) {
		r.pos++
	}
	if r.inPreamble && !preambleMacros[name] {
		return
	}
	if read := macroHandlers[name]; read != nil && !r.isOwnQuantity(name) {
		read(r)
		return
	}
	r.writeMacroText(name)
}

// isOwnQuantity reports whether the source defines a macro of its own that is called as one for quantities.
func (r *reader) isOwnQuantity(name string) bool {
	_, isNumber := numberMacros[name]
	_, isQuantity := quantityMacros[name]
	return (isNumber || isQuantity) && (r.macroTexts[name] != "" || r.definitions[name].body != "")
}

// leadingLetters returns the letters at the start of s, which form the name of a macro.
func leadingLetters(s string) string {
	n := 0
	for n < len(s) && ('a' <= s[n] && s[n] <= 'z' || 'A' <= s[n] && s[n] <= 'Z' || s[n] == '@') {
		n++
	}
	return s[:n]
}

// writeMacroText writes the text of a macro without a handler.
func (r *reader) writeMacroText(name string) {
	switch {
	case r.headingLevels[name] > 0:
		r.readOption()
		if title, ok := r.readArgument(); ok {
			r.writeHeading(name, title)
		}
	case strings.Contains(name, "cite"):
		r.writeCitation()
	case characterMacros[name] != "":
		r.out.writeText(characterMacros[name])
		r.skipSpaceAfterLetter(name)
	case layoutMacros[name]:
		r.out.writeText(" ")
	case dropsArguments(name):
		r.dropArguments(name)
	case combiningAccents[name] != "" && r.canTakeAccent():
		r.writeAccented(combiningAccents[name])
	case r.macroTexts[name] != "":
		r.out.writeText(r.macroTexts[name])
	case r.definitions[name].body != "" && r.writeDefined(r.definitions[name]):
	default:
		r.readUnknown(name)
	}
}

func dropsArguments(name string) bool { _, ok := droppedArguments[name]; return ok }

// dropArguments skips the arguments of a macro that are not text. Space that it makes stays.
func (r *reader) dropArguments(name string) {
	if droppedArguments[name] == 0 || strings.HasSuffix(name, "space") {
		r.out.writeText(" ")
	}
	if droppedArguments[name] > 0 || r.isAt("[") {
		r.readOption()
	}
	for range droppedArguments[name] {
		r.readArgument()
	}
}

// layoutOption matches an option that is a setting, such as [mode=text] or [htb], and not text.
var layoutOption = lazyregexp.New(`^[a-z-]+\s*=\s*[a-z]|^[a-zH!]{0,1}$|^[htbp!]{0,4}$`)

// readUnknown treats the arguments of an unknown macro as text, with spaces between them.
func (r *reader) readUnknown(name string) {
	if r.isAt("[") {
		before, owed := r.pos, r.out.owedLineEnds
		if option, _ := r.readOption(); !layoutOption.MatchString(option) {
			r.pos, r.out.owedLineEnds = before, owed
			return
		}
	} else if !r.isAt("{") {
		r.out.writeText(name)
	}
	if r.isAt("{") {
		r.pos++
		r.openGroup(argumentEnd)
	}
}

// isAt reports whether the source goes on with s.
func (r *reader) isAt(s string) bool { return strings.HasPrefix(r.src[r.pos:], s) }

// skipSpaceAfterLetter skips the space after a macro that stands for a letter: the space only ends
// its name.
func (r *reader) skipSpaceAfterLetter(name string) {
	if strings.HasPrefix(r.src[r.pos:], " ") && utf8.RuneCountInString(characterMacros[name]) == 1 && name != "S" && name != "P" {
		r.pos++
	}
}

// writeHeading writes a heading. It closes all open environments and groups.
func (r *reader) writeHeading(name, src string) {
	title := r.convertInline(src)
	if title == "" {
		return
	}
	if r.nesting > 0 {
		r.out.writeText(title)
		return
	}
	r.openEnvironments, r.groupClosers, r.hasHeading = nil, nil, true
	r.out.writeWholeLine(strings.Repeat("#", r.headingLevels[name]) + " " + title)
}

// writeTitle writes the title of the document as a heading.
func (r *reader) writeTitle() {
	r.readOption()
	src, ok := r.readArgument()
	if title := r.convertInline(src); ok && title != "" && r.title == "" {
		r.title, r.hasHeading = title, true
		r.out.writeWholeLine("# " + title)
	}
}

// writeLabel writes the label by which other places in the document refer to this one. After a
// heading it becomes an attribute of the heading.
func (r *reader) writeLabel() {
	name, ok := r.readArgument()
	name = strings.Join(strings.Fields(name), " ")
	switch {
	case !ok || name == "":
	case r.out.isRaw && !strings.ContainsAny(name, "{}"):
		r.out.line.WriteString(" {#" + name + "}")
	default:
		r.out.writeText("[" + name + "] ")
	}
}

func (r *reader) writeReference() {
	if name, ok := r.readArgument(); ok {
		r.out.writeText("[" + strings.Join(strings.Fields(name), " ") + "]")
	}
}

// writeCitation writes the keys of the cited works, and the place in them that is cited.
func (r *reader) writeCitation() {
	var where []string
	for range 2 {
		if option, ok := r.readOption(); ok && strings.TrimSpace(option) != "" {
			where = append(where, r.convertInline(option))
		}
	}
	if keys, ok := r.readArgument(); ok {
		r.out.writeText("[" + strings.Join(append([]string{strings.Join(strings.Fields(keys), " ")}, where...), ", ") + "]")
	}
}

// writeFootnote writes a footnote in parentheses at its reference.
func (r *reader) writeFootnote() {
	r.readOption()
	if r.pos < len(r.src) && r.src[r.pos] == '{' {
		r.pos++
		r.out.writeText(" (")
		r.openGroup(")")
	}
}

// writeLinkText skips the URL of a link. Its text, the next argument, is then read as usual.
func (r *reader) writeLinkText() {
	r.readOption()
	r.readArgument()
}

// writeSuperscript writes a raised number in superscript characters, so that 10⁶ does not become 106.
func (r *reader) writeSuperscript() {
	if text, ok := r.readArgument(); ok {
		r.out.writeText(markdown.Superscript(r.convertInline(text)))
	}
}

// copyMacro writes a macro as it is in the source.
func (r *reader) copyMacro(name string) {
	if arg, ok := r.readArgument(); ok {
		r.out.writeText(`\` + name + "{" + strings.Join(strings.Fields(arg), " ") + "}")
	}
}

// writeInlineCode writes inline code, which is enclosed by two equal characters.
func (r *reader) writeInlineCode() {
	r.readOption()
	if r.pos >= len(r.src) || strings.IndexByte("{ \n", r.src[r.pos]) >= 0 {
		return
	}
	_, size := utf8.DecodeRuneInString(r.src[r.pos:])
	rest := r.src[r.pos+size:]
	line, _, _ := strings.Cut(rest[:min(len(rest), maxArgument)], "\n")
	if n := strings.Index(line, r.src[r.pos:r.pos+size]); n >= 0 {
		r.out.writeText("`" + line[:n] + "`")
		r.pos += n + 2*size
	}
}

// skipDefinition skips the definition of a macro by \newcommand and the like.
func (r *reader) skipDefinition() {
	if _, ok := r.readArgument(); !ok {
		r.skipBlank()
		r.skipMacroName()
	}
	r.readOption()
	r.readOption()
	r.readArgument()
}

// skipTeXDefinition skips a TeX definition: \def\name#1#2{...}.
func (r *reader) skipTeXDefinition() {
	r.skipBlank()
	r.skipMacroName()
	const most = 100 // maximum length of the parameters in bytes
	rest := r.src[r.pos:min(len(r.src), r.pos+most)]
	if n := strings.IndexAny(rest, "{\n"); n >= 0 && rest[n] == '{' {
		r.pos += n
		r.readArgument()
	}
}

// skipLet skips a definition such as \let\name=\other.
func (r *reader) skipLet() {
	r.skipMacroName()
	r.pos += len(r.src[r.pos:]) - len(strings.TrimPrefix(r.src[r.pos:], "="))
	r.skipMacroName()
}

func (r *reader) skipMacroName() {
	if strings.HasPrefix(r.src[r.pos:], `\`) {
		r.pos += 1 + len(leadingLetters(r.src[r.pos+1:]))
	}
}

// readSymbolMacro reads a macro whose name is a single character other than a letter.
func (r *reader) readSymbolMacro() {
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
	case c == '\n': // a backslash before a line end is a space, as the line end itself
		r.pos++
		return
	case c == '[' || c == '(':
		r.pos += 2
		r.writeFormula(`\`+string(c), map[rune]string{'[': `\]`, '(': `\)`}[c])
		return
	}
	r.pos += 1 + size
	switch {
	case c == '\\':
		r.writeLineBreak()
	case combiningAccents[string(c)] != "" && r.canTakeAccent():
		r.writeAccented(combiningAccents[string(c)])
	case strings.ContainsRune(" ,;:>", c):
		r.out.writeText(" ")
	case strings.ContainsRune("/-!@", c):
	case c != ']' && c != ')':
		r.out.writeText(string(c))
	}
}

// writeLineBreak writes a space for a line break, or a slash between two rows of a table on one line.
func (r *reader) writeLineBreak() {
	if r.isAt("[") {
		r.readOption()
	}
	if n := len(r.openEnvironments); n > 0 && r.openEnvironments[n-1].kind == table && r.openEnvironments[n-1].groups == len(r.groupClosers) {
		line, _, _ := strings.Cut(r.src[r.pos:min(len(r.src), r.pos+maxRowStart)], "\n")
		if rowGoesOn.MatchString(line) {
			r.out.writeText("/")
		}
	}
	r.out.writeText(" ")
}

// maxRowStart is the number of bytes after the end of a row that are examined for another one.
const maxRowStart = 200

// rowGoesOn matches a line on which another row follows the end of a row, after rules.
var rowGoesOn = lazyregexp.New(`^(?:\s|\\(?:hline|toprule|midrule|bottomrule|(?:cline|cmidrule)[^}]*\})(?:\[[^\]]*\])?)*(?:[^\s\\%]|\\(?:multi|text|row|cell|SI|qty|num|makecell))`)

// canTakeAccent reports whether the next token can have an accent.
func (r *reader) canTakeAccent() bool {
	next := strings.TrimLeft(r.src[r.pos:min(len(r.src), r.pos+4)], " ")
	return next != "" && strings.IndexByte("\n}$%&~-", next[0]) < 0
}

// writeAccented writes the next letter with an accent.
func (r *reader) writeAccented(mark string) {
	base, ok := r.readArgument()
	if ok {
		base = r.convertInline(base)
	} else {
		r.pos += len(r.src[r.pos:]) - len(strings.TrimLeft(r.src[r.pos:], " "))
		base = r.readLetter()
	}
	if base == "" {
		return
	}
	if dotted, ok := map[string]string{"ı": "i", "ȷ": "j"}[base]; ok {
		base = dotted
	}
	_, size := utf8.DecodeRuneInString(base)
	r.out.writeText(norm.NFC.String(base[:size]+mark) + base[size:])
}

// readLetter consumes the next letter, which may be a dotless i or j.
func (r *reader) readLetter() string {
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
