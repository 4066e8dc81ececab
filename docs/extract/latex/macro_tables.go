package latex

import (
	"strings"

	"vademecum/docs/extract/markdown"
)

// macroHandlers are the functions for macros that need more than an entry in a table.
var macroHandlers map[string]func(*reader)

func init() {
	macroHandlers = map[string]func(*reader){
		"begin": (*reader).beginEnvironment, "end": (*reader).endEnvironment, "item": (*reader).beginItem, "label": (*reader).writeLabel,
		"title": (*reader).writeTitle, "author": (*reader).writeAuthor,
		"footnote": (*reader).writeFootnote, "footnotetext": (*reader).writeFootnote, "marginpar": (*reader).writeFootnote,
		"href": (*reader).writeLinkText, "verb": (*reader).writeInlineCode, "lstinline": (*reader).writeInlineCode,
		"caption":   func(r *reader) { r.readOption() },
		"hyperref":  func(r *reader) { r.readOption() },
		"bibitem":   func(r *reader) { r.readOption(); r.writeReference(); r.out.writeText(" ") },
		"paragraph": (*reader).writeRunInHeading, "subparagraph": (*reader).writeRunInHeading,
		"frametitle": func(r *reader) {
			if title, ok := r.readArgument(); ok {
				r.writeHeading("subsection", title)
			}
		},
		"textsuperscript": (*reader).writeSuperscript, "setcounter": (*reader).setCounter,
		"iffalse": func(r *reader) { r.skipEnvironment(`\fi`) },
		"def":     (*reader).skipTeXDefinition, "gdef": (*reader).skipTeXDefinition, "edef": (*reader).skipTeXDefinition, "let": (*reader).skipLet,
	}
	macroHandlers["texorpdfstring"] = (*reader).writeFirstArgument
	for name := range numberMacros {
		macroHandlers[name] = func(r *reader) { r.writeNumbers(name) }
	}
	for name := range quantityMacros {
		macroHandlers[name] = func(r *reader) { r.writeQuantity(name) }
	}
	for name := range wordSet("frac nicefrac sfrac tfrac dfrac textfrac") {
		macroHandlers[name] = (*reader).writeFraction
	}
	macroHandlers["cmidrule"] = (*reader).skipRule
	for name := range wordSet("sout xout st deleted") {
		macroHandlers[name] = (*reader).writeStruck
	}
	macroHandlers["replaced"] = (*reader).writeReplaced
	for name := range wordSet("ref eqref cref Cref autoref pageref nameref vref Vref labelcref") {
		macroHandlers[name] = (*reader).writeReference
	}
	for name := range wordSet("input include subfile import subimport") {
		macroHandlers[name] = func(r *reader) { r.copyMacro(name) }
	}
	for name := range wordSet("newcommand renewcommand providecommand DeclareMathOperator DeclareRobustCommand newcommandx") {
		macroHandlers[name] = (*reader).skipDefinition
	}
}

// writeStruck writes text that packages ulem, soul and changes strike out.
func (r *reader) writeStruck() {
	r.readOption()
	if text, ok := r.readArgument(); ok {
		r.out.writeText(markdown.MarkStruck(0, r.convertInline(text), ""))
	}
}

// writeReplaced writes the \replaced macro of package changes: the old text, struck out, and then the new one.
func (r *reader) writeReplaced() {
	r.readOption()
	replacement, ok := r.readArgument()
	if !ok {
		return
	}
	r.writeStruck()
	r.out.writeText(" " + r.convertInline(replacement))
}

// writeFirstArgument writes the first of two arguments: what \texorpdfstring prints, without what it is
// in bookmarks.
func (r *reader) writeFirstArgument() {
	if text, ok := r.readArgument(); ok {
		r.out.writeText(r.convertInline(text))
		r.readArgument()
	}
}

// writeFraction writes a fraction outside a formula: 1/2, so that it does not become 12.
func (r *reader) writeFraction() {
	r.readOption()
	numerator, _ := r.readArgument()
	denominator, ok := r.readArgument()
	if text := r.convertInline(numerator); ok {
		r.out.writeText(text + "/" + r.convertInline(denominator))
	} else if text != "" {
		r.out.writeText(text + "/") // \frac{1}2
	}
}

// skipRule skips the arguments of \cmidrule[width](trim){columns}.
func (r *reader) skipRule() {
	r.readOption()
	r.readBracketed('(', ')')
	r.readArgument()
}

// writeAuthor writes the authors of the document.
func (r *reader) writeAuthor() {
	r.readOption()
	if names, ok := r.readArgument(); ok {
		r.out.writeText(strings.ReplaceAll(r.convertInline(names), " ,", ","))
	}
}

// writeRunInHeading writes the heading of a paragraph, which the paragraph follows on the same
// line.
func (r *reader) writeRunInHeading() {
	if title, ok := r.readArgument(); ok {
		r.out.writeText("**" + strings.TrimSuffix(r.convertInline(title), ".") + ".** ")
	}
}

// preambleMacros are the macros that are read in the preamble.
var preambleMacros = wordSet("begin title author newcommand renewcommand providecommand DeclareMathOperator DeclareRobustCommand def gdef edef let newenvironment renewenvironment newtheorem iffalse")

// starredMacros are the macros that have a starred variant.
var starredMacros = wordSet("newcommand renewcommand providecommand DeclareMathOperator newtheorem vspace hspace caption footnote cite citep citet ref cref paragraph verb newenvironment")

// sectionMacros are the heading macros, outermost first.
var sectionMacros = []string{"part", "chapter", "section", "subsection", "subsubsection"}

// headingLevels returns the Markdown levels of the heading macros. The outermost headings are at
// level 2 if the document has a title or several such headings, otherwise at level 1.
func headingLevels(src string) map[string]int {
	levels := make(map[string]int)
	level := 0
	for _, name := range sectionMacros {
		if level == 0 {
			n := strings.Count(src, `\`+name+"{") + strings.Count(src, `\`+name+"*{") + strings.Count(src, `\`+name+"[")
			switch {
			case n == 0:
				levels[name] = 2
				continue
			case n == 1 && !strings.Contains(src, `\title`):
				level = 1
			default:
				level = 2
			}
		}
		levels[name] = level
		level++
	}
	return levels
}

// droppedArguments are the numbers of arguments of macros whose arguments are not text, by macro.
var droppedArguments = func() map[string]int {
	all := make(map[string]int)
	for n, names := range []string{
		0: `addlinespace toprule midrule bottomrule linebreak nolinebreak pagebreak nopagebreak`,
		1: `cellcolor rowcolor columncolor arrayrulecolor vspace hspace includegraphics bibliographystyle bibliography addbibresource usepackage RequirePackage documentclass
			documentstyle theoremstyle pagestyle thispagestyle markright hypersetup geometry color textcolor colorbox index glossary
			graphicspath newlength newcounter externaldocument hyphenation cline setlist nocite thanks date
			raisebox scalebox parbox phantom vphantom hphantom lstset bibinfo tikzset usetikzlibrary usetheme pagenumbering
			linespread captionsetup newif stepcounter refstepcounter orcid hypertarget noalign`,
		2: `setlength addtolength addtocounter markboth newtheorem fontsize rule resizebox multicolumn multirow
			definecolor numberwithin titleformat mintinline SetKwInOut SetKwInput SetKw SetKwData SetKwFunction`,
		3: `rowcolors newenvironment renewenvironment addcontentsline SetKwRepeat SetKwBlock`,
	} {
		for name := range wordSet(names) {
			all[name] = n
		}
	}
	return all
}()

// layoutMacros are macros that only affect layout.
var layoutMacros = wordSet(`titlepage pause hdashline SetAlgoLined SetAlgoNoLine SetAlgoVlined DontPrintSemicolon LinesNumbered noindent indent smallskip medskip bigskip newpage clearpage cleardoublepage newline
	centering raggedright raggedleft flushleft it bf em rm sf tt sc sl tiny scriptsize footnotesize small normalsize large
	Large LARGE huge Huge maketitle tableofcontents listoffigures listoftables appendix hline
	hfill vfill hrule par protect phantomsection qed qedhere sloppy fussy frontmatter mainmatter backmatter relax null
	textwidth linewidth columnwidth textheight baselineskip itshape bfseries ttfamily rmfamily sffamily scshape slshape
	upshape mdseries normalfont selectfont displaystyle textstyle limits nolimits xspace leavevmode unskip ignorespaces
	bgroup egroup makeatletter makeatother doublespacing singlespacing onehalfspacing balance quad qquad enspace thinspace
	space obeylines bmod fi else printbibliography printindex makeindex today strut boldmath allowbreak smallbreak medbreak
	bigbreak goodbreak break nobreak hskip vskip kern hss vss tightlist tabularnewline
	endhead endfirsthead endfoot endlastfoot`)

// characterMacros maps the names of macros to the characters that they stand for.
var characterMacros = map[string]string{
	"ldots": "…", "dots": "…", "textellipsis": "…", "textbackslash": `\`, "textasciitilde": "~", "textasciicircum": "^",
	"textunderscore": "_", "textbar": "|", "textless": "<", "textgreater": ">", "textdollar": "$", "textquotesingle": "'",
	"textendash": "–", "textemdash": "—", "textbullet": "•", "textdegree": "°", "textmu": "µ", "texteuro": "€", "euro": "€",
	"S": "§", "P": "¶", "dag": "†", "ddag": "‡", "copyright": "©", "textcopyright": "©", "texttrademark": "™", "textregistered": "®", "pounds": "£",
	"ss": "ß", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł", "aa": "å", "AA": "Å", "i": "ı", "j": "ȷ",
	"TeX": "TeX", "LaTeX": "LaTeX", "and": ", ", "textonehalf": "½", "textonequarter": "¼", "textthreequarters": "¾", "textpm": "±", "texttimes": "×", "textpertenthousand": "‱", "textperthousand": "‰", "lbrace": "{", "rbrace": "}", "slash": "/",
}

// combiningAccents maps accent macros to combining characters.
var combiningAccents = map[string]string{
	"`": "\u0300", "'": "\u0301", "^": "\u0302", "~": "\u0303", `"`: "\u0308", "=": "\u0304", ".": "\u0307",
	"u": "\u0306", "v": "\u030C", "H": "\u030B", "c": "\u0327", "r": "\u030A", "k": "\u0328", "b": "\u0331", "d": "\u0323",
}

// maxDeclared is the maximum number of macros, and of theorems, that are read from a file.
const maxDeclared = 1000

// macroDeclarations returns the part of a source that declares macros: the start of its preamble.
func macroDeclarations(src string) string {
	const most = 256 << 10
	before, _, _ := strings.Cut(src, `\begin{document}`)
	return before[:min(len(before), most)]
}
