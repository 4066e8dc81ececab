package asciidoc

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"vademecum/docs/extract"
	"vademecum/docs/extract/extracttest"
)

func TestRead(t *testing.T) {
	raw, err := os.ReadFile("testdata/brewing.adoc")
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("testdata/brewing.md")
	if err != nil {
		t.Fatal(err)
	}
	c, err := Read(raw, extract.NoProgress)
	extracttest.CheckContent(t, c, err)
	if err != nil || c.Title != "Brewing Tea: a gentle guide" || c.Form != extract.Markdown {
		t.Errorf("title %q, form %v, %v", c.Title, c.Form, err)
	}
	if strings.Count(c.Text, "\n") != strings.Count(string(raw), "\n") {
		t.Errorf("%d lines of %d", strings.Count(c.Text, "\n"), strings.Count(string(raw), "\n"))
	}
	got, expected := strings.Split(c.Text, "\n"), strings.Split(string(want), "\n")
	for i := range max(len(got), len(expected)) {
		if i >= len(got) || i >= len(expected) || got[i] != expected[i] {
			t.Fatalf("line %d of %d, want %d: %q", i+1, len(got), len(expected), got[min(i, len(got)-1)])
		}
	}
}

func TestReadPieces(t *testing.T) {
	for _, test := range []struct{ name, source, want string }{
		{"sections", "== One\na\n\n==== Two ====\n# Three\n=======\n==b", "## One\na\n\n#### Two\n# Three\n\n==b"},
		{"titles that are underlined", "tea(1)\n======\n\nNAME\n----\ntea\n\nabcd\nefgh\n----\ncode\n----", "# tea(1)\n\n\n## NAME\n\ntea\n\nabcd\nefgh\n```\ncode\n```"},
		{"code", "[source,Go,linenums]\n----\n[a]\n```\n----\n```js\nb\n```\n[,c]\n....\nd\n....", "~~~~~~go\n[a]\n```\n~~~~~~\n```js\nb\n```\n\n```c\nd\n```"},
		{"code without an end", "----\na\n\n== B", "a\n\n## B"},
		{"a comment without an end", "////\na", "a"},
		{"what is passed through", "++++\n<b>a</b>\n++++\n[stem]\n++++\nx^2\n++++", "```math\nx^2\n```"},
		{"notes", "[WARNING]\nHot.\n\n[TIP]\n--\nCool.\n--\n\nNOTE: So.", "**Warning:** Hot.\n\n\n**Tip:**\nCool.\n\n\nNOTE: So."},
		{"attributes", ":a: b\n:!c:\n:d!:\n{a}{c}\\{a}{plus}{A}", "b{c}{a}+b"},
		{"conditions", "ifdef::a[]\nb\nendif::[]\nifdef::a[c]\nifeval::[1 > 2]", "b\n\nc"},
		{"links", "https://a.b/c[d e] https://f.g[] link:h[] mailto:i@j[K] <<l#m>> ((n)) (((o,p))) [[q]]r", "d e https://f.g h K l#m n  r"},
		{"footnotes", "Waterfootnote:[Boiled.] and teafootnoteref:[t,Green.]", "Water (Boiled.) and tea (t,Green.)"},
		{"macros", "image:a.png[B] stem:[x] btn:[OK] linkgit:git-add[1] icon:tip[] [.red]#c# [line-through]#5 mg# [.red.line-through]##d## [line-through]*e* [.line-through]__f__ [.line-through]`g`", "B x OK git-add(1)  c ~~5 mg~~ ~~d~~ ~~e~~ ~~f~~ ~~g~~"},
		{"struck out over lines", "Old [line-through]*whole\nsentence of\n41 mg.* Rest [.line-through]#a\n\nb#", "Old ~~whole~~\n~~sentence of~~\n~~41 mg.~~ Rest [.line-through]#a\n\nb#"},
		{"lists", "* a\n** b\n- c\n... d\n7. e\n* [x] f", "- a\n   - b\n- c\n      1. d\n7. e\n- [x] f"},
		{"definitions", "a b:: c\nd;; e\nx::y\n", "**a b**: c\n**d**: e\nx::y"},
		{"a table", "|===\na|b 2+^.>s|c\n\n|d\n|===\n|e", "|b |c |\n| --- | --- |\n|d\n\n|e"},
		{"carriage returns", "= A\r\n\r\nb\rc", "# A\n\nb\nc"},
	} {
		c, err := Read([]byte(test.source), extract.NoProgress)
		extracttest.CheckContent(t, c, err)
		if got := strings.Trim(c.Text, "\n"); err != nil || got != test.want {
			t.Errorf("%s: got %q, %v, want %q", test.name, got, err, test.want)
		}
	}
}

func TestReadNothing(t *testing.T) {
	_, err := Read([]byte("// a\n:b: c\n"), extract.NoProgress)
	extracttest.WantSkip(t, err, extract.ErrNoText.Error())
	_, err = Read([]byte(":a: "+strings.Repeat("b", maxValue)+"\n"+strings.Repeat(strings.Repeat("{a}", 1000)+"\n", 2000)), extract.NoProgress)
	extracttest.WantSkip(t, err, extract.ErrTooMuchText.Error())
}

// TestValuesOfValues checks that attributes which contain each other many times do not grow without
// limit.
func TestValuesOfValues(t *testing.T) {
	source := ":a0: " + strings.Repeat("b", maxValue) + "\n"
	for level := range 20 {
		source += fmt.Sprintf(":a%d: %s\n", level+1, strings.Repeat(fmt.Sprintf("{a%d}", level), 60))
	}
	c, err := Read([]byte(source+"\ntext {a20} and {a2}\n"), extract.NoProgress)
	extracttest.CheckContent(t, c, err)
	if err != nil || len(c.Text) > 2*maxLine || !strings.HasPrefix(strings.TrimSpace(c.Text), "text ") {
		t.Errorf("%d bytes, %v", len(c.Text), err)
	}
}

// TestReadHostile checks that no line is read more than a few times, and that missing closing
// delimiters are not searched for repeatedly.
func TestReadHostile(t *testing.T) {
	const size = 512 << 10 // small enough that a slow machine is not mistaken for a slow reader
	for _, unit := range []string{
		"=", "= a\n", "a\n=\n", "----\n", "////\n", "++++\n", "|===\n", "|", "a|", "|a\n", "[", "[a]\n", ":a: {a}\n", "{a}", "<<", "<<a,", "((", "(((", "link:", "link:a[",
		"https://", "https://a[", "+++", "\"`", "* ", "::", "a:: ", ".a\n", "```\n", "\n", " ", "footnote:[", "=====\n----\n.....\n",
	} {
		begin := time.Now()
		c, err := Read([]byte("x\n"+strings.Repeat(unit, size/len(unit))), extract.NoProgress)
		extracttest.CheckContent(t, c, err)
		if took := time.Since(begin); took > 10*time.Second {
			t.Errorf("%q, repeated, takes %v", unit, took)
		}
	}
}

func FuzzRead(f *testing.F) {
	raw, err := os.ReadFile("testdata/brewing.adoc")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(raw)
	f.Add([]byte("a\n-\n[source]\n----\n|===\n|a|b\n\n|c\n{lt}<<x,y>>::"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		c, err := Read(raw, extract.NoProgress)
		extracttest.CheckContent(t, c, err)
	})
}
