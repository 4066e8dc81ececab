package analysis

import "testing"

// TestRespelledWords: a word without umlauts is found by the one with them, and a unit by its other spelling.
func TestRespelledWords(t *testing.T) {
	for _, c := range [][2]string{
		{"Groesse", "Größe"}, {"Gefaesses", "Gefäßes"}, {"Stoerung", "Störung"}, {"Mueller", "Müller"}, {"Massnahmen", "Maßnahmen"}, {"Schluesse", "Schlüsse"},
		{"Größe", "Groesse"}, {"Müller", "Mueller"},
		{"kOhm", "kΩ"}, {"kΩ", "kOhm"}, {"um", "µm"}, {"μm", "um"}, {"Nm", "N·m"}, {"ohm", "Ω"},
		{"EP3482117B1", "EP 3 482 117 B1"}, {"EP3482117", "EP 3482117 B1"},
	} {
		has := make(map[string]bool)
		if err := CountTerms(ChunkNames{}, "x "+c[1]+" y").Each(func(term []byte, _ int) { has[string(term)] = true }); err != nil {
			t.Fatal(err)
		}
		q := NewQuestion(c[0])
		found := false
		for term := range q.ContentTerms {
			for _, form := range append(q.EquivalentTerms[term], q.FallbackTerms[term]...) {
				found = found || has[form]
			}
		}
		for term := range q.OtherSpellings {
			found = found || has[term]
		}
		if !found {
			t.Errorf("%q does not find %q", c[0], c[1])
		}
		if unknown := UnknownWords(c[0], func(term string) bool { return has[term] }); len(unknown) > 0 {
			t.Errorf("of %q %q are nowhere in %q", c[0], unknown, c[1])
		}
	}
	if got := UnknownWords("EP3482118B1", func(term string) bool { return term == "ep" || term == "b1" }); len(got) != 1 {
		t.Errorf("of another patent %q are nowhere", got)
	}
}

// TestAskingWords: words that only ask are not reported, and are no part of what a question is about.
func TestAskingWords(t *testing.T) {
	for _, question := range []string{
		"Was bedeutet Err006?", "Was passiert bei Err006", "que signifie Err006", "wie oft Err006", "how long Err006", "what happened to Err006",
		"What does Err006 mean?", "number of Err006", "Err006代表什么", "wann Err006",
	} {
		if got := UnknownWords(question, func(term string) bool { return term == "err006" }); len(got) > 0 {
			t.Errorf("of %q %q are nowhere", question, got)
		}
		if n := ContentHalfWords(question); n != wordAmount && n != wordAmount+2 {
			t.Errorf("%q has %d units", question, n)
		}
	}
	for _, question := range []string{"a long way", "the mean height"} {
		if got := UnknownWords(question, func(string) bool { return false }); len(got) != 2 {
			t.Errorf("of %q %q are nowhere", question, got)
		}
	}
}
