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
	for _, label := range []string{"", "klingon", "replacement"} {
		if got, ok := DecodeLabelled([]byte("x"), label); ok {
			t.Errorf("%q is known: %q", label, got)
		}
	}
	if got, _ := DecodeLabelled([]byte("a\xff"), "utf-8"); !utf8.ValidString(got) {
		t.Errorf("%q is not UTF-8", got)
	}
}
