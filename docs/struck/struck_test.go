package struck

import (
	"slices"
	"strings"
	"testing"
)

// TestFind checks which words are struck out, and what holds of a text.
func TestFind(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		struck     []string
		rest       string // "" for the text itself
	}{
		{"a dose", "Dose: ~~40 mg~~ 20 mg daily", []string{"40 mg"}, "Dose: 20 mg daily"},
		{"a digit", "Take 1~~0~~5 mg.", []string{"0"}, "Take 15 mg."},
		{"the end of a word", "un~~safe~~ ~~for~~ all", []string{"safe", "for"}, "un all"},
		{"before a full stop", "Take 5 mg ~~daily~~.", []string{"daily"}, "Take 5 mg."},
		{"Chinese", "每日~~两~~三次，~~“饭前”~~饭后", []string{"两", "“饭前”"}, "每日三次，饭后"},
		{"in brackets, without spaces", "dose~~(40 mg)~~ 20 mg", []string{"(40 mg)"}, "dose 20 mg"},
		{"over lines", "One ~~two\nthree~~ four\n", []string{"two\nthree"}, "One four\n"},
		{"sentences over lines", "> ~~One.\n> Two.~~\n> Three.\n", []string{"One.\n> Two."}, "> \n> Three.\n"},
		{"over a number at the start of a line", "~~since\n2019. Or~~ not", []string{"since\n2019. Or"}, "not"},
		{"not over paragraphs", "~~one\n\ntwo~~\n", nil, ""},
		{"not over items", "- ~~one\n- two~~\n", nil, ""},
		{"not over numbered items", "1. ~~one\n2. two~~\n", nil, ""},
		{"not over a heading", "~~one\n# two~~\n", nil, ""},
		{"not over a rule", "~~one\n---\ntwo~~\n", nil, ""},
		{"whole items", "- ~~one~~\n- two\n  * ~~three~~\n", []string{"one", "three"}, "- \n- two\n  * \n"},
		{"cells", "| a | b |\n| --- | --- |\n| ~~5 mg~~ | ~~x~~ 10 mg |\n", []string{"5 mg", "x"}, "| a | b |\n| --- | --- |\n| | 10 mg |\n"},
		{"not over cells", "| ~~a | b~~ |\n| ~~c |\n| d~~ |\n", nil, ""},
		{"a code block", "```\n~~a~~\n```\n~~b~~\n", []string{"b"}, "```\n~~a~~\n```\n\n"},
		{"a code block in an item", "- a\n\n  ~~~ sh\n  ~~a~~\n  ```\n  ~~~\n  ~~b~~\n", []string{"b"}, "- a\n\n  ~~~ sh\n  ~~a~~\n  ```\n  ~~~\n  \n"},
		{"a line of tildes that no other closes", "~~~~~~~~\n\n~~a~~ b\n", []string{"a"}, "~~~~~~~~\n\nb\n"},
		{"a code block that ends with its quotation", "> ```\n> ~~a~~\n\n~~b~~ c\n", []string{"b"}, "> ```\n> ~~a~~\n\nc\n"},
		{"an indented code block", "Text\n\n    ~~a~~\n\n~~b~~ c\n", []string{"b"}, "Text\n\n    ~~a~~\n\nc\n"},
		{"an indented code block of an item", "- a\n\n  ~~b~~ c\n\n      ~~d~~\n\n# Head\n\n    ~~e~~\n", []string{"b"}, "- a\n\n  c\n\n      ~~d~~\n\n# Head\n\n    ~~e~~\n"},
		{"a continued line is no code", "Text\n    ~~a~~ b\n", []string{"a"}, "Text\n    b\n"},
		{"inline code", "`~~a~~` and ``b ` ~~c~~`` and ~~`d ~~ e`~~ f", []string{"`d ~~ e`"}, "`~~a~~` and ``b ` ~~c~~`` and f"},
		{"a backtick alone", "a ` ~~b~~ c", []string{"b"}, "a ` c"},
		{"single tildes", "H~2~O and 5~10 mg ~approx~", nil, ""},
		{"three tildes", "a ~~~b~~~ c ~~d~~~ e ~~", nil, ""},
		{"escaped", `a \~~b~~ c ~~d\~~ e~~ f`, []string{`d\~~ e`}, `a \~~b~~ c f`},
		{"with spaces", "JavaScript's ~~ a and ~~ b", nil, ""},
		{"an opening mark twice", "a ~~b ~~c~~ d", []string{"c"}, "a ~~b d"},
		{"one mark", "a ~~b", nil, ""},
	} {
		stretches := Find(tt.text)
		var got []string
		for _, s := range stretches {
			got = append(got, tt.text[s.Inner().Start:s.Inner().End])
			if s.Start < s.Block.Start || s.Block.End < s.End {
				t.Errorf("%s: %+v is not in its block", tt.name, s)
			}
		}
		if !slices.Equal(got, tt.struck) {
			t.Errorf("%s: %q is struck out, want %q", tt.name, got, tt.struck)
		}
		if rest := WithoutStruck(tt.text, stretches).Text; rest != tt.rest && (tt.rest != "" || rest != tt.text) {
			t.Errorf("%s: %q holds, want %q", tt.name, rest, tt.rest)
		}
	}
}

// TestFindInFragment checks that a mark whose counterpart was cut off counts.
func TestFindInFragment(t *testing.T) {
	for text, want := range map[string]string{
		"40 mg~~ 20 mg":         "<40 mg> 20 mg",
		"Dose: ~~40":            "Dose: <40>",
		"mg~~ 20 mg ~~daily~~.": "<mg> 20 mg <daily>.",
		"a ~~ b":                "a ~~ b",
		"plain":                 "plain",
	} {
		got := text
		stretches := FindInFragment(text)
		slices.Reverse(stretches)
		for _, s := range stretches {
			inner := s.Inner()
			got = got[:max(0, s.Start)] + "<" + got[inner.Start:inner.End] + ">" + got[min(s.End, len(got)):]
		}
		if got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

// TestExcerpt checks that no excerpt shows struck-out words without marks, or marks without such words.
func TestExcerpt(t *testing.T) {
	const text = "Old ~~one two~~ new."
	stretches := Find(text)
	for from := range len(text) {
		for to := from + 1; to <= len(text); to++ {
			got := Excerpt(text, stretches, from, to)
			var want strings.Builder
			struck := ""
			for i := from; i < to; i++ {
				switch {
				case strings.Contains("one two", text[i:i+1]) && i > 5 && i < 13:
					struck += text[i : i+1]
				case text[i] == '~':
				default:
					if struck != "" {
						want.WriteString("~~" + struck + "~~")
						struck = ""
					}
					want.WriteByte(text[i])
				}
			}
			if struck != "" {
				want.WriteString("~~" + struck + "~~")
			}
			open, closing := MissingMarks(stretches, from, to)
			if isBesideWords := text[from] != '~' && text[to-1] != '~'; isBesideWords && open+text[from:to]+closing != want.String() {
				t.Errorf("%q lacks %q and %q", text[from:to], open, closing)
			}
			if o, c := MissingMarksIn("Plain.\n\n"+text+"\n\nPlain.", from+8, to+8); o != open || c != closing {
				t.Errorf("in a longer text, %q lacks %q and %q", text[from:to], o, c)
			}
			if got != want.String() {
				t.Errorf("%q is shown as %q, want %q", text[from:to], got, want.String())
			}
		}
	}
}

// TestReading checks that places lead from a reading to its source and back.
func TestReading(t *testing.T) {
	const text = "~~a~~ Dose: ~~40 mg~~ 20 mg, 1~~0~~5 ~~or~~~~so~~ x ~~y~~."
	stretches := Find(text)
	for name, r := range map[string]ReducedText{"holds": WithoutStruck(text, stretches), "all": WithoutMarks(text, stretches)} {
		for start := range len(r.Text) {
			for end := start + 1; end <= len(r.Text); end++ {
				source := r.ToSource(Range{start, end})
				if text[source.Start] != r.Text[start] || text[source.End-1] != r.Text[end-1] {
					t.Fatalf("%s: %q comes from %q", name, r.Text[start:end], text[source.Start:source.End])
				}
				if back := r.FromSource(source); back != (Range{start, end}) {
					t.Fatalf("%s: %v has become %v, was %d-%d", name, source, back, start, end)
				}
			}
		}
	}
	if got := WithoutMarks(text, stretches).Text; got != "a Dose: 40 mg 20 mg, 105 or~~~~so x y." {
		t.Errorf("without marks: %q", got)
	}
	r := WithoutStruck(text, stretches)
	if within := r.FromSource(Range{14, 16}); within.Start != within.End || r.Text[:within.Start] != "Dose: " {
		t.Errorf("struck-out text has become %v of %q", within, r.Text)
	}
}
