package kind

import (
	"strings"
	"testing"

	"vademecum/internal/base/script"
)

func TestOf(t *testing.T) {
	list := "- [One](one.md)\n- [Two](two.md)\n- [Three things](three.md)\n"
	for _, c := range []struct {
		p    Passage
		want Kind
	}{
		{Passage{Path: "a.md", Text: "What to eat with high blood pressure."}, OrdinaryText},
		{Passage{Path: "LICENSE", Text: "anything"}, Licence},
		{Passage{Path: "x/LICENSE-MIT", Text: "anything"}, Licence},
		{Passage{Path: "license.md", Text: "anything"}, Licence},
		{Passage{Path: "copying-file-contents.md", Text: "How to copy."}, OrdinaryText},
		{Passage{Path: "license-plate.md", Text: "How to renew it."}, OrdinaryText},
		{Passage{Path: "main.c", Text: "/* Permission is hereby granted, free of charge, to any person */"}, Licence},

		{Passage{Path: "CHANGELOG.md", Text: "We now bake bread."}, ChangeLog},
		{Passage{Path: "更新日志.md", Text: "修复"}, ChangeLog},
		{Passage{Path: "history.md", Text: "# History\n\nThe Romans came."}, OrdinaryText},
		{Passage{Path: "HISTORY.rst", Text: "## 1.2.0\n\nFixed."}, ChangeLog},

		{Passage{Path: "p.md", Heading: []string{"Paper", "7. References"}, Text: "[1] Smith 2004"}, References},
		{Passage{Path: "p.md", Heading: []string{"参考文献"}, Text: "[1] 王 2004"}, References},
		{Passage{Path: "p.md", Heading: []string{"References"}, Text: "How the borrow checker sees them."}, OrdinaryText},

		{Passage{Path: "a.md", Text: list}, LinkList},
		{Passage{Path: "a.md", Text: "- [[One]]\n- [[Two]]\n- [[Three]]"}, LinkList},
		{Passage{Path: "a.md", Text: list + "One of these tells how to bake bread, the second what to do with what is left of it."}, OrdinaryText},
		{Passage{Path: "a.md", Text: "---\nup: [\"[[One]]\", \"[[Two]]\", \"[[Three]]\"]\n---\nBread."}, OrdinaryText},
		{Passage{Path: "a.md", Text: "![one](1.png) ![two](2.png) ![three](3.png)"}, OrdinaryText},
		{Passage{Path: "a.csv", Text: "a,https://a.org\nb,https://b.org\nc,https://c.org"}, OrdinaryText},
		{Passage{Path: "a.txt", Text: "Introduction ........ 1\nBread ........ 12\nButter ...... 20\n"}, LinkList},

		{Passage{Path: "a.md", Text: "# Book\n\n1 Uses and Abuses\n1.1 Introduction\n1.2 Why Use Statistics?\n1.3 Common Sense\n2 Displaying Data\n2.1 Introduction\n2.2 Types of Data\n"}, LinkList},
		{Passage{Path: "a.md", Text: "## Chapter 1\n- 1.1 NUCLEIC ACIDS 1\n- 1.2 SEQUENCING 3\n- 1.2.1 [[first|First-Generation]] 3\n- 1.2.2 Next-Generation 4\n- 1.2.2.1 Roche 454 5\n- 1.2.2.2 Ion Torrent 6\n"}, LinkList},
		{Passage{Path: "a.docx", Text: "目    录\n第一章 绪论\t1\n1.1 研究背景\t1\n1.2 研究现状\t1\n1.3 研究目标\t2\n第二章 分析\t7\n2.1 需求\t7"}, LinkList},
		{Passage{Path: "a.md", Text: "1. 鸡腿洗净\n2. 加盐\n3. 腌制 15 分钟\n4. 蒸 20 分钟\n5. 切姜\n6. 切葱\n7. 浇油"}, OrdinaryText},
		{Passage{Path: "a.md", Text: "6 25 0.0942\n6 25 0.0800\n6.1 75 0.1\n6.2 75 0.2\n6.3 150 2.2\n6.4 150 2.6\n6.5 200 3.1"}, OrdinaryText},
		{Passage{Path: "a.csv.txt", Text: "salt\t3\nflour\t500\nwater\t300\nyeast\t7\nsugar\t20\noil\t10"}, OrdinaryText},
		{Passage{Path: "gchmod.md", Heading: []string{"gchmod"}, IsWholeDocument: true, Text: "# gchmod\n\n> This command is an alias of `chmod`.\n\n- View documentation for the original command:\n\n`tldr chmod`"}, PointerPage},
		{Passage{Path: "old.md", IsWholeDocument: true, Text: "Moved to [[New place]]."}, PointerPage},
		{Passage{Path: "old.md", IsWholeDocument: false, Text: "Moved to [[New place]]."}, OrdinaryText},
		{Passage{Path: "ch1.md", IsWholeDocument: true, Text: "# One\n\nThis edition is no longer distributed with us. You may want [the current one](../ch1.html), which has more on this and on all else that came later."}, PointerPage},
		{Passage{Path: "ch1.md", IsWholeDocument: true, Text: "# One\n\nThe bird no longer exists, but its bones do."}, OrdinaryText},
		{Passage{Path: "call.md", IsWholeDocument: true, Text: "Spoke with [[Ann]] about pay."}, OrdinaryText},
		{Passage{Path: "chmod.md", Heading: []string{"chmod"}, IsWholeDocument: true, Text: "# chmod\n\n> See also: `chown`.\n\n- Do it:\n\n`chmod {{path}}`"}, OrdinaryText},
		{Passage{Path: "pwd.md", IsWholeDocument: true, Text: "Use\n```\npwd\n```\nSee `man pwd`."}, OrdinaryText},
	} {
		if got := KindOf(c.p); got != c.want {
			t.Errorf("%s %q is %d, want %d", c.p.Path, c.p.Text, got, c.want)
		}
	}
}

func TestMarks(t *testing.T) {
	for k := range count {
		m := Traits{k, script.LanguageOf("the way to do it"), k == OrdinaryText, MinHashOf(numbered("w", 20))}
		got, ok := ParseTraits(m.AppendTo(nil))
		if !ok || got != m {
			t.Errorf("%v comes back as %v, %t", m, got, ok)
		}
		if sure := got.CertainLanguage(); (sure == m.Language) != m.IsProseLanguageCertain || !m.IsProseLanguageCertain && sure != script.UnknownLanguage {
			t.Errorf("the sure language of %v is %v", m, sure)
		}
	}
	for _, b := range [][]byte{nil, {0}, append([]byte{byte(count)}, make([]byte, TraitsBytes-1)...), append([]byte{0, 255}, make([]byte, TraitsBytes-2)...)} {
		if _, ok := ParseTraits(b); ok {
			t.Errorf("%v is taken for traits", b)
		}
	}
}

// FuzzOf looks for a panic, and for a list of links in what has none.
func FuzzOf(f *testing.F) {
	f.Add("a.md", "- [One](one.md)\n- [[Two]]\n<https://a.org> `x`")
	f.Add("a.md", "---\n---\n[](")
	f.Fuzz(func(t *testing.T, name, text string) {
		k := KindOf(Passage{Path: name, Text: text, IsWholeDocument: true})
		if k == PointerPage && !strings.ContainsAny(text, "`[") {
			t.Errorf("%q points at nothing", text)
		}
	})
}

func BenchmarkKindOf(b *testing.B) {
	text := strings.Repeat("Some [link](to/a/note.md) and `code`, see <https://example.org/page> for more of this.\n", 12)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		KindOf(Passage{Path: "a.md", Text: text})
	}
}
