package latex

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"vademecum/internal/base/lazyregexp"
)

// An environmentKind determines how the text of an environment is written.
type environmentKind uint8

const (
	other   environmentKind = iota
	theorem                 // written as a quotation, so that it is not split into chunks
	itemize
	enumerate
	table
)

// An environment is an environment of the source whose end was not read yet.
type environment struct {
	name   string
	kind   environmentKind
	item   int // number of the last list item
	groups int // number of groups that were open at its beginning
}

// maxEnvironments is the maximum number of open environments. Further ones are ignored.
const maxEnvironments = 64

var environmentKinds = map[string]environmentKind{
	"itemize": itemize, "description": itemize, "compactitem": itemize, "list": itemize, "trivlist": itemize,
	"enumerate": enumerate, "compactenum": enumerate,
	"tabular": table, "tabular*": table, "tabularx": table, "longtable": table, "tabu": table,
}

// argumentCounts are the numbers of arguments of environments whose arguments are not text.
var argumentCounts = map[string]int{
	"tabular": 1, "tabular*": 2, "tabularx": 2, "longtable": 1, "tabu": 1, "minipage": 1, "multicols": 1, "wrapfigure": 2,
	"thebibliography": 1, "adjustwidth": 2, "column": 1, "spacing": 1, "subfigure": 1, "subtable": 1, "list": 2,
}

// mathEnvironments are mathematical environments, which are kept unchanged.
var mathEnvironments = wordSet(`equation align alignat flalign gather multline eqnarray displaymath math subequations dmath`)

// codeEnvironments are environments that contain code.
var codeEnvironments = wordSet(`verbatim Verbatim lstlisting minted alltt listing code`)

// drawingEnvironments contain drawing instructions or other content that is not text. They are left
// out.
var drawingEnvironments = wordSet(`comment tikzpicture pspicture picture filecontents`)

// theoremEnvironments are the usual names of theorem environments, recognised without a
// declaration.
var theoremEnvironments = wordSet(`theorem lemma proposition corollary definition remark example conjecture claim exercise
	problem fact observation notation assumption axiom question situation construction hypothesis property
	remarks examples definitions solution algorithm`)

var shortTheorems = map[string]string{
	"thm": "Theorem", "lem": "Lemma", "lemm": "Lemma", "prop": "Proposition", "cor": "Corollary", "coro": "Corollary",
	"defn": "Definition", "dfn": "Definition", "defi": "Definition", "rem": "Remark", "rmk": "Remark",
	"exm": "Example", "eg": "Example", "conj": "Conjecture", "clm": "Claim", "obs": "Observation",
}

func wordSet(names string) map[string]bool {
	set := make(map[string]bool)
	for name := range strings.FieldsSeq(names) {
		set[name] = true
	}
	return set
}

var theoremDeclaration = lazyregexp.New(`\\newtheorem\*?\{([A-Za-z*]{1,40})\}(?:\[[^\]\n]*\])?\{([^{}\n]{1,60})\}`)

// theoremNames returns the display names of the theorem environments that a source declares, by
// environment.
func theoremNames(src string) map[string]string {
	names := make(map[string]string)
	if !strings.Contains(src, `\newtheorem`) {
		return names
	}
	for _, m := range theoremDeclaration.FindAllStringSubmatch(macroDeclarations(src), maxDeclared) {
		names[m[1]] = m[2]
	}
	return names
}

// theoremName returns the display name of a theorem environment, or "" for other environments.
func (r *reader) theoremName(name string) string {
	if declared := r.theoremNames[name]; declared != "" {
		return declared
	}
	name = strings.TrimSuffix(name, "*")
	if theoremEnvironments[name] {
		first, size := utf8.DecodeRuneInString(name)
		return string(unicode.ToUpper(first)) + name[size:]
	}
	return shortTheorems[name]
}

// beginEnvironment reads the start of an environment, or the whole environment if its content is
// copied or left out.
func (r *reader) beginEnvironment() {
	name, ok := r.readArgument()
	if !ok {
		return
	}
	plain := strings.TrimSuffix(name, "*")
	switch {
	case name == "document":
		r.inPreamble = false
	case r.inPreamble && name != "abstract":
		r.skipEnvironment(`\end{` + name + "}")
	case drawingEnvironments[plain]:
		r.skipEnvironment(`\end{` + name + "}")
	case codeEnvironments[plain]:
		r.writeCodeBlock(name)
	case mathEnvironments[plain]:
		r.writeFormula(`\begin{`+name+"}", `\end{`+name+"}")
	case strings.HasPrefix(name, "frame"):
		r.beginFrame()
	default:
		r.openEnvironment(name)
	}
}

// openEnvironment begins an environment whose content is read as text.
func (r *reader) openEnvironment(name string) {
	e := environment{name: name, kind: environmentKinds[name], groups: len(r.groupClosers)}
	called := r.theoremName(name)
	if called != "" {
		e.kind = theorem
	}
	if len(r.openEnvironments) < maxEnvironments {
		r.openEnvironments = append(r.openEnvironments, e)
	}
	r.out.setPosition(r.linePosition())
	if e.kind == table {
		r.out.writeText(" ") // a caption may stand before it on the line
	}
	switch {
	case called != "":
		r.writeTheoremHeading(called)
	case name == "proof":
		r.writeProofHeading()
	case name == "abstract":
		r.out.writeText("**Abstract.** ")
	default:
		r.readOption()
		for range argumentCounts[name] {
			r.readArgument()
		}
	}
}

// writeTheoremHeading writes the display name of a theorem, such as "Lemma", and the theorem's own
// name if it has one.
func (r *reader) writeTheoremHeading(displayName string) {
	if name, ok := r.readOption(); ok {
		displayName += " (" + r.convertInline(name) + ")"
	}
	r.out.writeText("**" + displayName + ".** ")
}

func (r *reader) writeProofHeading() {
	called := "Proof"
	if name, ok := r.readOption(); ok {
		called = strings.TrimSuffix(r.convertInline(name), ".")
	}
	r.out.writeText("*" + called + ".* ")
}

// endEnvironment reads the end of an environment, and closes the environments left open inside it.
func (r *reader) endEnvironment() {
	name, _ := r.readArgument()
	for i := len(r.openEnvironments) - 1; i >= 0; i-- {
		if r.openEnvironments[i].name == name {
			r.openEnvironments = r.openEnvironments[:i]
			break
		}
	}
	r.out.setPosition(r.linePosition())
	if name == "document" { // nothing more is read, as in TeX
		r.out.addOwedLineEnds(r.src[r.pos:])
		r.pos = len(r.src)
	}
}

// linePosition returns whether a line that begins at this place is quoted, and its indentation in
// spaces.
func (r *reader) linePosition() (quoted bool, indent int) {
	for _, e := range r.openEnvironments {
		switch e.kind {
		case theorem:
			quoted = true
		case itemize, enumerate:
			indent += listIndent
		}
	}
	return quoted, min(indent, maxIndent)
}

const (
	listIndent = 3
	maxIndent  = 8 * listIndent
)

// beginItem begins an item of a list with its marker.
func (r *reader) beginItem() {
	marker := "- "
	for i := len(r.openEnvironments) - 1; i >= 0; i-- {
		if e := &r.openEnvironments[i]; e.kind == enumerate || e.kind == itemize {
			if e.kind == enumerate {
				e.item++
				marker = strconv.Itoa(e.item) + ". "
			}
			break
		}
	}
	if label, ok := r.readOption(); ok {
		marker = r.labelMarker(label)
	}
	r.skipToItemText()
	quoted, indent := r.linePosition()
	r.out.setPosition(quoted, max(indent-listIndent, 0))
	r.out.writeText(marker)
}

// taskMarkers are the markers of tasks by the labels that Pandoc gives their items.
var taskMarkers = map[string]string{`$\boxtimes$`: "- [x] ", `$\square$`: "- [ ] "}

// labelMarker returns the Markdown that begins a list item with a label of its own, as in \item[Label]: a
// checkbox for a task, otherwise a bullet and the label in bold.
func (r *reader) labelMarker(label string) string {
	if marker := taskMarkers[label]; marker != "" {
		return marker
	}
	return "- **" + r.convertInline(label) + "** "
}

// enumerateCounters are the counters of nested numbered lists, outermost first.
var enumerateCounters = []string{"enumi", "enumii", "enumiii", "enumiv"}

// setCounter reads \setcounter, which sets the number before the next item of a numbered list.
func (r *reader) setCounter() {
	counter, _ := r.readArgument()
	number, _ := r.readArgument()
	n, err := strconv.Atoi(strings.TrimSpace(number))
	depth := slices.Index(enumerateCounters, counter)
	if err != nil || depth < 0 {
		return
	}
	for i := range r.openEnvironments {
		if e := &r.openEnvironments[i]; e.kind == enumerate {
			if depth == 0 {
				e.item = n
				return
			}
			depth--
		}
	}
}

// skipToItemText ends the line of an item whose text begins on the next one, so that its marker
// stands before the text, as Pandoc writes lists.
func (r *reader) skipToItemText() {
	rest := strings.TrimLeft(r.src[r.pos:], " \t")
	next, ok := strings.CutPrefix(rest, "\n")
	if !ok {
		return
	}
	text := strings.TrimLeft(next, " \t")
	if text == "" || text[0] == '\n' || strings.HasPrefix(text, `\item`) || strings.HasPrefix(text, `\end{`) || strings.HasPrefix(text, `\begin{`) {
		return
	}
	r.pos = len(r.src) - len(text)
	r.writeLineEnd()
}

// beginFrame begins a slide of a presentation. Its title, if it has one, becomes a heading.
func (r *reader) beginFrame() {
	r.readOption()
	if r.pos < len(r.src) && r.src[r.pos] == '{' {
		if title, ok := r.readArgument(); ok {
			r.writeHeading("subsection", title)
		}
	}
}

// skipEnvironment skips the rest of an environment with its end command, which is end.
func (r *reader) skipEnvironment(end string) {
	n := r.findAhead(end)
	if n < 0 {
		return
	}
	r.out.addOwedLineEnds(r.src[r.pos : r.pos+n])
	r.pos += n + len(end)
}

// writeCodeBlock writes the lines of an environment as a code block.
func (r *reader) writeCodeBlock(name string) {
	end := `\end{` + name + "}"
	n := r.findAhead(end)
	first := strings.IndexByte(r.src[r.pos:], '\n')
	if n < 0 || first < 0 || first > n {
		r.fruitlessBytes += max(0, n) // the search was in vain: the environment is not on lines of its own
		r.out.writeText(" ")
		return
	}
	language := codeLanguage.FindStringSubmatch(r.src[r.pos : r.pos+min(first, maxArgument)])
	fence := "```"
	body := r.src[r.pos+first+1 : r.pos+n]
	for strings.Contains(body, fence) && len(fence) < 40 {
		fence += "`"
	}
	opening := fence
	if language != nil {
		opening += strings.ToLower(language[1])
	}
	r.out.writeWholeLine(opening)
	r.out.endLine()
	for line := range strings.Lines(body) {
		if whole, ok := strings.CutSuffix(line, "\n"); ok {
			r.out.writeWholeLine(whole)
			r.out.endLine()
		} else if strings.TrimSpace(line) != "" {
			r.out.writeWholeLine(line)
			r.out.endLine()
		}
	}
	r.out.writeWholeLine(fence)
	r.pos += n + len(end)
}

// codeLanguage matches the language in the options of a code block.
var codeLanguage = lazyregexp.New(`(?:language=|^(?:\[[^\]]*\])?\{)([A-Za-z0-9+#]{1,20})`)
