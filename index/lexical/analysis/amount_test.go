package analysis

import "testing"

// TestAmounts: an amount of money has one term, whatever word or sign says the currency and however its
// digits are grouped.
func TestAmounts(t *testing.T) {
	for text, want := range map[string]string{
		"485 €": "eur 485", "EUR 485": "eur 485", "485 Euro": "eur 485", "485,00 euros": "eur 485", "€485": "eur 485",
		"18.450,00 €": "eur 18450", "EUR 18,450": "eur 18450", "18450 EUR": "eur 18450", "31,90 EUR": "eur 31.9",
		"£240,000": "gbp 240000", "240 000 pounds": "gbp 240000", "GBP 240000": "gbp 240000",
		"US$ 12": "usd 12", "12 dollars": "usd 12", "HK$ 12": "", "12 people": "",
		"¥100": "cny 100", "100元": "cny 100", "人民币100": "cny 100", "RMB 100": "cny 100", "100 CNY": "cny 100",
		"CHF 50'000": "chf 50000", "Franken": "", "neuro 5": "",
	} {
		got := ""
		for _, w := range specialTokens(normalize(text)) {
			if term := WithoutField(w.term); !w.isGeneral && term != "" && isASCIILetter(term[0]) {
				got = term
			}
		}
		if got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

// TestCurrencyForms: a word for a currency is found by the others and by all amounts in it.
func TestCurrencyForms(t *testing.T) {
	for question, text := range map[string]string{"fee in Euro": "485 €", "fee in EUR": "40 Euro", "a sum in pounds": "£ 5", "how many dollars": "$7"} {
		if !isFound(t, question, text) {
			t.Errorf("%q does not find %q", question, text)
		}
	}
}

// isFound reports whether a text has a term of a question, or one that counts as it.
func isFound(t *testing.T, question, text string) bool {
	t.Helper()
	counts := make(map[string]bool)
	if err := CountTerms(ChunkNames{}, text).Each(func(term []byte, _ int) { counts[string(term)] = true }); err != nil {
		t.Fatal(err)
	}
	q := NewQuestion(question)
	for term, weight := range q.ContentTerms {
		if weight >= 1 && counts[term] {
			return true
		}
		for _, form := range q.EquivalentTerms[term] {
			if counts[form] {
				return true
			}
		}
	}
	return false
}
