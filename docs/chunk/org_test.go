package chunk

import (
	"slices"
	"strings"
	"testing"
)

func TestOrgBlocks(t *testing.T) {
	tests := []struct {
		name, src string
		want      []string
	}{
		{"nothing", " \n\n", nil},
		{"headings", "zero\n* A\none\n** B\n\n*bold* is none\n*** \n",
			[]string{"prose: zero", "1 A: * A", "prose: one", "2 B: ** B", "prose: *bold* is none", "3 : *** "}},
		{"tasks", "* TODO [#A] Call Ann :work:phone:\n* DONE Paid\n* TODO\n* TODOS\n* COMMENT Draft\n* NEXT 复诊 :医院:\n",
			[]string{"1 Call Ann: * TODO [#A] Call Ann :work:phone:", "1 Paid: * DONE Paid", "1 TODO: * TODO", "1 TODOS: * TODOS",
				"1 Draft: * COMMENT Draft", "1 复诊: * NEXT 复诊 :医院:"}},
		{"tasks of the file", "#+TODO: ASK(a) | TOLD(t)\n* ASK Ann\n* TOLD Bob\n",
			[]string{"matter: #+TODO: ASK(a) | TOLD(t)", "1 Ann: * ASK Ann", "1 Bob: * TOLD Bob"}},
		{"markup in headings", "* With [[/url][a link]], [[file:x]], /slant/ and ~a/b~ or 1/2\n",
			[]string{"1 With a link, file:x, slant and a/b or 1/2: * With [[/url][a link]], [[file:x]], /slant/ and ~a/b~ or 1/2"}},
		{"keywords first", "# -*- org -*-\n#+TITLE: T\n#+AUTHOR: A\nText.\n#+FILETAGS: x\n",
			[]string{"matter: # -*- org -*-\n#+TITLE: T\n#+AUTHOR: A", "prose: Text.", "prose: #+FILETAGS: x"}},
		{"drawers", ":PROPERTIES:\n:ID: 7\n:END:\n#+title: T\n\n* A\n:PROPERTIES:\n:ID: 8\n:END:\none\n:LOGBOOK:\nCLOCK: x\n:END:\ntwo\n",
			[]string{"matter: :PROPERTIES:\n:ID: 7\n:END:\n#+title: T", "1 A: * A", "matter: :PROPERTIES:\n:ID: 8\n:END:",
				"prose: one\n:LOGBOOK:\nCLOCK: x\n:END:", "prose: two"}},
		{"drawer that is not closed", "* A\n:PROPERTIES:\n:ID: 8\none\n", []string{"1 A: * A", "matter: :PROPERTIES:\n:ID: 8", "prose: one"}},
		{"code", "Code:\n#+BEGIN_SRC go\nx := 1\n\n- y\n#+end_src\nafter\n",
			[]string{"prose: Code:", "rows: #+BEGIN_SRC go\nx := 1\n\n- y\n#+end_src", "prose: after"}},
		{"code that is not closed", "#+begin_example\nx\n\ny\n* A\none\n", []string{"rows: #+begin_example\nx\n\ny", "1 A: * A", "prose: one"}},
		{"name of code", "#+NAME: n\n#+begin_src go\nx\n#+end_src\n", []string{"rows: #+NAME: n\n#+begin_src go\nx\n#+end_src"}},
		{"fixed width", "So:\n: a\n:\n: b\n", []string{"prose: So:", "rows: : a\n:\n: b"}},
		{"quotation", "#+begin_quote\nSaid.\n#+begin_example\nx\n#+end_example\n#+end_quote\nafter\n",
			[]string{"prose: #+begin_quote\nSaid.", "rows: #+begin_example\nx\n#+end_example", "prose: #+end_quote", "prose: after"}},
		{"LaTeX", "\\begin{align}\nx\n\n- y\n\\end{align}\nafter\n", []string{"rows: \\begin{align}\nx\n\n- y\n\\end{align}", "prose: after"}},
		{"table", "#+CAPTION: C\n| a | b |\n|---+---|\n| 1 | 2 |\n#+TBLFM: $2=1\nafter\n",
			[]string{"rows: #+CAPTION: C\n| a | b |\n|---+---|\n| 1 | 2 |\n#+TBLFM: $2=1", "prose: after"}},
		{"list", "Buy\n- milk\n\n  fat\n  1. x\n- eggs\n\n\n- new\nend\n",
			[]string{"prose: Buy", "list: - milk\n\n  fat\n  1. x\n- eggs", "list: - new", "prose: end"}},
		{"list after a blank line ends", "1) a\n\nb\n", []string{"list: 1) a", "prose: b"}},
		{"stars in a list", " * a\n * b\n* H\n", []string{"list:  * a\n * b", "1 H: * H"}},
		{"footnotes", "Text[fn:1]\n[fn:1] One.\n[fn:2] Two.\n", []string{"prose: Text[fn:1]", "prose: [fn:1] One.", "prose: [fn:2] Two."}},
		{"comments are text", "one\n# two\n", []string{"prose: one\n# two"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			blocks := orgBlocks(tt.src)
			checkBlocks(t, tt.src, blocks)
			if got := blockText(tt.src, blocks); !slices.Equal(got, tt.want) {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

func TestOrgTitle(t *testing.T) {
	for src, want := range map[string]string{
		"#+title: Notes on\n#+AUTHOR: A\n\n#+TITLE: *Salt*\n* H\n": "Notes on Salt",
		"text\n** Low\n* TODO Top\n* Next\n":                       "",
		"* TODO Top\n** Low\n":                                     "Top",
		"* Monday\n* Tuesday\n":                                    "",
		"#+title:\n* H\n":                                          "H",
		"#+title: Dose ~~70 mg~~ 80 mg":                            "Dose 80 mg",
		"* ~~Old dose~~ =x= ~y~":                                   "x y",
		"* *~~Old dose~~*":                                         "~~Old dose~~",
		"text\n#+title: Late":                                      "",
		"* \n* Second\n":                                           "Second",
		"":                                                         "",
		"#+TITLE: 高血压 饮食\n正文":                                      "高血压 饮食",
	} {
		if got := orgTitle(src, orgBlocks(src)); got != want {
			t.Errorf("title of %q is %q, want %q", src, got, want)
		}
	}
}

func FuzzOrgBlocks(f *testing.F) {
	for _, seed := range []string{
		"#+TITLE: T\n\n* TODO [#A] H :t:\n:PROPERTIES:\n:ID: 1\n:END:\n- a\n\n  b\n#+begin_src\nx\n#+end_src\n",
		"| a |\n#+TBLFM: x\n: y\n[fn:1] z\n\\begin{a}\n\\end{a}",
		"#+NAME: n\n| a |\n** B\n#+BEGIN_QUOTE\nq\n#+END_QUOTE\n:LOGBOOK:\n:END:\n",
		"* \n\u3000\n \u2028x\n" + strings.Repeat(" ", 300) + "y",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, src string) {
		src = strings.ToValidUTF8(src, "\uFFFD")
		blocks := orgBlocks(src)
		checkBlocks(t, src, blocks)
		if title := orgTitle(src, blocks); title != shortenTitle(title) {
			t.Errorf("title is %q", title)
		}
	})
}
