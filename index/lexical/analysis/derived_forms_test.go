package analysis

import (
	"slices"
	"strings"
	"testing"

	"vademecum/internal/base/script"
)

// TestDerivedForms: a word or date of which another form stands in the texts is not nowhere, nor is a form of address;
// one that only begins alike is.
func TestDerivedForms(t *testing.T) {
	for _, c := range []struct{ language, text, asked, want string }{
		{"en", "In pregnancy, treatment starts early.", "pregnant patients treated", "patients"},
		{"en", "ALLERGY: penicillin", "who is allergic", ""},
		{"en", "foot checks every 6 months", "checking diabetic feet", ""},
		{"en", "older than 65", "an old house", "house"},
		{"en", "She bought a clock.", "who will buy it", ""},
		{"en", "He was diagnosed in May.", "the diagnostic one", ""},
		{"en", "Penicillin is given.", "dose of penicillamine", "dose penicillamine"},
		{"en", "Bak lives in Bergen", "Baker in Bergen", "Baker"},
		{"zh", "李明植入了支架。", "李明支架放了几个", ""},
		{"zh", "胃有溃疡。", "胃有局部糜难了", "局部糜难"},
		{"zh", "2025年7月15日复查。", "七月十五日复查", ""},
		{"zh", "七月十五日复查。", "7月15日复查", ""},
		{"zh", "2025年复查。", "二〇二五年复查", ""},
		{"en", "seen on 2025-07-15", "seen in July", ""},
		{"en", "seen on 2025-06-15", "seen in July", "July"},
		{"en", "Okafor was seen", "was Mr Okafor seen", ""},
		{"de", "Hoffmann kam", "Frau Hoffmann und Herrn Meier", "Meier"},
		{"de", "in der Schwangerschaft", "ist sie schwanger", ""},
		{"de", "eine Allergie gegen Nickel", "wer ist allergisch gegen Nickel", ""},
		{"de", "Ibuprofen nicht nehmen", "wer nimmt Ibuprofen", ""},
	} {
		has := make(map[string]bool)
		if err := CountTermsInLanguage(script.LanguageByCode(c.language), ChunkNames{}, c.text).Each(func(term []byte, _ int) { has[string(term)] = true }); err != nil {
			t.Fatal(err)
		}
		lookup := UnknownWordLookupTerms(c.asked)
		unknown := UnknownWords(c.asked, func(term string) bool { return has[term] && slices.Contains(lookup, term) })
		if got := strings.Join(unknown, " "); got != c.want {
			t.Errorf("%q in %q: nowhere %q, want %q", c.asked, c.text, got, c.want)
		}
	}
}
