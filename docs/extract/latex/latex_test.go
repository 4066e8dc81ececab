package latex

import (
	"os"
	"strings"
	"testing"
	"time"

	"vademecum/docs/extract"
	"vademecum/docs/extract/extracttest"
)

func TestRead(t *testing.T) {
	raw, err := os.ReadFile("testdata/salt.tex")
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("testdata/salt.md")
	if err != nil {
		t.Fatal(err)
	}
	c, err := Read(raw, extract.NoProgress)
	extracttest.CheckContent(t, c, err)
	if err != nil || c.Title != "Salt and Water in the Diet" || c.Form != extract.Markdown {
		t.Errorf("title %q, form %v, %v", c.Title, c.Form, err)
	}
	got, expected := strings.Split(c.Text, "\n"), strings.Split(string(want), "\n")
	for i := range max(len(got), len(expected)) {
		if i >= len(got) || i >= len(expected) || got[i] != expected[i] {
			t.Fatalf("line %d of %d, want %d: %q", i+1, len(got), len(expected), got[min(i, len(got)-1)])
		}
	}
}

// TestLinesStay checks that each line of the text comes from the same line of the file.
func TestLinesStay(t *testing.T) {
	raw, err := os.ReadFile("testdata/salt.tex")
	if err != nil {
		t.Fatal(err)
	}
	c, err := Read(raw, extract.NoProgress)
	if err != nil {
		t.Fatal(err)
	}
	source, text := strings.Split(string(raw), "\n"), strings.Split(c.Text, "\n")
	for _, words := range []string{"Introduction", "caf", "measure", "For every", "Hence", "What to buy", "pepper", "no heading} %", "x = 1", "Doses", "Old", "chapters/water", "A link"} {
		at := 0
		for i, line := range text {
			if strings.Contains(line, words) {
				at = i
			}
		}
		if !strings.Contains(source[at], words) {
			t.Errorf("%q is in line %d, which is %q in the file", words, at+1, source[at])
		}
	}
}

func TestReadPieces(t *testing.T) {
	for _, test := range []struct{ name, source, want string }{
		{"a chapter of a book", `\chapter{One} \section{Two} text`, "# One\n## Two\ntext"},
		{"several sections", "\\section{One}\n\\subsection{Two}\n\\section{Three}", "## One\n### Two\n## Three"},
		{"a part of a section", "\\subsection[Short]{Lo\nng}\nx", "# Lo ng\n\nx"},
		{"run-in headings", `\paragraph{Aim.} To eat.`, "**Aim.** To eat."},
		{"slides", "\\begin{frame}[t]{Salt}\na\n\\end{frame}\n\\begin{frame}\\frametitle{Sea}\nb\n\\end{frame}", "## Salt\na\n\n## Sea\nb"},
		{"theorems without a name", "\\begin{lemma}\na\n\nb\n\\end{lemma}\n\\begin{thm}[Zorn]\\label{z}c\\end{thm}", "> **Lemma.**\n> a\n>\n> b\n\n> **Theorem (Zorn).** [z] c"},
		{"a proof of something", `\begin{proof}[Proof of \ref{a}.]b\end{proof}`, "*Proof of [a].* b"},
		{"mathematics as it is", "\\[ a \\\\\n % no\n b\\% \\]\n\\(c\\) $\\text{d~e} - \\$1$ f~g -- h", "\\[ a \\\\\n\nb\\% \\]\n\\(c\\) $\\text{d~e} - \\$1$ f g – h"},
		{"what bookmarks have", "\\subsection{\\texorpdfstring{Dose \\st{60 mg} 30 mg}{Dose 60 mg 30 mg}}", "# Dose ~~60 mg~~ 30 mg"},
		{"changes", "Take \\deleted[id=A]{5 mg} \\added{10 mg}, \\replaced[id=A]{twice}{once} daily.", "Take ~~5 mg~~ 10 mg, ~~once~~ twice daily."},
		{"struck out", "Take \\sout{5~\\textbf{mg}} 10 mg, \\st{ x }.", "Take ~~5 mg~~ 10 mg, ~~x~~."},
		{"a stray dollar", "5$ a\n\n\\emph{b}", "5$ a\n\nb"},
		{"what is not Markdown", "# a\n> b\n===\n<div>\n---", "\\# a\n\\> b\n\\===\n\\<div>\n—"},
		{"a macro of the file", "\\newcommand{\\db}{Salt\\textbf{DB}}\\def\\eg{e.g.\\ }\n\\newcommand{\\two}[2]{#1}\\let\\a=\\b\nIn \\db: \\eg x \\two{y}{z}", "In SaltDB: e.g. x y"},
		{"macros that are not known", `\strange[x]{word} \name \small\vessel \dose[mode=fast]{5}{mg} \dose[as needed]{5}`, "word name vessel 5 mg [as needed]5"},
		{"quantities", `\SIrange{5}{10}{\milli\gram\per\litre} \qtyrange[range-units=single]{2.5}{10}{mg} \numrange{50}{60} \SI{37.5}{\celsius} \qty{80}{\kilo\metre\squared} \SI{9.8}{m.s^{-2}} \num{1e-3} \num{5 +- 2} \SIlist{1;2}{\percent} \ang{45;30} \si{\ug\per\cubic\metre} \SI{5}[\$]{}`,
			"5–10 mg/L 2.5–10 mg 50–60 37.5 °C 80 km² 9.8 m s⁻² 1 × 10⁻³ 5 ± 2 1; 2 % 45°30′ µg/m³ $5"},
		{"quantities of own macros", "\\newcommand{\\nPatients}{412}\\newcommand{\\SI}{Supporting Information}\n\\num{\\nPatients} of \\unit[5]{mg}, see \\SI{} Table 3, \\ang{10;20;}, \\si{\\metre\\tothe{4}} and \\si{\\raiseto{2}\\metre}", "412 of 5 mg, see Supporting Information Table 3, 10°20′, m⁴ and m²"},
		{"blocks in own macros", "\\newcommand{\\red}[1]{\\textbf{#1}}\n\\red{One.\n\nTwo.} \\red{\\begin{itemize}\n\\item a\n\\end{itemize}}\nend", "One.\n\nTwo.\n- a\n\nend"},
		{"paragraphs in own macros", "\\newcommand{\\bq}[2]{\\blockquote[{#1}]{#2 (p.~7)}}\\newcommand{\\off}[1]{\\textbf{Withdrawn:} #1}\\newcommand{\\two}[1]{#1 #1!}\\newcommand{\\opt}[2][x]{#1: #2}\n\\bq{Smith}{One.\n\nTwo.}\n\\off{\\begin{itemize}\n\\item a\n\\end{itemize}}\nb\n\\two{c\n\nd}\n\n\\opt[y]{e\n\nf} \\opt{g\n\nh}",
			"[Smith]One.\n\nTwo. (p. 7)\nWithdrawn:\n- a\n\nb\nc\n\nd\n\ny: e\n\nf x: g\n\nh"},
		{"struck-out paragraphs", "\\newcommand{\\old}[1]{\\sout{#1}}\n\\old{One.\n\nTwo.} b", "One.\n\nTwo. b"},
		{"a lost argument", "\\newcommand{\\two}[2]{#1 and #2}\n\\two{a\nb} c\nd", "a\nb c\nd"},
		{"fractions", `\nicefrac{1}{2} or \sfrac{3}{4} or \textonehalf`, "1/2 or 3/4 or ½"},
		{"macros with arguments", "\\newcommand{\\mg}[1]{#1~mg}\\newcommand\\range[2][5]{#1 to \\textbf{#2 mg}}\\newcommand{\\sq}[1]{$#1^2$}\nTake \\mg{47.5}, \\range{10}, \\range[2]{3}; \\sq{x}, \\mg 5", "Take 47.5 mg, 5 to 10 mg, 2 to 3 mg; x, mg 5"},
		{"rows and colours", "\\begin{table}\\caption{Plates}\\begin{tabular}{ll}\\toprule[1pt] Ann & 31 \\\\ \\hline Bob & \\cellcolor{red!25}4\\makecell{5\\\\6} \\\\ \\cmidrule(lr){1-2}\n\\rowcolor{gray!10} Cy & 7 \\\\ \\addlinespace[2pt]\n\\end{tabular}\\end{table}", "Plates Ann | 31 / Bob | 45 6\nCy | 7"},
		{"accents", `\'e\"{\i}\c{c}\^o \v{s}\'{} \=`, "éïçô š ="},
		{"links", `\href{http://a/b\%c}{here} \url{http://d_e}`, "here http://d_e"},
		{"code in a line", `\verb+a{b+ \lstinline!c! \verb|d`, "`a{b` `c` |d"},
		{"code", "\\begin{lstlisting}[language=Go]\n  x := 1\n```\n\\end{lstlisting}\nafter", "````go\n  x := 1\n```\n````\nafter"},
		{"code without an end", "Some words. \\begin{verbatim}\nx", "Some words.\nx"},
		{"pictures are left out", "a\n\\begin{tikzpicture}\n\\draw (0,0);\n\\end{tikzpicture}\nb", "a\n\n\n\nb"},
		{"a comment in a line", "a % b\nc\\% d", "a\nc% d"},
		{"descriptions", "\\begin{description}\n\\item[A \\emph{b}] c\n\\end{description}", "- **A b** c"},
		{"an item that Pandoc 2.17 writes below its macro", "\\begin{itemize}\n\\tightlist\n\\item\n  one\n\\item\n  two\n\n  more\n\\end{itemize}", "- one\n\n- two\n\n   more"},
		{"an item without text before the next", "\\begin{itemize}\n\\item\n\\item b\n\\item\n\\end{itemize}", "\\-\n- b\n\\-"},
		{"a list of Pandoc that begins with three", "\\begin{enumerate}\n\\def\\labelenumi{\\arabic{enumi}.}\n\\setcounter{enumi}{2}\n\\tightlist\n\\item\n  three\n\\item\n  four\n\\end{enumerate}", "3. three\n\n4. four"},
		{"a number within a list in a list", "\\begin{enumerate}\n\\item a\n\\begin{enumerate}\n\\setcounter{enumii}{4}\n\\item b\n\\end{enumerate}\n\\item c\n\\end{enumerate}", "1. a\n\n\n   5. b\n\n2. c"},
		{"tasks of Pandoc", "\\begin{itemize}\n\\item[$\\boxtimes$]\n  done\n\\item[$\\square$]\n  open\n\\end{itemize}", "- [x] done\n\n- [ ] open"},
		{"a long table of Pandoc", "\\begin{longtable}[]{@{}lr@{}}\n\\caption{Doses}\\tabularnewline\n\\toprule\nDay & mg \\\\\n\\midrule\n\\endfirsthead\n\\endhead\nMonday & 5 \\\\\n\\bottomrule\n\\end{longtable}", "Doses\n\nDay | mg\n\n\n\nMonday | 5"},
		{"a heading of Pandoc with its anchor", "\\hypertarget{plan}{%\n\\section{Plan}\\label{plan}}\nx", "# Plan {#plan}\nx"},
		{"raised numbers", `10\textsuperscript{6} H\textsubscript{2}O 4\textsuperscript{th}`, "10⁶ H2O 4th"},
		{"a bibliography", "\\begin{thebibliography}{9}\n\\bibitem[D]{doe} J. Doe, 2020.\n\\end{thebibliography}", "[doe] J. Doe, 2020."},
		{"a heading ends what is open", "\\begin{lemma}\na\n\\section{B}\nc", "> **Lemma.**\n> a\n# B\nc"},
		{"carriage returns", "a\r\n\r\nb\rc", "a\n\nb\nc"},
		{"a section's name as the author of slides, after a comment", "\\title{Measures}\n\\author[\\S 2.7\\\\\nGeneral] % short\n{\\Large \\S 2.7 General measures}\n\\begin{document}\n\\titlepage % cover\nFirst.\n\\pause\nSecond. \\ours{} \\ourname", "# Measures\n§ 2.7 General measures\n\n\n\n\nFirst.\n\nSecond. ourname"},
		{"a paragraph in braces after a comment is no argument of an author", "\\author\n% none\n\n{A paragraph}", "A paragraph"},
		{"keywords of algorithms", "\\begin{algorithm}\n\\SetAlgoLined\n\\SetKwInOut{Input}{Eingabe}\n\\SetKwRepeat{Do}{do}{while}\n\\Input{a number}\n\\end{algorithm}", "> **Algorithm.**\n>\n>\n>\n> a number"},
		{"nothing but macros", "\\newcommand{\\a}[1]{This is a long macro of #1}\n\\usepackage{b}\n\\c", "\\newcommand{\\a}[1]{This is a long macro of #1}\n\\usepackage{b}\n\\c"},
	} {
		c, err := Read([]byte(test.source), extract.NoProgress)
		extracttest.CheckContent(t, c, err)
		if got := strings.TrimSpace(c.Text); err != nil || got != test.want {
			t.Errorf("%s: got %q, %v, want %q", test.name, got, err, test.want)
		}
	}
}

func TestReadNothing(t *testing.T) {
	for _, source := range []string{"", " \n"} {
		_, err := Read([]byte(source), extract.NoProgress)
		extracttest.WantSkip(t, err, extract.ErrEmptyFile.Error())
	}
}

// TestReadHostile checks that missing closing delimiters are not searched for repeatedly, and that
// nothing is read by recursion.
func TestReadHostile(t *testing.T) {
	const size = 512 << 10 // small enough that a slow machine is not mistaken for a slow reader
	for _, unit := range []string{
		"{", "}", "$", "$$", "\\", "\\[", "\\begin{a}", "\\begin{lemma}\n", "\\begin{itemize}\\item\n", "\\end{a}", "\\title{", "\\title%\n", "\\section{",
		"\\section{a", "\\footnote{", "\\footnote{\\section{a}}", "\\cite[", "\\begin{verbatim}x", "\\begin{verbatim}\n", "\\begin{verbatim}\n\\end{verbatim}", "\\begin{comment}", "\\verb|", "\\'", "\\'{", "\\href{",
		"\\begin{tabular}{", "&", "\\iffalse", "\\def\\a", "\\newcommand{\\a}{\\a\\a}", "\\item[", "`", "'", "-", "%", "\n", " ", "\\newtheorem{a}{", "\\begin{document}",
	} {
		begin := time.Now()
		c, err := Read([]byte(strings.Repeat(unit, size/len(unit))+"\\end{verbatim}"), extract.NoProgress)
		extracttest.CheckContent(t, c, err)
		if took := time.Since(begin); took > 10*time.Second {
			t.Errorf("%q, repeated, takes %v", unit, took)
		}
	}
}

// TestUselessEnds checks that searches for the end of code on a single line, where the end is of no
// use, are counted as in vain.
func TestUselessEnds(t *testing.T) {
	r := newReader(strings.Repeat("\\begin{verbatim}x", maxFruitless/100) + "\\end{verbatim}")
	if r.read(); r.fruitlessBytes <= maxFruitless {
		t.Errorf("%d bytes were looked at in vain, as far as is counted", r.fruitlessBytes)
	}
}

func FuzzRead(f *testing.F) {
	raw, err := os.ReadFile("testdata/salt.tex")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(raw)
	f.Add([]byte("\\section{\\footnote{\\emph{a}\n}}\\label{b}\\begin{lemma}[\\cite[x]{y}]$$\na\n\n\\item[\\'e]"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		c, err := Read(raw, extract.NoProgress)
		extracttest.CheckContent(t, c, err)
	})
}

// TestExpansionIsLimited checks that own macros within each other do not multiply a text without limit.
func TestExpansionIsLimited(t *testing.T) {
	source := "\\newcommand{\\a}[1]{" + strings.Repeat("#1 ", 20) + "}\n" + `\a{\a{\a{\a{\a{` + strings.Repeat("word ", 40) + "}}}}} end"
	c, err := Read([]byte(source), extract.NoProgress)
	if err != nil || len(c.Text) > 2*maxExpansions || !strings.Contains(c.Text, "word word") || !strings.HasSuffix(c.Text, "end\n") {
		t.Errorf("%d bytes of text, %v", len(c.Text), err)
	}
}

// TestRowsOnOneLine checks that a table whose rows are on one long line is read in time that grows with it.
func TestRowsOnOneLine(t *testing.T) {
	c, err := Read([]byte(`\begin{tabular}{l}`+strings.Repeat(`\\x`, 300_000)+`\end{tabular}`), extract.NoProgress)
	if err != nil || !strings.Contains(c.Text, "/ x/ x") {
		t.Errorf("%.60q, %v", c.Text, err)
	}
}
