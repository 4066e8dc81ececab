package charset

import (
	"testing"
	"unicode/utf8"
)

func TestDecodeLabelled(t *testing.T) {
	for label, want := range map[string]string{"gb2312": "高", "GBK": "高", " windows-936 ": "高", `"gb18030"`: "高", "latin1": "¸ß"} {
		if got, ok := DecodeLabelled([]byte("\xb8\xdf"), label); !ok || got != want {
			t.Errorf("%s: %q, %v", label, got, ok)
		}
	}
	if got, ok := DecodeLabelled([]byte("\x1b$B$\"\x1b(B"), "iso-2022-jp"); !ok || got != "あ" {
		t.Errorf("ISO-2022-JP: %q, %v", got, ok)
	}
	for _, c := range []struct{ raw, label, want string }{
		{"caf\x82", "cp850", "café"}, {"caf\x82", "IBM850", "café"}, {"\xa5\x88", "cp852", "ął"},
		{"\x1b$)C\x0e>H3g\x0f!", "ISO-2022-KR", "안녕!"}, {"\x0e>H3g\n>\x0f ", "iso-2022-kr", "안녕\n> "},
		{"f+APw-r 1 +- 1 +2D3eAA +Tg1lhw", "utf-7", "für 1 + 1 😀 不文"}, {"a+", "utf-7", "a+"}, {"+A-+AGE-b", "unicode-1-1-utf-7", "ab"},
	} {
		if got, ok := DecodeLabelled([]byte(c.raw), c.label); !ok || got != c.want {
			t.Errorf("%q in %s: %q, %v", c.raw, c.label, got, ok)
		}
		if got, err := DecodeCheckingLabel([]byte(c.raw), c.label); err != nil || got.Text != c.want || got.IsGuessed {
			t.Errorf("%q in %s: %+v, %v", c.raw, c.label, got, err)
		}
	}
	for _, label := range []string{"", "klingon", "replacement"} {
		if got, ok := DecodeLabelled([]byte("x"), label); ok {
			t.Errorf("%q is known: %q", label, got)
		}
	}
	if got, _ := DecodeLabelled([]byte("a\xff"), "utf-8"); !utf8.ValidString(got) {
		t.Errorf("%q is not UTF-8", got)
	}
}
