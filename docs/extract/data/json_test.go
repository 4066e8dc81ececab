package data

import (
	"strings"
	"testing"

	"vademecum/docs/extract"
	"vademecum/docs/extract/charset"
	"vademecum/docs/extract/extracttest"
)

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
		if got := unescapeLetters(c.in); got != c.want {
			t.Errorf("unescapeJSON(%s) = %s, want %s", c.in, got, c.want)
		}
	}
}

func TestReadJSON(t *testing.T) {
	c, err := ReadJSON([]byte("{\"a\": \"\\u4e2d\"}\r\n{\"b\": \"\\n\"}\n"), extract.NoProgress)
	if err != nil || c.Text != "{\"a\": \"中\"}\r\n{\"b\": \"\\n\"}\n" {
		t.Errorf("%+v, %v", c, err)
	}
	deep := strings.Repeat("[", 1_000_000)
	if c, err := ReadJSON([]byte(deep), extract.NoProgress); err != nil || c.Text != deep {
		t.Errorf("%d bytes, %v", len(c.Text), err)
	}
	c, err = ReadJSON([]byte("\xFF\xFE{\x00}\x00"), extract.NoProgress)
	if err != nil || c.Text != "{}" || c.Encoding != "UTF-16LE" {
		t.Errorf("%+v, %v", c, err)
	}
}

func FuzzReadJSON(f *testing.F) {
	f.Add([]byte(`{"a": "\u4e2d\uD83D\uDE00\\u1234\"` + "\n"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		c, err := ReadJSON(raw, extract.NoProgress)
		extracttest.CheckContent(t, c, err)
		if plain, _ := charset.Read(raw); strings.Count(plain.Text, "\n") != strings.Count(c.Text, "\n") {
			t.Errorf("lines of %q", raw)
		}
	})
}
