package charset

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	utf16 "golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"

	"vademecum/docs/extract"
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
		{"ISO-2022-JP", "a\r\n\x1b$BJ#?t\x1b(B b\n", "a\r\n複数 b\n"},
		{"ISO-2022-KR", "\x1b$)Ca \x0e>H3g\x0f\n", "a 안녕\n"},
		{"colours of a terminal", "\x1b[1mred\x1b[0m, long enough for a text with so few controls", "\x1b[1mred\x1b[0m, long enough for a text with so few controls"},
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
		{"a NUL", "# A\n\nmalaria\x00\n", "# A\n\nmalaria\uFFFD\n"},
		{"a row of NULs", "Before.\x00\x00\x00After the NULs.\n", "Before.\uFFFDAfter the NULs.\n"},
		{"NULs that fill the end", "Half of a note" + strings.Repeat("\x00", 4096), "Half of a note"},
		{"a NUL in GB18030", string(encodeWith(t, "GB18030", long)) + "\x00" + string(encodeWith(t, "GB18030", long)), long + "\uFFFD" + long},
		{"a NUL after a mark", "\uFEFFmal\x00aria", "mal\uFFFDaria"},
		{"some control characters", "\x1b[31mred\x1b[0m and more text to read here\n", "\x1b[31mred\x1b[0m and more text to read here\n"},
	}
	for _, tt := range tests {
		got, err := Decode([]byte(tt.raw))
		if err != nil || got.Text != tt.want {
			t.Errorf("%s: got %.60q, %v", tt.name, got.Text, err)
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
		{"nothing", "", extract.ErrEmptyFile.Error()},
		{"white space", " \r\n\u3000", extract.ErrEmptyFile.Error()},
		{"only a mark", "\uFEFF", extract.ErrEmptyFile.Error()},
		{"NULs between words", strings.Repeat("name\x00a value of it\n", 20), "not text: it contains NUL bytes, the first in line 1"},
		{"NULs in many lines", strings.Repeat("Words, and a few more.\n", 3) + strings.Repeat("a\x00 line with a NUL\n", 9), "not text: it contains NUL bytes, the first in line 4"},
		{"NULs alone", strings.Repeat("\x00", 999), ErrNotText.Error()},
		{"NULs at odd bytes", "a\x00b\x00\x01\x02\xff\xfe", ErrNotText.Error()},
		{"random", string(random), ErrNotText.Error()},
		{"random with NULs at odd bytes only", string(halfRandom), ErrNotText.Error()},
		{"control characters", strings.Repeat("\x01a\x02", 100), ErrNotText.Error()},
		{"half a UTF-32LE", "\xff\xfe\x00\x00a\x00\x00\x00b\x00", ErrNotText.Error()},
	}
	for _, tt := range tests {
		got, err := Decode([]byte(tt.raw))
		var skip *extract.SkipError
		if !errors.As(err, &skip) || skip.Error() != tt.reason {
			t.Errorf("%s: got %.60q, %v, want %s", tt.name, got.Text, err, tt.reason)
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
		d, err := Decode([]byte(tt.raw))
		if err != nil || d.Encoding != tt.encoding || d.IsGuessed != tt.guessed {
			t.Errorf("%.40q: got %q, %t, %v, want %q, %t", tt.raw, d.Encoding, d.IsGuessed, err, tt.encoding, tt.guessed)
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
		d, err := Decode(raw)
		var skip *extract.SkipError
		switch {
		case err != nil && !errors.As(err, &skip):
			t.Fatalf("error is %v", err)
		case err != nil:
			return
		case !utf8.ValidString(d.Text) || strings.IndexByte(d.Text, 0) >= 0 || strings.TrimSpace(d.Text) == "":
			t.Fatalf("text is %q", d.Text)
		case utf8.Valid(raw) && bytes.IndexByte(raw, 0) < 0 && (d.Encoding != "" || d.Text != strings.TrimPrefix(string(raw), "\uFEFF")):
			t.Fatalf("valid UTF-8 is read as %q: %q", d.Encoding, d.Text)
		case d.IsGuessed && d.Encoding == "":
			t.Fatal("UTF-8 is never guessed")
		}
	})
}
