package analysis

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

func TestGroupedNumbers(t *testing.T) {
	for text, want := range map[string]string{
		"IBAN DE89 3704 0044 0532 0130 00 bei der":      "de89370400440532013000",
		"NL91 ABNA 0417 1643 00":                        "nl91abna0417164300",
		"AT61 1904 3002 3457 3201 2024-11-05":           "at611904300234573201 2024-11-05 2024-11",
		"de12 1234 5678 9012 3456 78.":                  "de12123456789012345678", // made up: its check digits are wrong
		"AB12 3456 7890":                                "",
		"1,250,000 people":                              "1250000",
		"1,250":                                         "1250",
		"12,50,000 rupees":                              "1250000",
		"1.250.000,50 €":                                "eur 1250000.5 eur 1.250.000 1250000",
		"1'250'000 and 1’250’000":                       "1250000 1250000",
		"1 250 000 kr":                                  "1250000",
		"1\u00a0250\u202f000":                           "1250000",
		"1,250,000元":                                    "cny 1250000 cny 1250000",
		"$1,250,000.00":                                 "usd 1250000 usd 1250000",
		"1.250 and 0,123 and 3,14":                      "1.250 1250 0.123 3.14",
		"100,200,3000 and 1,250,5 and 1234,567":         "",
		"4111 1111 1111 1111":                           "4111111111111111",
		"4111-1111-1111-1111":                           "4111111111111111",
		"3782 822463 10005":                             "378282246310005",
		"+49 30 1234567":                                "49301234567",
		"+49 171 555 0134":                              "491715550134",
		"+1 212 555 0187 ext. 3":                        "12125550187",
		"+1,250,000":                                    "1250000",
		"+49 (0)30 / 123 45 67":                         "49301234567",
		"(030) 1234-567":                                "0301234567",
		"030/1234567":                                   "0301234567",
		"06 12 34 56 78":                                "0612345678",
		"+1 (555) 123-4567":                             "15551234567",
		"(555) 123-4567":                                "5551234567",
		"555-123-4567":                                  "5551234567",
		"138 0013 8000，":                                "13800138000",
		"电话010-12345678":                                "01012345678",
		"978-3-16-148410-0":                             "9783161484100",
		"ISBN 978 3 16 148410 0":                        "9783161484100",
		"ISBN 0-8044-2957-X.":                           "080442957x",
		"1-2-3-4-5-6-7-8-9-0":                           "", // no ISBN
		"2019-2020, pp. 1023-1045":                      "",
		"192.168.0.1":                                   "192.168.0.1",
		"version 3.12.1":                                "3.12.1",
		"arXiv 2101.12345":                              "2101.12345",
		"5 mg, 10 mg":                                   "",
		"E11.65 and K21.0, m54.5;":                      "e1165 k210 m545",
		"C50.911 S72.001A T36.0X5A":                     "c50911 s72001a t360x5a",
		"A.5, E11. E11.x, E11.65.2, file2.txt, Abc.123": "65.2",
	} {
		var all []string
		for _, w := range specialTokens(normalize(text)) {
			all = append(all, strings.TrimPrefix(strings.TrimPrefix(w.term, closedForm("")), string(specialField)))
		}
		if got := strings.Join(all, " "); got != want {
			t.Errorf("%q has %q, want %q", text, got, want)
		}
	}
}

// TestTwoGroupsInQuestion: two groups may be one number or two.
func TestTwoGroupsInQuestion(t *testing.T) {
	q := NewQuestion("90 000 turns")
	if q.OtherSpellings["90000"] == 0 || q.ContentTerms["90"] != 1 || q.ContentTerms["000"] != 1 {
		t.Errorf("two groups are %v, with variants %v", q.ContentTerms, q.OtherSpellings)
	}
	if !isFound(t, "90000", "90 000 turns") {
		t.Error("a number is not found in two groups")
	}
}

// TestEitherWriting: a question finds what is written in groups by a text that has none, and the
// other way round.
func TestEitherWriting(t *testing.T) {
	for _, c := range [][2]string{
		{"DE89370400440532013000", "DE89 3704 0044 0532 0130 00"},
		{"1250000", "1,250,000"},
		{"18450", "18.450,00"},
		{"50000", "50'000"},
		{"1.5", "1,5"},
		{"4111111111111111", "4111 1111 1111 1111"},
		{"0301234567", "(030) 1234-567"},
		{"9783161484100", "978-3-16-148410-0"},
		{"E1165", "E11.65"},
		{"e1165", "E11.65"},
	} {
		for _, pair := range [][2]string{c, {c[1], c[0]}, {c[1], c[1]}} {
			counts := make(map[string]int)
			if err := CountTerms(ChunkNames{}, "x "+pair[1]+" y").Each(func(term []byte, n int) { counts[string(term)] += n }); err != nil {
				t.Fatal(err)
			}
			has := func(term string) bool { return counts[term] > 0 }
			q := NewQuestion(pair[0])
			isFound := slices.ContainsFunc(slices.Collect(maps.Keys(q.ContentTerms)), func(term string) bool {
				return q.ContentTerms[term] >= 1 && (has(term) || slices.ContainsFunc(q.EquivalentTerms[term], has))
			})
			if !isFound {
				t.Errorf("%q does not find %q", pair[0], pair[1])
			}
			if unknown := UnknownWords(pair[0], has); len(unknown) > 0 {
				t.Errorf("%q: %q are unknown to %q", pair[0], unknown, pair[1])
			}
		}
	}
}
