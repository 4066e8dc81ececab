package latex

import (
	"strconv"
	"strings"

	"vademecum/internal/base/lazyregexp"
)

// A definition is a macro that a source defines with arguments.
type definition struct {
	arguments  int
	first      string // default of the first argument, if isOptional
	isOptional bool   // the first argument is given in square brackets, or left out
	body       string
}

var wordDefinition = lazyregexp.New(`\\(?:(?:re)?newcommand\*?|def|gdef)\s*\{?\\([A-Za-z]{2,40})\}?\s*\{((?:[^{}#$\n]|\{[^{}#$\n]*\}){1,120})\}`)

// macroDefinitions returns the texts of the macros that a source defines without arguments and as
// plain words, by macro.
func macroDefinitions(src string) map[string]string {
	words := make(map[string]string)
	for _, m := range wordDefinition.FindAllStringSubmatch(macroDeclarations(src), maxDeclared) {
		if isForFormulas(m[2]) {
			continue
		}
		inner := reader{src: m[2], nesting: maxInner - 1}
		inner.read()
		if word := strings.Join(strings.Fields(inner.out.text.String()), " "); word != "" {
			words[m[1]] = word
		}
	}
	return words
}

// isForFormulas reports whether the body of a macro is that of a part of a formula.
func isForFormulas(body string) bool {
	return strings.Contains(body, `\math`) || strings.Contains(body, `\ensuremath`) || strings.ContainsAny(body, "^_@")
}

var definitionWithArguments = lazyregexp.New(`\\(?:(?:re|provide)?newcommand|providecommand|renewcommand|DeclareRobustCommand)\*?\s*\{?\\([A-Za-z]{1,40})\}?\s*\[([1-9])\](\[([^\]\n]*)\])?\s*\{((?:[^{}\n]|\{(?:[^{}\n]|\{[^{}\n]*\})*\}){1,200})\}`)

// definitionsWithArguments returns the macros that a source defines with arguments as text on one line,
// by macro.
func definitionsWithArguments(src string) map[string]definition {
	all := make(map[string]definition)
	for _, m := range definitionWithArguments.FindAllStringSubmatch(macroDeclarations(src), maxDeclared) {
		if n, err := strconv.Atoi(m[2]); err == nil && !isForFormulas(m[5]) && !strings.Contains(m[5], `\begin`) {
			all[m[1]] = definition{arguments: n, first: m[4], isOptional: m[3] != "", body: m[5]}
		}
	}
	return all
}

// Limits on the expansion of own macros, in bytes: of one, and of all in a source.
const (
	maxExpansion  = 4 * maxArgument
	maxExpansions = 4 << 20
)

// writeDefined writes the text of a macro that the source defines with arguments. ok is false, and
// nothing is read, if its arguments are not there, are more than text of a paragraph, or become too long.
func (r *reader) writeDefined(d definition) (ok bool) {
	before, owed := r.pos, r.out.owedLineEnds
	arguments, ok := r.readArgumentsOf(d)
	text := ""
	if ok {
		text, ok = r.expand(d, arguments)
	}
	if ok {
		r.out.writeText(r.convertInline(text))
		return true
	}
	r.pos, r.out.owedLineEnds = before, owed
	if r.beginDefined(d) {
		return true
	}
	r.pos, r.out.owedLineEnds = before, owed
	return false
}

// beginDefined writes the text of a macro before its last argument, which is then read as usual and may
// have paragraphs and lists, and has the rest of the text written behind it. ok is false if the body of
// the macro does not have that argument exactly once, or the arguments are not there or become too long.
func (r *reader) beginDefined(d definition) (ok bool) {
	last := "#" + strconv.Itoa(d.arguments)
	head, tail, _ := strings.Cut(d.body, last)
	first := d
	if first.arguments--; strings.Count(d.body, last) != 1 || d.isOptional && first.arguments == 0 {
		return false
	}
	arguments, ok := r.readArgumentsOf(first)
	if r.skipBlank(); !ok || !r.isAt("{") {
		return false
	}
	for _, part := range []*string{&head, &tail} {
		text, ok := r.expand(definition{body: *part}, arguments)
		if !ok {
			return false
		}
		*part = keepOuterSpace(text, r.convertInline(text))
	}
	r.out.writeText(head)
	r.pos++
	r.openGroup(tail)
	return true
}

// keepOuterSpace returns a converted text with a space at each end at which the source has one.
func keepOuterSpace(src, converted string) string {
	if converted == "" {
		return ""
	}
	if strings.TrimLeft(src, " ~") != src {
		converted = " " + converted
	}
	if strings.TrimRight(src, " ~") != src {
		converted += " "
	}
	return converted
}

// readArgumentsOf reads the arguments of a macro. ok is false if one is missing, or is more than text of a
// paragraph: lists, tables and paragraphs stay on their lines.
func (r *reader) readArgumentsOf(d definition) (arguments []string, ok bool) {
	for i := range d.arguments {
		argument, given := d.first, true
		switch {
		case i > 0 || !d.isOptional:
			argument, given = r.readArgument()
		default:
			if option, isThere := r.readOption(); isThere {
				argument = option
			}
		}
		if !given || strings.Contains(argument, "\n\n") || strings.Contains(argument, `\begin`) || strings.Contains(argument, `\item`) {
			return nil, false
		}
		arguments = append(arguments, argument)
	}
	return arguments, true
}

// expand returns the body of a macro with its arguments. ok is false if that is too long, alone or with all
// before it, or too deeply nested.
func (r *reader) expand(d definition, arguments []string) (text string, ok bool) {
	longest := 0
	replace := make([]string, 0, 2*len(arguments))
	for i, argument := range arguments {
		longest = max(longest, len(argument))
		replace = append(replace, "#"+strconv.Itoa(i+1), argument)
	}
	size := len(d.body) + strings.Count(d.body, "#")*longest
	if *r.expanded += size; r.nesting >= maxInner || size > maxExpansion || *r.expanded > maxExpansions {
		return "", false
	}
	return strings.NewReplacer(replace...).Replace(d.body), true
}
