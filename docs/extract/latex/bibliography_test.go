package latex

import (
	"strings"
	"testing"

	"vademecum/docs/extract"
	"vademecum/docs/extract/charset"
	"vademecum/docs/extract/extracttest"
)

func TestReadBibliography(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"@article{mueller2019,\n  author = {M{\\\"u}ller, J{\\o}rgen and Erd\\H{o}s, P. and \\'{E}tienne, {\\'\\i}},\n  title = {{The {W}illow} of {N}ewton},\r\n  year = 2019,\n}\n",
			"@article{mueller2019,\n  author = {Müller, Jørgen and Erdős, P. and Étienne, í},\n  title = {The Willow of Newton},\r\n  year = 2019,\n}\n"},
		{`@book{a, title = "{D}oses \& {\em how} \textit{they} vary by 5\,\% in $x^{2}$", note = "a" # {b}, url = {http://x.org/~ann}, author={Dvo\v{r}\'ak~A, Stra\ss e, \alpha, \c c}}`,
			`@book{a, title = "Doses & how they vary by 5,% in $x^{2}$", note = "a" # {b}, url = {http://x.org/~ann}, author={Dvořák A, Straße, \alpha, ç}}`},
		{`}}{a}{{b}\`, `}}{a}{b\`},
		{`\"{{u}} \'{ab} \^, 5$ a`, `"{u} áb ^, 5$ a`},
	} {
		got, err := ReadBibliography([]byte(c.in), extract.NoProgress)
		if err != nil || got.Text != c.want {
			t.Errorf("%v\ngot  %s\nwant %s", err, got.Text, c.want)
		}
	}
}

func FuzzReadBibliography(f *testing.F) {
	f.Add([]byte(`@a{b, c = {M{\"u}ller, {\'\i}, \v{r}, $x$~\ss{} \textit{y}}` + "\n}"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		c, err := ReadBibliography(raw, extract.NoProgress)
		extracttest.CheckContent(t, c, err)
		if plain, _ := charset.Read(raw); err == nil && strings.Count(plain.Text, "\n") != strings.Count(c.Text, "\n") {
			t.Errorf("lines of %q", raw)
		}
	})
}
