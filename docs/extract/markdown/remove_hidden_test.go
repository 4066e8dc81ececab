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
		{"struck-out text", "Start with <del>10 mg</del> <ins>5 mg</ins> on day one.", "Start with ~~10 mg~~ 5 mg on day one."},
		{"struck-out Chinese", "华法林<S>10毫克 </S>5毫克。", "华法林~~10毫克~~ 5毫克。"},
		{"by a style", `a <span style="color:red; text-decoration: line-through"><span class="x">b</span></span> <span>c</span>`, "a ~~b~~ <span>c</span>"},
		{"struck-out lines", "<del>a\nb</del> c\n\n<strike cite=\"x\">\n\n- d\n  1. e\n\n</strike>\n", "~~a~~\n~~b~~ c\n\n\n\n- ~~d~~\n  1. ~~e~~\n\n\n"},
		{"struck-out cells", "| <s>a | b</s> |\n| --- | --- |\n<del>\n| c | d |\n</del>", "| ~~a~~ | ~~b~~ |\n| --- | --- |\n\n| ~~c~~ | ~~d~~ |\n"},
		{"struck out in a nested item", "- a\n    - <del>b</del> c\n\n    <del>d</del>\n", "- a\n    - ~~b~~ c\n\n    <del>d</del>\n"},
		{"struck out twice", "<del>a ~~b~~ <s>c</s></del>", "~~a b c~~"},
		{"changes in CriticMarkup", "Take {--10 mg--}{++5 mg++} {~~once~>twice~~} {++daily++} `{--a--}` {--b {~~c~~} {>>d<<}", "Take ~~10 mg~~ 5 mg ~~once~~ twice daily `{--a--}` {--b {~~c~~} {>>d<<}"},
		{"changes over lines", "- {--a <ins>x</ins>\n- b <del>y</del>--} <del>c</del>\n| {~~1~>2~~} |", "- ~~a x~~\n- ~~b y~~ ~~c~~\n| ~~1~~ 2 |"},
		{"struck out beside tildes", "<del>~5</del> 6 <s>7~</s>", "~~\u2060~5~~ 6 ~~7~\u2060~~"},
		{"struck out in code", "`<del>a</del>`\n```\n<s>b</s>\n```\n\n    <s>c</s>\n    <s>d</s>\n", "`<del>a</del>`\n```\n<s>b</s>\n```\n\n    <s>c</s>\n    <s>d</s>\n"},
		{"tags without an end", "<s> and <del>a\n\nb</del> \\<s>c</s> <span style=\"color:red\">d</span>", "<s> and <del>a\n\nb</del> \\<s>c</s> <span style=\"color:red\">d</span>"},
	} {
		if got := RemoveHidden(test.text); got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}

func TestShownTakesLinearTime(t *testing.T) {
	const size = 1 << 20
	for _, unit := range []string{"<!--", "<!-- -->", "`", "``a`", "://", "://?", ";base64,", ";base64,AAAA", "```\n", "<", ":", " ", "\n", "<del>", "<s></s>", "<s><s></s>", "<s>\n", "<span ", "{"} {
		begin := time.Now()
		RemoveHidden(strings.Repeat(unit, size/len(unit)) + "<!-- -->;base64,://")
		if took := time.Since(begin); took > 10*time.Second {
			t.Errorf("%q, repeated, takes %v", unit, took)
		}
	}
}

// TestManyCriticMarks checks that marks without an end are not each searched for, which would take minutes.
func TestManyCriticMarks(t *testing.T) {
	for _, part := range []string{"{--", "{++ ", "{~~a", "{~~ ~~} "} {
		if text := strings.Repeat(part, 4<<20/len(part)); RemoveHidden(text) != text {
			t.Errorf("%q is changed", part)
		}
	}
}

func FuzzShown(f *testing.F) {
	f.Add("a <!-- b\n--> `c` ://d?e\n```\n<!-- -->\n```\n")
	f.Add("{--a\n{~~b~>c\n~~} <ins>d--}e</ins> {++f\n{~~g~~}++}")
	f.Add("a <del>b\nc</del> <ins>d</ins>\n<s>\n\n- e | f\n</s>\n")
	f.Add("data:;base64," + strings.Repeat("A", 200) + "\n://?" + strings.Repeat("b", 300))
	f.Fuzz(func(t *testing.T, text string) {
		shown := RemoveHidden(text)
		if strings.Count(shown, "\n") != strings.Count(text, "\n") || len(shown) > 4*len(text)+len("…") {
			t.Errorf("%q becomes %q", text, shown)
		}
	})
}
