package match

import (
	"context"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// found lists what a Matcher finds in a text.
func found(m Matcher, text string) (all []string) {
	places, _ := m.Find(context.Background(), nil, text)
	for _, r := range places {
		all = append(all, text[r.Start:r.End])
	}
	return all
}

func TestLiteral(t *testing.T) {
	for _, c := range []struct {
		look, text string
		want       []string
	}{
		{"warfarin", "Warfarin, WARFARIN and nonwarfarins", []string{"Warfarin", "WARFARIN", "warfarin"}},
		{"aa", "aaaaa", []string{"aa", "aa"}},
		{"  blood\n pressure ", "blood pressure, blood\n   pressure, blood\u00a0pressure, bloodpressure", []string{"blood pressure", "blood\n   pressure", "blood\u00a0pressure"}},
		{"hypertension", "hyper\u00ad\ntension, hyper-\ntension, hyper-  \n\n  tension, hyper-tension", []string{"hyper\u00ad\ntension", "hyper-\ntension", "hyper-  \n\n  tension"}},
		{"hypertension", "hyper\u2010\ntension, hyper\u2010 \r\n tension, hyper\u2010tension", []string{"hyper\u2010\ntension", "hyper\u2010 \r\n tension"}},
		{"well-known", "well-known, well-\n  known, wellknown", []string{"well-known", "well-\n  known"}},
		{"well-known", "well\u2010known, well\u2010\nknown, well\u2011known", []string{"well\u2010known", "well\u2010\nknown", "well\u2011known"}},
		{"5-10", "5-10 and 5-\n10 and 5–10", []string{"5-10", "5–10"}},
		{"don't \"stop\"", "don’t “stop”", []string{"don’t “stop”"}},
		{"office", "the oﬃce", []string{"oﬃce"}},
		{"cafe", "Café, cafe\u0301s", []string{"Café", "cafe\u0301"}},
		{"naïve", "naive NAI\u0308VE", []string{"naive", "NAI\u0308VE"}},
		{"高血压", "高血壓，高血\n压，高 血压；血压", []string{"高血壓", "高血\n压", "高 血压"}},
		{"血压，", "血压，\n血压,", []string{"血压，", "血压,"}},
		{"压，高", "血压，\n高血压", []string{"压，\n高"}},
		{"ABC123", "ＡＢＣ１２３", []string{"ＡＢＣ１２３"}},
		{"혈압 약", "혈압 약 혈압약", []string{"혈압 약"}},
		{"zero width", "ze\u200bro wid\ufeffth", []string{"ze\u200bro wid\ufeffth"}},
		{"ΣΊΣΥΦΟΣ", "σίσυφος", []string{"σίσυφος"}},
		{"C++", "c++ C+ +", []string{"c++"}},
		{"हिन्दी", "हिन्दी हन्दी", []string{"हिन्दी"}},
		{"LINDENSTRASSE", "Lindenstraße, LINDENSTRASSE, Lindenstrasse, LINDENSTRAẞE, Lindenstrase", []string{"Lindenstraße", "LINDENSTRASSE", "Lindenstrasse", "LINDENSTRAẞE"}},
		{"straße", "Straße STRASSE Strase", []string{"Straße", "STRASSE"}},
		{"none", "", nil},
	} {
		m, err := NewLiteral(c.look, false)
		if err != nil {
			t.Fatalf("%q: %v", c.look, err)
		}
		if got := found(m, c.text); !slices.Equal(got, c.want) {
			t.Errorf("%q in %q is at %q, want %q", c.look, c.text, got, c.want)
		}
	}
}

func TestCasedLiteral(t *testing.T) {
	for _, c := range []struct {
		look, text string
		want       []string
	}{
		{"AKI", "AKI, aki, ＡＫＩ", []string{"AKI"}},
		{"高血壓", "高血压 高血\n壓", []string{"高血\n壓"}},
		{"Acute Kidney", "Acute\nKidney, acute kidney, Acute Kid\u00ad\nney", []string{"Acute\nKidney", "Acute Kid\u00ad\nney"}},
		{"café", "cafe, cafe\u0301, Café", []string{"cafe\u0301"}},
		{"a\u2010b", "a-b a\u2010b a\u2010\nb", []string{"a\u2010b", "a\u2010\nb"}},
		{"\"a\"", "“a” \"a\"", []string{"\"a\""}},
	} {
		m, err := NewLiteral(c.look, true)
		if err != nil {
			t.Fatalf("%q: %v", c.look, err)
		}
		if got := found(m, c.text); !slices.Equal(got, c.want) {
			t.Errorf("%q in %q is at %q, want %q", c.look, c.text, got, c.want)
		}
	}
}

func TestPattern(t *testing.T) {
	for _, c := range []struct {
		look  string
		cased bool
		text  string
		want  []string
	}{
		{`\bAKI\b`, false, "aki AKI taking", []string{"aki", "AKI"}},
		{`\bAKI\b`, true, "aki AKI taking", []string{"AKI"}},
		{`[A-Z]{3}\d`, false, "abc1 ABC2 ＡＢＣ３", []string{"abc1", "ABC2", "ＡＢＣ３"}},
		{`[A-Z]{3}\d`, true, "abc1 ABC2", []string{"ABC2"}},
		{`^- .*$`, false, "- one\ntext\n- two", []string{"- one", "- two"}},
		{`高血[壓圧]|糖尿病`, false, "高血压和糖尿病", []string{"高血压", "糖尿病"}},
		{`acute\s+kidney`, false, "Acute\n  kidney", []string{"Acute\n  kidney"}},
		{`hypertension`, false, "hyper\u00ad\ntension", []string{"hyper\u00ad\ntension"}},
		{`x*`, false, "axxb", []string{"xx"}},
		{`^a?`, false, "a\nb", []string{"a"}},
		{`(a+)+$`, false, strings.Repeat("a", 10000) + "b", nil},
		{`caf[é]`, false, "cafe café", []string{"cafe", "café"}},
		{`“a”`, false, `"a" “a”`, []string{`"a"`, "“a”"}},
		{`\p{Han}+`, false, "a 高血压 b", []string{"高血压"}},
		{`Stra[sß]e|Gie.en\b`, false, "Straße, Gießen", []string{"Straße", "Gießen"}}, // ß is one character
		{`große?`, true, "GROSS große", []string{"große"}},
		{`(?-i)AKI`, false, "aki AKI", []string{"aki", "AKI"}}, // case is what is asked for beside it
	} {
		m, err := NewPattern(c.look, c.cased)
		if err != nil {
			t.Fatalf("%q: %v", c.look, err)
		}
		if got := found(m, c.text); !slices.Equal(got, c.want) {
			t.Errorf("%q in %.40q is at %q, want %q", c.look, c.text, got, c.want)
		}
	}
}

func TestRefused(t *testing.T) {
	for _, empty := range []string{"", " \n\t", "\u00ad", "\ufeff"} {
		if _, err := NewLiteral(empty, false); err == nil {
			t.Errorf("%q is looked for", empty)
		}
	}
	for pattern, want := range map[string]string{"a(b": "missing closing", "": "matches no characters", "(a{1000}){1000}": "repeat", `\C`: "escape", "()": "matches no characters", "^$": "matches no characters", "[": "missing closing", "(?:" + strings.Repeat("a", 900) + "){1000}": "too large"} {
		if _, err := NewPattern(pattern, false); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is refused as %v, want %q", pattern, err, want)
		}
	}
}

// checkPlaces checks that places lie in a text, one after the other.
func checkPlaces(t *testing.T, text string, all []Range) {
	t.Helper()
	end := 0
	for _, r := range all {
		if r.Start < end || r.End <= r.Start || r.End > len(text) {
			t.Fatalf("places in %q are %v", text, all)
		}
		end = r.End
	}
}

// FuzzLiteral: a text is found in itself whatever stands around it, and places lie in the
// text, each of them as folded as what was looked for.
func FuzzLiteral(f *testing.F) {
	f.Add("blood pressure", "the blood-\npressure of", false)
	f.Add("高血压", "高血\n壓", true)
	f.Add("e\u0301", "é", false)
	f.Fuzz(func(t *testing.T, look, text string, cased bool) {
		if !utf8.ValidString(look) || !utf8.ValidString(text) {
			return
		}
		m, err := NewLiteral(look, cased)
		if err != nil {
			return
		}
		all, _ := m.Find(t.Context(), nil, text)
		checkPlaces(t, text, all)
		if around := text + " | " + look + " | " + text; len(found(m, around)) == 0 {
			t.Fatalf("%q is not found in %q", look, around)
		}
	})
}

// FuzzPattern: whatever is matched lies in the text.
func FuzzPattern(f *testing.F) {
	f.Add(`\bA[KX]I\b|高血壓`, "AKI 高血压", false)
	f.Add(`(a|b)*c$`, "abc\nabc", true)
	f.Fuzz(func(t *testing.T, look, text string, cased bool) {
		if m, err := NewPattern(look, cased); err == nil && len(text) < 1000 && utf8.ValidString(text) { // as the texts of all documents are
			all, _ := m.Find(t.Context(), nil, text)
			checkPlaces(t, text, all)
		}
	})
}

func BenchmarkLiteral(b *testing.B) {
	english := strings.Repeat("Warfarin is an anticoagulant used to prevent blood clots,\nstroke and heart attack in people with a-\ntrial fibrillation. ", 500)
	chinese := strings.Repeat("高血压是一种常见的慢性病，\n需要长期服药并监测血压。", 500)
	for name, c := range map[string]struct{ look, text string }{"English": {"dabigatran", english}, "Chinese": {"糖尿病", chinese}} {
		b.Run(name, func(b *testing.B) {
			m, err := NewLiteral(c.look, false)
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(len(c.text)))
			for b.Loop() {
				_, _ = m.Find(b.Context(), nil, c.text)
			}
		})
	}
}
