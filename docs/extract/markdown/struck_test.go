package markdown

import "testing"

func TestInlineText(t *testing.T) {
	type run struct {
		text     string
		isStruck bool
	}
	for _, test := range []struct {
		name string
		runs []run
		want string
	}{
		{"nothing struck out", []run{{"5 mg", false}}, "5 mg"},
		{"replaced", []run{{"5 mg", true}, {"10 mg", false}}, "~~5 mg~~ 10 mg"},
		{"several runs, with a blank between them", []run{{"Give ", false}, {"5", true}, {" ", false}, {"mg", true}, {".", false}}, "Give ~~5 mg~~."},
		{"blanks outside of the marks", []run{{"a", false}, {" 5 mg\t", true}, {"b", false}}, "a ~~5 mg~~\tb"},
		{"only blanks", []run{{"a", false}, {" ", true}, {"b", false}}, "a b"},
		{"all of it, over two lines", []run{{"one\n", true}, {"two", true}}, "~~one\ntwo~~"},
		{"letters in a word", []run{{"colo", false}, {"u", true}, {"r", false}}, "colour"},
		{"digits in a number", []run{{"1", false}, {"0", true}, {"5 mg", false}}, "1~~0~~5 mg"},
		{"the start of a word", []run{{"un", true}, {"safe", false}}, "~~un~~safe"},
		{"a digit of a number", []run{{"100", false}, {"0", true}, {" mg", false}}, "100~~0~~ mg"},
		{"Chinese", []run{{"每日", false}, {"两", true}, {"三次", false}}, "每日~~两~~三次"},
		{"a tilde", []run{{"~5 mg", true}}, "~~\u2060~5 mg~~"},
		{"tildes beside it", []run{{"~", false}, {"5 mg~", true}, {"~ 10", false}}, "~\u2060~~5 mg~\u2060~~\u2060~ 10"},
		{"tildes of the author", []run{{"好呀~~ ", false}, {"a~~b", true}, {"明天~~", false}}, "好呀~\u2060~ ~~a~\u2060~b~~明天~\u2060~"},
	} {
		var text InlineText
		for _, r := range test.runs {
			text.IsNextStruck = r.isStruck
			text.WriteString(r.text)
		}
		if got := text.String(); got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}
