package extract

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	utf16 "golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
)

func encodeUTF16(t testing.TB, text string, order utf16.Endianness, bom utf16.BOMPolicy) string {
	t.Helper()
	s, err := utf16.UTF16(order, bom).NewEncoder().String(text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func encodeUTF32(t testing.TB, text string, order utf32.Endianness, bom utf32.BOMPolicy) string {
	t.Helper()
	s, err := utf32.UTF32(order, bom).NewEncoder().String(text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestDecode(t *testing.T) {
	const text = "高血压 notes\r\n第二行 2 😀\n"
	long := strings.Repeat("正文。", 500)
	tests := []struct{ name, raw, want string }{
		{"UTF-8", text, text},
		{"UTF-8 with mark", "\uFEFF" + text, text},
		{"UTF-16LE with mark", encodeUTF16(t, text, utf16.LittleEndian, utf16.UseBOM), text},
		{"UTF-16BE with mark", encodeUTF16(t, text, utf16.BigEndian, utf16.UseBOM), text},
		{"UTF-16LE", encodeUTF16(t, text, utf16.LittleEndian, utf16.IgnoreBOM), text},
		{"UTF-16BE", encodeUTF16(t, text, utf16.BigEndian, utf16.IgnoreBOM), text},
		{"UTF-16BE ASCII", encodeUTF16(t, "hi", utf16.BigEndian, utf16.IgnoreBOM), "hi"},
		{"UTF-16LE with more NULs in Han", encodeUTF16(t, "一加一，第一页，唯一的\n", utf16.LittleEndian, utf16.IgnoreBOM), "一加一，第一页，唯一的\n"},
		{"UTF-16BE with more NULs in Han", encodeUTF16(t, "一加一，第一页，唯一的\n", utf16.BigEndian, utf16.IgnoreBOM), "一加一，第一页，唯一的\n"},
		{"UTF-32LE with mark", encodeUTF32(t, text, utf32.LittleEndian, utf32.UseBOM), text},
		{"UTF-32BE with mark", encodeUTF32(t, text, utf32.BigEndian, utf32.UseBOM), text},
		{"UTF-32LE", encodeUTF32(t, text, utf32.LittleEndian, utf32.IgnoreBOM), text},
		{"UTF-32BE", encodeUTF32(t, "血压", utf32.BigEndian, utf32.IgnoreBOM), "血压"},
		{"odd length", encodeUTF16(t, text, utf16.LittleEndian, utf16.UseBOM) + "x", text + "\uFFFD"},
		{"a bad byte", long + "\xff" + long, long + "\uFFFD" + long},
		{"bad bytes in a short text", "中文内容\xff\xfe\xfd tail", "中文内容\uFFFD\uFFFD\uFFFD tail"},
		{"some control characters", "\x1b[31mred\x1b[0m and more text to read here\n", "\x1b[31mred\x1b[0m and more text to read here\n"},
	}
	for _, tt := range tests {
		got, err := decode([]byte(tt.raw))
		if err != nil || got.text != tt.want {
			t.Errorf("%s: got %.60q, %v", tt.name, got.text, err)
		}
	}
}

func TestDecodeSkips(t *testing.T) {
	random := make([]byte, 10_000)
	chacha := rand.NewChaCha8([32]byte{1})
	chacha.Read(random)
	halfRandom := []byte(string(random))
	for i := range halfRandom {
		if i%2 == 0 && halfRandom[i] == 0 {
			halfRandom[i] = 1
		}
	}
	tests := []struct{ name, raw, reason string }{
		{"nothing", "", ErrEmpty.Reason},
		{"white space", " \r\n\u3000", ErrEmpty.Reason},
		{"only a mark", "\uFEFF", ErrEmpty.Reason},
		{"NULs", "Before.\x00\x00\x00After the NULs.\n", errNotText.Reason},
		{"ASCII with a NUL", strings.Repeat("Words, and a few more.\n", 20) + "\x00", errNotText.Reason},
		{"NULs at odd bytes", "a\x00b\x00\x01\x02\xff\xfe", errNotText.Reason},
		{"random", string(random), errNotText.Reason},
		{"random with NULs at odd bytes only", string(halfRandom), errNotText.Reason},
		{"control characters", strings.Repeat("\x01a\x02", 100), errNotText.Reason},
		{"half a UTF-32LE", "\xff\xfe\x00\x00a\x00\x00\x00b\x00", errNotText.Reason},
	}
	for _, tt := range tests {
		got, err := decode([]byte(tt.raw))
		var skip *SkipError
		if !errors.As(err, &skip) || skip.Reason != tt.reason {
			t.Errorf("%s: got %.60q, %v, want %s", tt.name, got.text, err, tt.reason)
		}
	}
}

func TestDecodeNames(t *testing.T) {
	const text = "高血压 notes\r\n"
	tests := []struct {
		raw, encoding string
		guessed       bool
	}{
		{text, "", false},
		{"\uFEFF" + text, "", false},
		{encodeUTF16(t, text, utf16.LittleEndian, utf16.UseBOM), "UTF-16LE", false},
		{encodeUTF16(t, text, utf16.BigEndian, utf16.UseBOM), "UTF-16BE", false},
		{encodeUTF16(t, text, utf16.LittleEndian, utf16.IgnoreBOM), "UTF-16LE", true},
		{encodeUTF16(t, text, utf16.BigEndian, utf16.IgnoreBOM), "UTF-16BE", true},
		{strings.Repeat(text, 10) + "\xff", "", false},
		{encodeUTF32(t, text, utf32.LittleEndian, utf32.UseBOM), "UTF-32LE", false},
		{encodeUTF32(t, text, utf32.BigEndian, utf32.IgnoreBOM), "UTF-32BE", true},
		{"\xb8\xdf\xd1\xaa\xd1\xb9", "GB18030", true},
	}
	for _, tt := range tests {
		d, err := decode([]byte(tt.raw))
		if err != nil || d.encoding != tt.encoding || d.guessed != tt.guessed {
			t.Errorf("%.40q: got %q, %t, %v, want %q, %t", tt.raw, d.encoding, d.guessed, err, tt.encoding, tt.guessed)
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, s := range []string{"text", "\uFEFF高", "\uFEFFa\xff", "\xff\xfeh\x00i\x00", "\xfe\xff\xd8\x00", "h\x00i\x00", "\x00h\x00i", "\xb8\xdf", "\x00\x01\x02", "a\xffb"} {
		f.Add([]byte(s))
	}
	for _, tt := range encodedTexts {
		f.Add(encodeWith(f, tt.name, tt.text))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		d, err := decode(raw)
		var skip *SkipError
		switch {
		case err != nil && !errors.As(err, &skip):
			t.Fatalf("error is %v", err)
		case err != nil:
			return
		case !utf8.ValidString(d.text) || strings.IndexByte(d.text, 0) >= 0 || strings.TrimSpace(d.text) == "":
			t.Fatalf("text is %q", d.text)
		case utf8.Valid(raw) && bytes.IndexByte(raw, 0) < 0 && (d.encoding != "" || d.text != strings.TrimPrefix(string(raw), "\uFEFF")):
			t.Fatalf("valid UTF-8 is read as %q: %q", d.encoding, d.text)
		case d.guessed && d.encoding == "":
			t.Fatal("UTF-8 is never guessed")
		}
	})
}
