package present

import (
	"errors"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestBlockAndLine(t *testing.T) {
	for _, tt := range []struct{ text, block, line string }{
		{"plain 中文 é 👩‍👩‍👧 \u00a0\u3000", "plain 中文 é 👩‍👩‍👧 \u00a0\u3000", "plain 中文 é 👩‍👩‍👧 \u00a0\u3000"},
		{"two\nlines\tand a tab", "two\nlines\tand a tab", "two\uFFFDlines\uFFFDand a tab"},
		{"\x1b[31mred\x1b]0;title\x07", "\uFFFD[31mred\uFFFD]0;title\uFFFD", "\uFFFD[31mred\uFFFD]0;title\uFFFD"},
		{"a\u009b2Jb\u0080c", "a\uFFFD2Jb\uFFFDc", "a\uFFFD2Jb\uFFFDc"},
		{"page\ftwo\vthree\u2028four\u2029five\u0085six\x00", "page two three four five six ", "page two three four five six "},
		{"user\u202egpj.exe \u2066x\u2069", "user\uFFFDgpj.exe \uFFFDx\uFFFD", "user\uFFFDgpj.exe \uFFFDx\uFFFD"},
		{"שלום \u200fעולם", "שלום \u200fעולם", "שלום \u200fעולם"}, // marks change nothing around them
		{"\x7f", "\uFFFD", "\uFFFD"},
	} {
		if got := CleanBlock(tt.text); got != tt.block {
			t.Errorf("Block(%q) is %q, want %q", tt.text, got, tt.block)
		}
		if got := CleanLine(tt.text); got != tt.line {
			t.Errorf("Line(%q) is %q, want %q", tt.text, got, tt.line)
		}
	}
}

func TestName(t *testing.T) {
	for name, want := range map[string]string{
		"notes/笔记　a.md": "notes/笔记　a.md", "a\nb": `"a\nb"`, "a\x1bb": `"a\x1bb"`, "a\u202eb": `"a\u202eb"`, "a\xffb": `"a\xffb"`,
		strings.Repeat("长", 300): strings.Repeat("长", 200) + "…",
	} {
		if got := QuoteName(name); got != want {
			t.Errorf("Name(%q) is %q, want %q", name, got, want)
		}
	}
}

func TestQuote(t *testing.T) {
	for s, want := range map[string]string{"a b": `"a b"`, "a\n": `"a\n"`, "血": `"血"`} {
		if got := QuoteShort(s); got != want {
			t.Errorf("%q: got %s, want %s", s, got, want)
		}
	}
	if got := QuoteShort(strings.Repeat("血", 100)); got != `"`+strings.Repeat("血", 66)+`"...` {
		t.Errorf("a long one is %s", got)
	}
}

// FuzzShown: whatever comes in, nothing of it commands.
func FuzzShown(f *testing.F) {
	for _, seed := range []string{"text", "\x1b[31m", "a\u0085b\u2028c", "\u202e\u2066", "\xc2\x9b\xe2\x80", "\xff\xfe\r\n\t"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		block, line, name := CleanBlock(text), CleanLine(text), QuoteName(text)
		for _, got := range []string{strings.NewReplacer("\n", " ", "\t", " ").Replace(block), line, name} {
			for _, r := range got {
				if unicode.IsControl(r) || unicode.In(r, unicode.Zl, unicode.Zp) || isDirectional(r) {
					t.Fatalf("%q is shown as %q", text, got)
				}
			}
		}
		if utf8.ValidString(text) && (utf8.RuneCountInString(block) != utf8.RuneCountInString(text) || utf8.RuneCountInString(line) != utf8.RuneCountInString(text)) {
			t.Fatalf("%q has another length as %q or %q", text, block, line)
		}
		if CleanBlock(block) != block || CleanLine(line) != line {
			t.Fatalf("%q is not shown alike a second time", text)
		}
	})
}

// TestMessage: what several errors say stands in one line, and can be read.
func TestMessage(t *testing.T) {
	err := errors.Join(errors.New("connect:\n\tthe host: no"), errors.New("a\xe6\x95 b"), errors.New(""))
	if got, want := JoinLines(err.Error()), "connect: the host: no; a b"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
