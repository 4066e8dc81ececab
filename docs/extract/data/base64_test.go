package data

import (
	"encoding/base64"
	"math/rand/v2"
	"strings"
	"testing"
)

// encoded returns Base64 of size random bytes.
func encoded(size int) string {
	random := rand.New(rand.NewPCG(1, 2))
	raw := make([]byte, size)
	for i := range raw {
		raw[i] = byte(random.Uint32())
	}
	return base64.StdEncoding.EncodeToString(raw)
}

// lines divides text into lines of the given width.
func lines(text string, width int, end string) string {
	var all []string
	for ; len(text) > width; text = text[width:] {
		all = append(all, text[:width])
	}
	return strings.Join(append(all, text), end)
}

func TestElide(t *testing.T) {
	long := encoded(1000)
	bitmap := base64.StdEncoding.EncodeToString([]byte("BM9\x01" + strings.Repeat("\x00", 3000) + "\xFE\x31"))
	for what, c := range map[string]struct{ text, want string }{
		"in JSON":               {`{"contentType": "application/pdf", "data": "` + long + `"}`, `{"contentType": "application/pdf", "data": "…"}`},
		"a picture in a string": {`"data:image/png;base64,` + long + `"`, `"data:image/png;base64,…"`},
		"of the other alphabet": {`"` + strings.NewReplacer("+", "-", "/", "_").Replace(long) + `"`, `"…"`},
		"lines in XML":          {"<value>\n" + lines(long, 76, "\n") + "\n</value>", "<value>\n…" + strings.Repeat("\n", len(long)/76) + "\n</value>"},
		"a JPEG":                {`"/9j/4AAQSkZJRgABAQEAYABgAAD/2wBDAAgGBgcGBQgHBwcJCQgKDBQNDAsLDBkSEw8UHRofHh0a"`, `"…"`},
		"a document of Word":    {`"UEsDBBQABgAIAAAAIQDfpNJsWgEAACAFAAATAAgCW0NvbnRlbnRfVHlwZXNdLnhtbCCiBAIooAAC"`, `"…"`},
		"lines by spaces":       {"<v> " + lines(long, 64, " ") + " </v>", "<v> … </v>"},
		"mostly zeros":          {`"` + bitmap + `"`, `"…"`},
		"words after it":        {"<p>" + encoded(48) + " is the key of Ann</p>", "<p>… is the key of Ann</p>"},
		"a path":                {`"/Users/AnnWeber/Documents/Project2024/TidesAndWhales/Measurements/Final/Version2/Report"`, ""},
		"a name of a program":   {"AbstractSingletonProxyFactoryBeanWithDelegatingTransactionAttributeSourceAdvisor2", ""},
		"a checksum":            {strings.Repeat("0123456789abcdef", 8), ""},
		"residues":              {strings.Repeat("MKTAYIAKQRQISFVKSHFSRQLEERLGLIEVQ", 40), ""},
		"a rule":                {strings.Repeat("-=", 100), ""},
		"short":                 {encoded(42), ""},
	} {
		want := c.want
		if want == "" {
			want = c.text
		}
		if got := elideBase64(c.text); got != want {
			t.Errorf("%s: %q, want %q", what, got, want)
		}
	}
}

// FuzzElide checks that the number of lines does not change and that no text becomes longer.
func FuzzElide(f *testing.F) {
	f.Add("<v>" + lines(encoded(200), 76, "\r\n") + "</v> a\n")
	f.Fuzz(func(t *testing.T, text string) {
		got := elideBase64(text)
		if strings.Count(got, "\n") != strings.Count(text, "\n") || len(got) > len(text) {
			t.Errorf("%q", got)
		}
	})
}
