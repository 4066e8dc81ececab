package analysis

import (
	"slices"
	"strings"
	"testing"

	"vademecum/internal/base/script"
)

// TestDerivedForms: a word of which another form stands in the texts is not nowhere; one that only begins alike is.
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
