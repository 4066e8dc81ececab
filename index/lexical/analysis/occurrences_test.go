package analysis

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"vademecum/internal/base/script"
)

// TestOccurrences: a text has the terms that it is counted by, each where it begins, and of
// those that are not looked for it may lack some.
func TestOccurrences(t *testing.T) {
	for text, l := range map[string]script.Language{
		"Vitamin B-12 and Wi-Fi: set up OpenSSL on 2024-11-05, version 3.12.1, for the PPIs.": script.LanguageByCode("en"),
		"Article 35\nThe heart-healthy diet, C++ and β-blockers.":                             script.UnknownLanguage,
		"Die Blutdruckmessungen am Morgen, zweimal täglich.":                                  script.LanguageByCode("de"),
		"高血压患者，第三十五条：2024年11月5日测量血壓。":                                                         script.LanguageByCode("zh"),
	} {
		want := make(map[string]bool)
		var all TermPrefixFilter
		err := CountTermsInLanguage(l, ChunkNames{}, text).Each(func(term []byte, _ int) {
			want[string(term)] = true
			all.Add(string(term))
		})
		if err != nil {
			t.Fatal(err)
		}
		got := make(map[string]bool)
		for at, term := range TermOccurrences(l, text, &all) {
			got[term] = true
			if !utf8.RuneStart(text[at]) || !IsFieldTerm(term) && !strings.Contains(foldWord(text[max(0, at-1):]), term[:1]) {
				t.Errorf("%q is said to begin at %q", term, text[at:])
			}
		}
		if !maps.Equal(got, want) {
			missing := slices.DeleteFunc(slices.Sorted(maps.Keys(want)), func(term string) bool { return got[term] })
			more := slices.DeleteFunc(slices.Sorted(maps.Keys(got)), func(term string) bool { return want[term] })
			t.Errorf("%q: without %q, and with %q", text, missing, more)
		}
	}
	var some TermPrefixFilter
	some.Add("zebra")
	for _, term := range TermOccurrences(script.UnknownLanguage, "a mill by the river", &some) {
		t.Errorf("%q is looked at", term)
	}
}
