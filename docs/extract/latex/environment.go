package latex

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A kind says how the text of an environment is written.
type kind uint8

const (
	other   kind = iota
	theorem      // as a quotation, which is not taken apart
	itemize
	enumerate
	table
)

// An environment is one that is open.
type environment struct {
	name string
	kind kind
	item int // number of the last item
}

// maxEnvironments is how many may be open, so many that more are none.
const maxEnvironments = 64

var kinds = map[string]kind{
	"itemize": itemize, "description": itemize, "compactitem": itemize, "list": itemize, "trivlist": itemize,
	"enumerate": enumerate, "compactenum": enumerate,
	"tabular": table, "tabular*": table, "tabularx": table, "longtable": table, "tabu": table,
}

// arguments are how many arguments of an environment are no text.
var arguments = map[string]int{
	"tabular": 1, "tabular*": 2, "tabularx": 2, "longtable": 1, "tabu": 1, "minipage": 1, "multicols": 1, "wrapfigure": 2,
	"thebibliography": 1, "adjustwidth": 2, "column": 1, "spacing": 1, "subfigure": 1, "subtable": 1, "list": 2,
}

// formulas are the environments of mathematics, which stay as they are.
var formulas = setOf(`equation align alignat flalign gather multline eqnarray displaymath math subequations dmath`)

// verbatim are those whose lines are code.
var verbatim = setOf(`verbatim Verbatim lstlisting minted alltt listing code`)

// drawings are those that say how to draw: they are left out.
var drawings = setOf(`comment tikzpicture pspicture picture filecontents`)

// theorems are those that are called so without a declaration.
var theorems = setOf(`theorem lemma proposition corollary definition remark example conjecture claim exercise
	problem fact observation notation assumption axiom question situation construction hypothesis property
	remarks examples definitions solution algorithm`)

var shortTheorems = map[string]string{
	"thm": "Theorem", "lem": "Lemma", "lemm": "Lemma", "prop": "Proposition", "cor": "Corollary", "coro": "Corollary",
	"defn": "Definition", "dfn": "Definition", "defi": "Definition", "rem": "Remark", "rmk": "Remark",
	"exm": "Example", "eg": "Example", "conj": "Conjecture", "clm": "Claim", "obs": "Observation",
}

func setOf(names string) map[string]bool {
	set := make(map[string]bool)
	for name := range strings.FieldsSeq(names) {
		set[name] = true
	}
	return set
}

var newTheorem = regexp.MustCompile(`\\newtheorem\*?\{([A-Za-z*]{1,40})\}(?:\[[^\]\n]*\])?\{([^{}\n]{1,60})\}`)

// theoremNames returns what the environments that a source declares are called.
func theoremNames(src string) map[string]string {
	names := make(map[string]string)
	if !strings.Contains(src, `\newtheorem`) {
		return names
	}
	for _, m := range newTheorem.FindAllStringSubmatch(declarations(src), maxDeclared) {
		names[m[1]] = m[2]
	}
	return names
}

// theoremName returns what an environment is called, or "".
func (r *reader) theoremName(name string) string {
	if declared := r.names[name]; declared != "" {
		return declared
	}
	name = strings.TrimSuffix(name, "*")
	if theorems[name] {
		first, size := utf8.DecodeRuneInString(name)
		return string(unicode.ToUpper(first)) + name[size:]
	}
	return shortTheorems[name]
}

// begin reads the start of an environment.
func (r *reader) begin() {
	name, ok := r.argument()
	if !ok {
		return
	}
	plain := strings.TrimSuffix(name, "*")
	switch {
	case name == "document":
		r.inPreamble = false
	case r.inPreamble && name != "abstract":
		r.skipTo(`\end{` + name + "}")
	case drawings[plain]:
		r.skipTo(`\end{` + name + "}")
	case verbatim[plain]:
		r.code(name)
	case formulas[plain]:
		r.formula(`\begin{`+name+"}", `\end{`+name+"}")
	case strings.HasPrefix(name, "frame"):
		r.frame()
	default:
		r.enter(name)
	}
}

// enter opens an environment that has text.
func (r *reader) enter(name string) {
	e := environment{name: name, kind: kinds[name]}
	called := r.theoremName(name)
	if called != "" {
		e.kind = theorem
	}
	if len(r.open) < maxEnvironments {
		r.open = append(r.open, e)
	}
	r.out.place(r.place())
	switch {
	case called != "":
		r.announce(called)
	case name == "proof":
		r.announceProof()
	case name == "abstract":
		r.out.put("**Abstract.** ")
	default:
		r.option()
		for range arguments[name] {
			r.argument()
		}
	}
}

// announce writes what a theorem is called, with the name that it has.
func (r *reader) announce(called string) {
	if name, ok := r.option(); ok {
		called += " (" + r.inline(name) + ")"
	}
	r.out.put("**" + called + ".** ")
}

func (r *reader) announceProof() {
	called := "Proof"
	if name, ok := r.option(); ok {
		called = strings.TrimSuffix(r.inline(name), ".")
	}
	r.out.put("*" + called + ".* ")
}

// end reads the end of an environment, with those that were left open inside.
func (r *reader) end() {
	name, _ := r.argument()
	for i := len(r.open) - 1; i >= 0; i-- {
		if r.open[i].name == name {
			r.open = r.open[:i]
			break
		}
	}
	r.out.place(r.place())
	if name == "document" { // what follows is not read by TeX either
		r.out.owe(r.src[r.pos:])
		r.pos = len(r.src)
	}
}

// place returns where a line belongs that begins here.
func (r *reader) place() (quoted bool, indent int) {
	for _, e := range r.open {
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

// item begins an item of a list.
func (r *reader) item() {
	marker := "- "
	for i := len(r.open) - 1; i >= 0; i-- {
		if e := &r.open[i]; e.kind == enumerate || e.kind == itemize {
			if e.kind == enumerate {
				e.item++
				marker = strconv.Itoa(e.item) + ". "
			}
			break
		}
	}
	quoted, indent := r.place()
	r.out.place(quoted, max(indent-listIndent, 0))
	if label, ok := r.option(); ok {
		marker = "- **" + r.inline(label) + "** "
	}
	r.out.put(marker)
}

// frame begins a slide, with the title that it has as a heading.
func (r *reader) frame() {
	r.option()
	if r.pos < len(r.src) && r.src[r.pos] == '{' {
		if title, ok := r.argument(); ok {
			r.heading("subsection", title)
		}
	}
}

// skipTo skips what stands before the end of an environment, and that.
func (r *reader) skipTo(end string) {
	n := r.index(end)
	if n < 0 {
		return
	}
	r.out.owe(r.src[r.pos : r.pos+n])
	r.pos += n + len(end)
}

// code writes the lines of an environment as a block of code.
func (r *reader) code(name string) {
	end := `\end{` + name + "}"
	n := r.index(end)
	first := strings.IndexByte(r.src[r.pos:], '\n')
	if n < 0 || first < 0 || first > n {
		r.looked += max(0, n) // for an end that is of no use here
		r.out.put(" ")
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
	r.out.whole(opening)
	r.out.endLine()
	for line := range strings.Lines(body) {
		if whole, ok := strings.CutSuffix(line, "\n"); ok {
			r.out.whole(whole)
			r.out.endLine()
		} else if strings.TrimSpace(line) != "" {
			r.out.whole(line)
			r.out.endLine()
		}
	}
	r.out.whole(fence)
	r.pos += n + len(end)
}

// codeLanguage finds the language in the options of a block of code.
var codeLanguage = regexp.MustCompile(`(?:language=|^(?:\[[^\]]*\])?\{)([A-Za-z0-9+#]{1,20})`)
