package analysis

import (
	"fmt"
	"testing"
)

// TestUnknownNumbers: a number, an article, a code, an amount or a date that is nowhere is named as a
// whole, even if its parts are somewhere.
func TestUnknownNumbers(t *testing.T) {
	has := make(map[string]bool)
	text := `§ 288 BGB, Article 33 GDPR and its clause. 3.1 The rent is GBP 4,850 since 31 March 2024, due 05/04/2026.
		Parts 9120-0004, 7734-0021-B, PO-2024-118, TC-K-12 and TC-B-99; an order of a heater of 250 W, 433 pieces, 99 C, 31.90. 第三十五条`
	if err := CountTerms(ChunkNames{FileName: "order 7700"}, text).Each(func(term []byte, _ int) { has[string(term)] = true }); err != nil {
		t.Fatal(err)
	}
	for question, want := range map[string]string{
		"Article 99 GDPR": "[Article 99]", "Article 33(2) GDPR": "[]", "§ 433 BGB": "[§ 433]", "§ 288 Abs. 5 BGB": "[]", "第九十九条": "[第九十九条]", "第35条": "[]",
		"clause 12.7": "[clause 12.7]", "clause 3.1": "[]", "clause 33": "[]", "page 800": "[]",
		"9120-0999": "[9120-0999]", "9120-0004": "[]", "what does 9120-0004 cost": "[]", "7734-0021-C": "[7734-0021-C]", "7734-0021-B": "[]", "7734-0021": "[]",
		"PO-2024-999": "[PO-2024-999]", "PO-2024-118": "[]", "TC-K-99": "[TC-K-99]", "TC-K-12": "[]",
		"rent of GBP 6,200": "[GBP 6,200]", "rent of 4850 pounds": "[]", "heater 700 W": "[700]", "heater 250 W": "[]", "heater 70 W": "[]",
		"31 March 2025": "[31 March 2025]", "31. März 2024": "[]", "6 May 2026": "[6 May 2026]", "5 April 2026": "[]", "4 May 2026": "[]", "5 May 2026": "[5 May 2026]", "31.9 pieces": "[]", "31.8 pieces": "[31.8]",
		"order 7700": "[]",
	} {
		lookups := make(map[string]bool)
		for _, term := range UnknownWordLookupTerms(question) {
			lookups[term] = true
		}
		got := fmt.Sprint(UnknownWords(question, func(term string) bool {
			if !lookups[term] && has[term] {
				t.Errorf("of %q %q is looked up", question, term)
			}
			return has[term]
		}))
		if got != want {
			t.Errorf("of %q nowhere is %s, want %s", question, got, want)
		}
	}
}

// TestNumberIsSubject: a code, a section or an amount is what a question is about, unless another is
// known; a plain number is not.
func TestNumberIsSubject(t *testing.T) {
	for _, c := range []struct {
		question, unknown string
		want              bool
	}{
		{"§ 433 BGB", "§ 433", true}, {"price of 9120-0999", "9120-0999", true}, {"rent of GBP 6,200", "GBP 6,200", true},
		{"price of 9120-0999 and 9120-0004", "9120-0999", false}, {"heater 700 W", "700", false},
	} {
		if got := HasUnknownSubject(c.question, []string{c.unknown}); got != c.want {
			t.Errorf("subject of %q unknown: %v", c.question, got)
		}
	}
}
