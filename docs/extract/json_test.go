package extract

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"
)

// soundContent fails unless a reader kept its promises.
func soundContent(t *testing.T, c Content, err error) {
	t.Helper()
	if err != nil {
		if s := new(SkipError); !errors.As(err, &s) {
			t.Fatalf("the error is %T: %v", err, err)
		}
		return
	}
	if !utf8.ValidString(c.Text) {
		t.Error("the text is not UTF-8")
	}
	last := 0
	for _, p := range c.Parts {
		if p.Start < last || p.Start >= len(c.Text) || p.Start > 0 && c.Text[p.Start-1] != '\n' {
			t.Fatalf("part %+v after %d in %q", p, last, c.Text)
		}
		last = p.Start
	}
}

func TestUnescapeJSON(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{`{"a": "\u4e2d\u6587"}`, `{"a": "中文"}`},
		{`"\uD83D\uDE00 \ud83d x \udE00"`, `"😀 \ud83d x \udE00"`},
		{`"\\u4e2d \\\u4e2d"`, `"\\u4e2d \\中"`},
		{`"\u0022 \u005C \u000a \u0000 \u2028 \u00ad"`, `"\u0022 \u005C \u000a \u0000 \u2028 \u00ad"`},
		{`"\u003cb\u003e\u3000"`, `"<b>　"`},
		{`"\u4e2" \u`, `"\u4e2" \u`},
		{`\`, `\`},
	} {
		if got := unescapeJSON(c.in); got != c.want {
			t.Errorf("unescapeJSON(%s) = %s, want %s", c.in, got, c.want)
		}
	}
}

func TestReadJSON(t *testing.T) {
	c, err := readJSON([]byte("{\"a\": \"\\u4e2d\"}\r\n{\"b\": \"\\n\"}\n"), Unwatched)
	if err != nil || c.Text != "{\"a\": \"中\"}\r\n{\"b\": \"\\n\"}\n" {
		t.Errorf("%+v, %v", c, err)
	}
	deep := strings.Repeat("[", 1_000_000)
	if c, err := readJSON([]byte(deep), Unwatched); err != nil || c.Text != deep {
		t.Errorf("%d bytes, %v", len(c.Text), err)
	}
	c, err = readJSON([]byte("\xFF\xFE{\x00}\x00"), Unwatched)
	if err != nil || c.Text != "{}" || c.Encoding != "UTF-16LE" {
		t.Errorf("%+v, %v", c, err)
	}
}

func FuzzReadJSON(f *testing.F) {
	f.Add([]byte(`{"a": "\u4e2d\uD83D\uDE00\\u1234\"` + "\n"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		c, err := readJSON(raw, Unwatched)
		soundContent(t, c, err)
		if plain, _ := readText(raw); strings.Count(plain.Text, "\n") != strings.Count(c.Text, "\n") {
			t.Errorf("lines of %q", raw)
		}
	})
}
