package data

import (
	"strings"
	"testing"

	"vademecum/docs/extract"
	"vademecum/docs/extract/charset"
	"vademecum/docs/extract/extracttest"
)

func TestRead(t *testing.T) {
	code := strings.Repeat("iVBORw0KGgoAAAANSUhEUgAAAAUA", 10)
	for _, c := range []struct{ in, want string }{
		{"<a>M&#252;ller, Ume&#x000e5;, caf&eacute;, R&amp;D</a>\r\n", "<a>Müller, Umeå, café, R&D</a>\r\n"},
		{`<a b="1 &lt; 2 &quot;x&quot;">&#60;&nosuch; & &#x110000000; &#0;</a>`, `<a b="1 &lt; 2 &quot;x&quot;">&#60;&nosuch; & &#x110000000; &#0;</a>`},
		{"<a>x&#10;y&#xD;z&nbsp;z</a>", "<a>x y z z</a>"},
		{"<a>\n" + code + "&#13;\n" + code + "&#13;\niVBO\n</a>\n<b/>", "<a>\n…\n\n\n</a>\n<b/>"},
	} {
		got, err := ReadXML([]byte(c.in), extract.NoProgress)
		if err != nil || got.Text != c.want {
			t.Errorf("%s: %v\ngot  %q\nwant %q", c.in, err, got.Text, c.want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte("<a>M&#252;ller&#10;&lt;\n</a>"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		c, err := ReadXML(raw, extract.NoProgress)
		extracttest.CheckContent(t, c, err)
		if plain, _ := charset.Read(raw); strings.Count(plain.Text, "\n") != strings.Count(c.Text, "\n") {
			t.Errorf("lines of %q", raw)
		}
	})
}
