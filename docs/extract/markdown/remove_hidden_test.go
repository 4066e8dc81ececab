package markdown

import (
	"strings"
	"testing"
	"time"
)

func TestShown(t *testing.T) {
	bytes := strings.Repeat("iVBORw0KGgo+/", 10)
	query := strings.Repeat("code=fn%20main", 20)
	for _, test := range []struct{ name, text, want string }{
		{"nothing to leave out", "a < b://c `<!-- d -->`", "a < b://c `<!-- d -->`"},
		{"a comment in a line", "a<!-- b --> c<!---->d", "a cd"},
		{"a comment over lines", "a\n<!-- b\n\nc --> d\ne", "a\n\n\n d\ne"},
		{"a comment that is open", "a <!-- b\nc ://d", "a <!-- b\nc ://d"},
		{"a comment in code", "```html\n<!-- a -->\n```\n<!-- b -->", "```html\n<!-- a -->\n```\n"},
		{"a comment in code that is open", "~~~\n<!-- a -->\n```", "~~~\n<!-- a -->\n```"},
		{"a comment in code with more marks", "````\n```\n<!-- a -->\n````\n<!-- b -->c", "````\n```\n<!-- a -->\n````\nc"},
		{"a comment in what may be code", "a\n\n    <!-- b -->\n\t<!-- c -->\n", "a\n\n    <!-- b -->\n\t<!-- c -->\n"},
		{"code in a comment", "<!--\n```\n-->\na <!-- b -->", "\n\n\na "},
		{"marks that do not match", "a ``b` <!-- c -->", "a ``b` "},
		{"a picture", "![Salt](data:image/png;base64," + bytes + ") and", "![Salt](data:image/png;base64,…) and"},
		{"a picture in code", "```\n<img src=\"data:image/png;base64," + bytes + "\">\n```", "```\n<img src=\"data:image/png;base64,…\">\n```"},
		{"a short picture", "data:image/png;base64,aGk= ;base64," + bytes, "data:image/png;base64,aGk= ;base64,…"},
		{"a playground", "[Run it](https://play.example.org/?" + query + ") now", "[Run it](https://play.example.org/?…) now"},
		{"a playground by its fragment", "[here]: https://example.org/edit#" + query + "\nb", "[here]: https://example.org/edit#…\nb"},
		{"a playground between angles", "<https://example.org/?" + query + ">", "<https://example.org/?…>"},
		{"a short query", "https://example.org/?a=b#c", "https://example.org/?a=b#c"},
		{"a query in code", "```\ncurl https://example.org/?" + query + "\n```", "```\ncurl https://example.org/?" + query + "\n```"},
	} {
		if got := RemoveHidden(test.text); got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}

func TestShownTakesLinearTime(t *testing.T) {
	const size = 1 << 20
	for _, unit := range []string{"<!--", "<!-- -->", "`", "``a`", "://", "://?", ";base64,", ";base64,AAAA", "```\n", "<", ":", " ", "\n"} {
		begin := time.Now()
		RemoveHidden(strings.Repeat(unit, size/len(unit)) + "<!-- -->;base64,://")
		if took := time.Since(begin); took > 10*time.Second {
			t.Errorf("%q, repeated, takes %v", unit, took)
		}
	}
}

func FuzzShown(f *testing.F) {
	f.Add("a <!-- b\n--> `c` ://d?e\n```\n<!-- -->\n```\n")
	f.Add("data:;base64," + strings.Repeat("A", 200) + "\n://?" + strings.Repeat("b", 300))
	f.Fuzz(func(t *testing.T, text string) {
		shown := RemoveHidden(text)
		if strings.Count(shown, "\n") != strings.Count(text, "\n") || len(shown) > len(text)+len("…") {
			t.Errorf("%q becomes %q", text, shown)
		}
	})
}
