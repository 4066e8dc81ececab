package kind

import (
	"strings"
	"testing"

	"vademecum/internal/script"
)

func TestOf(t *testing.T) {
	list := "- [One](one.md)\n- [Two](two.md)\n- [Three things](three.md)\n"
	for _, c := range []struct {
		p    Passage
		want Kind
	}{
		{Passage{Path: "a.md", Text: "What to eat with high blood pressure."}, Text},
		{Passage{Path: "LICENSE", Text: "anything"}, Licence},
		{Passage{Path: "x/LICENSE-MIT", Text: "anything"}, Licence},
		{Passage{Path: "license.md", Text: "anything"}, Licence},
		{Passage{Path: "copying-file-contents.md", Text: "How to copy."}, Text},
		{Passage{Path: "license-plate.md", Text: "How to renew it."}, Text},
		{Passage{Path: "main.c", Text: "/* Permission is hereby granted, free of charge, to any person */"}, Licence},

		{Passage{Path: "CHANGELOG.md", Text: "We now bake bread."}, Changes},
		{Passage{Path: "更新日志.md", Text: "修复"}, Changes},
		{Passage{Path: "history.md", Text: "# History\n\nThe Romans came."}, Text},
		{Passage{Path: "HISTORY.rst", Text: "## 1.2.0\n\nFixed."}, Changes},

		{Passage{Path: "p.md", Heading: []string{"Paper", "7. References"}, Text: "[1] Smith 2004"}, References},
		{Passage{Path: "p.md", Heading: []string{"参考文献"}, Text: "[1] 王 2004"}, References},
		{Passage{Path: "p.md", Heading: []string{"References"}, Text: "How the borrow checker sees them."}, Text},

		{Passage{Path: "a.md", Text: list}, Links},
		{Passage{Path: "a.md", Text: "- [[One]]\n- [[Two]]\n- [[Three]]"}, Links},
		{Passage{Path: "a.md", Text: list + "One of these tells how to bake bread, the second what to do with what is left of it."}, Text},
		{Passage{Path: "a.md", Text: "---\nup: [\"[[One]]\", \"[[Two]]\", \"[[Three]]\"]\n---\nBread."}, Text},
		{Passage{Path: "a.md", Text: "![one](1.png) ![two](2.png) ![three](3.png)"}, Text},
		{Passage{Path: "a.csv", Text: "a,https://a.org\nb,https://b.org\nc,https://c.org"}, Text},
		{Passage{Path: "a.txt", Text: "Introduction ........ 1\nBread ........ 12\nButter ...... 20\n"}, Links},

		{Passage{Path: "gchmod.md", Heading: []string{"gchmod"}, Whole: true, Text: "# gchmod\n\n> This command is an alias of `chmod`.\n\n- View documentation for the original command:\n\n`tldr chmod`"}, Pointer},
		{Passage{Path: "old.md", Whole: true, Text: "Moved to [[New place]]."}, Pointer},
		{Passage{Path: "old.md", Whole: false, Text: "Moved to [[New place]]."}, Text},
		{Passage{Path: "ch1.md", Whole: true, Text: "# One\n\nThis edition is no longer distributed with us. You may want [the current one](../ch1.html), which has more on this and on all else that came later."}, Pointer},
		{Passage{Path: "ch1.md", Whole: true, Text: "# One\n\nThe bird no longer exists, but its bones do."}, Text},
		{Passage{Path: "call.md", Whole: true, Text: "Spoke with [[Ann]] about pay."}, Text},
		{Passage{Path: "chmod.md", Heading: []string{"chmod"}, Whole: true, Text: "# chmod\n\n> See also: `chown`.\n\n- Do it:\n\n`chmod {{path}}`"}, Text},
		{Passage{Path: "pwd.md", Whole: true, Text: "Use\n```\npwd\n```\nSee `man pwd`."}, Text},
	} {
		if got := Of(c.p); got != c.want {
			t.Errorf("%s %q is %d, want %d", c.p.Path, c.p.Text, got, c.want)
		}
	}
}

func TestMarks(t *testing.T) {
	for k := range count {
		m := Mark{k, script.LanguageOf("the way to do it"), SketchOf(numbered("w", 20))}
		if got, ok := MarkOf(m.AppendTo(nil)); !ok || got != m {
			t.Errorf("%v comes back as %v, %t", m, got, ok)
		}
	}
	for _, b := range [][]byte{nil, {0}, append([]byte{byte(count)}, make([]byte, MarkBytes-1)...), append([]byte{0, 255}, make([]byte, MarkBytes-2)...)} {
		if _, ok := MarkOf(b); ok {
			t.Errorf("%v is taken for a mark", b)
		}
	}
}

// FuzzOf looks for a panic, and for a list of links in what has none.
func FuzzOf(f *testing.F) {
	f.Add("a.md", "- [One](one.md)\n- [[Two]]\n<https://a.org> `x`")
	f.Add("a.md", "---\n---\n[](")
	f.Fuzz(func(t *testing.T, name, text string) {
		k := Of(Passage{Path: name, Text: text, Whole: true})
		if k == Pointer && !strings.ContainsAny(text, "`[") {
			t.Errorf("%q points at nothing", text)
		}
	})
}

func BenchmarkOf(b *testing.B) {
	text := strings.Repeat("Some [link](to/a/note.md) and `code`, see <https://example.org/page> for more of this.\n", 12)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Of(Passage{Path: "a.md", Text: text})
	}
}
