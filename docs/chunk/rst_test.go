package chunk

import (
	"slices"
	"strings"
	"testing"
)

func TestRSTBlocks(t *testing.T) {
	tests := []struct {
		name, src string
		want      []string
	}{
		{"nothing", "\n \n", nil},
		{"levels in order of appearance", "====\nBook\n====\n\nOne\n====\na\n\nSub\n~~~\nb\n\nTwo\n====\n\n####\n Inset\n####\n",
			[]string{"1 Book: ====\nBook\n====", "2 One: One\n====", "prose: a", "3 Sub: Sub\n~~~", "prose: b",
				"2 Two: Two\n====", "4 Inset: ####\n Inset\n####"}},
		{"wide titles", "高血压\n======\n\n饮食\n==\n\n盐\n==\n", []string{"1 高血压: 高血压\n======", "prose: 饮食\n==", "1 盐: 盐\n=="}},
		{"short underline", "Salt and water\n-----\n\nSalt\n---\n", []string{"1 Salt and water: Salt and water\n-----", "prose: Salt\n---"}},
		{"numbered titles", "1. Aim\n======\na\n\n一、饮食\n========\n- b\n\n2. End\n======\n",
			[]string{"1 1. Aim: 1. Aim\n======", "prose: a", "1 一、饮食: 一、饮食\n========", "list: - b", "1 2. End: 2. End\n======"}},
		{"markup in titles", ":mod:`!asyncio` --- *Asynchronous* ``I/O``\n=====\n\nA `link </url>`__ to \\*args, x*y\n-----\n",
			[]string{"1 asyncio --- Asynchronous I/O: :mod:`!asyncio` --- *Asynchronous* ``I/O``\n=====",
				"2 A link to *args, x*y: A `link </url>`__ to \\*args, x*y\n-----"}},
		{"no titles", "one\n\n-----\n\ntwo\nthree\n-----\n\n- item\n------\n\n  Quoted\n  ======\n",
			[]string{"prose: one", "prose: -----", "prose: two\nthree\n-----", "list: - item", "prose: ------", "prose:   Quoted\n  ======"}},
		{"title below other things", ".. _a:\nA\n===\n- x\nB\n===\nterm\n  text\nC\n===\n",
			[]string{"matter: .. _a:", "1 A: A\n===", "list: - x", "1 B: B\n===", "prose: term\n  text", "1 C: C\n==="}},
		{"no title in code", "Like this::\n\n  A\n  ===\n\n      b\n\nafter\n", []string{"prose: Like this::", "rows:   A\n  ===\n\n      b", "prose: after"}},
		{"lone colons", "::\n\n  x\n\n  y\n", []string{"prose: ::", "rows:   x\n\n  y"}},
		{"literal in a definition", "term\n  So::\n\n    x\n\n  more\n", []string{"prose: term\n  So::", "rows:     x", "prose:   more"}},
		{"directives", ".. code-block:: go\n   :linenos:\n\n   x := 1\n\n   - y\n\n.. note::\n\n   Take it.\n\n   * one\n\n.. image:: a.png\n   :alt: A\n",
			[]string{"rows: .. code-block:: go\n   :linenos:\n\n   x := 1\n\n   - y", "prose: .. note::", "prose:    Take it.",
				"list:    * one", "prose: .. image:: a.png\n   :alt: A"}},
		{"function", ".. function:: f(a,\n                b)\n   :async:\n\n   Does it::\n\n      f()\n\n   :param a: x\n   :returns: y\n",
			[]string{"prose: .. function:: f(a,\n                b)\n   :async:", "prose:    Does it::", "rows:       f()", "list:    :param a: x\n   :returns: y"}},
		{"start of a document", ":orphan:\n\n.. Comment\n   of two lines\n\n.. _x:\n\nT\n=\n\n:Author: Me\n:Date: now\n   or then\n\ntext\n\n:a: b\n",
			[]string{"matter: :orphan:", "matter: .. Comment\n   of two lines", "matter: .. _x:", "1 T: T\n=",
				"matter: :Author: Me\n:Date: now\n   or then", "prose: text", "list: :a: b"}},
		{"grid table", "+--+--+\n| a|b |\n+==+==+\n| c|d |\n+--+--+\n\nafter\n", []string{"rows: +--+--+\n| a|b |\n+==+==+\n| c|d |\n+--+--+", "prose: after"}},
		{"simple table", "== ==\na  b\n== ==\n1  2\n\n3  4\n== ==\nafter\n", []string{"rows: == ==\na  b\n== ==\n1  2\n\n3  4\n== ==", "prose: after"}},
		{"simple table without header", "== ==\n1  2\n\n3  4\n== ==\n\nA\n=\n", []string{"rows: == ==\n1  2\n\n3  4\n== ==", "1 A: A\n="}},
		{"simple table that is not closed", "== ==\n1  2\n\nafter\n", []string{"rows: == ==\n1  2", "prose: after"}},
		{"doctest", ">>> 1\n1\n\nafter\n", []string{"rows: >>> 1\n1", "prose: after"}},
		{"line block", "| Tyger\n|\n| bright\n\n|x| is\n", []string{"rows: | Tyger\n|\n| bright", "prose: |x| is"}},
		{"lists", "#. a\n#. b\n\n   c\n\n   - d\n\n#. e\n\nafter\n", []string{"list: #. a\n#. b\n\n   c\n\n   - d\n\n#. e", "prose: after"}},
		{"footnotes", "a [1]_\n\n.. [1] One\n   more\n.. [2] Two\n", []string{"prose: a [1]_", "prose: .. [1] One\n   more", "prose: .. [2] Two"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			blocks := rstBlocks(tt.src)
			checkBlocks(t, tt.src, blocks)
			if got := blockText(tt.src, blocks); !slices.Equal(got, tt.want) {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

func TestRSTTitle(t *testing.T) {
	for src, want := range map[string]string{
		"text\n\nA\n=\n\nB\n=\n":                                 "",
		"A\n=\n\nB\n=\n":                                         "",
		"A\n=\n\ntext\n\nB\n-\n\nC\n-\n":                         "A",
		"=\nA\n=\n\n=\nB\n=\n":                                   "A",
		".. _a:\n\n.. image:: a.png\n   :alt: A\n\nA\n=":         "A",
		"====\n高血压 \n====\n":                                     "高血压",
		"text\n\n----\n\ntext\n":                                 "",
		":date: 2024\n:title: *Salt* and water\n\nA\n=\n":        "Salt and water",
		".. title: Salt\n.. slug: salt\n\ntext\n":                "Salt",
		"PEP: 0484\nTitle: Type\n ``Hints``\n\nAbstract\n====\n": "PEP 484: Type Hints",
	} {
		if got := rstTitle(src, rstBlocks(src)); got != want {
			t.Errorf("title of %q is %q, want %q", src, got, want)
		}
	}
}

func FuzzRSTBlocks(f *testing.F) {
	for _, seed := range []string{
		"====\nBook\n====\n\n:Author: A\n\nOne::\n\n  x\n\n- a\n\n  b\n\nSub\n---\n",
		".. code:: go\n\n   x\n.. note:: y\n\n   z\n== ==\na  b\n== ==\n",
		"+-+\n| |\n+-+\n\n| a\n\n>>> b\n\n.. _c:\n__ d\n..\n\n e\nterm\n  def\nterm\n  def\n",
		"\u3000\n \u2028x\n" + strings.Repeat(" ", 300) + "y\n==\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, src string) {
		src = strings.ToValidUTF8(src, "\uFFFD")
		checkBlocks(t, src, rstBlocks(src))
	})
}
