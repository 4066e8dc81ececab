package analysis

import (
	"strings"
	"testing"
)

// found lists the wholes of a text, those that begin a line with ^.
func foundWholes(text string) string {
	var all []string
	for _, w := range specialTokens(normalize(text)) {
		term := WithoutField(w.term)
		if w.begins {
			term = "^" + term
		}
		all = append(all, term)
	}
	return strings.Join(all, " | ")
}

func TestWholes(t *testing.T) {
	day := "2024-11-05 | 2024-11"
	for text, want := range map[string]string{
		"met on 2024-11-05.":              day,
		"2024/11/5":                       day,
		"2024.11.05":                      day,
		"20241105-notes":                  day,
		"2024年11月5日，":                     day,
		"2024 年 11 月 5 号":                 day,
		"２０２４年１１月５日":                      day,
		"5 Nov 2024":                      day,
		"on the 5th of November 2024":     day,
		"Nov. 5, 2024":                    day,
		"November 5th, 2024":              day,
		"5.11.2024":                       day,
		"2024_11_05.log":                  day,
		"backup_20241105.tar":             day,
		"daily_2024_11_05":                day,
		"2024 Nov 5":                      day,
		"2024-Nov-05":                     day,
		"5-Nov-2024":                      day,
		"Nov-05-2024":                     day,
		"5. November 2024":                day,
		"05.11.2024":                      day,
		"11/11/2024":                      "2024-11-11 | 2024-11",
		"25/11/2024":                      "2024-11-25 | 2024-11",
		"11/25/2024":                      "2024-11-25 | 2024-11",
		"25-11-2024":                      "2024-11-25 | 2024-11",
		"二〇二四年十一月五日":                      day,
		"二○二四年十一月五日施行":                    day,
		"二零二四年十一月":                        "2024-11",
		"[05.11.24, 18:30] Ann: hi":       day + " | 05.11.24",
		"05.11.24":                        day + " | 05.11.24",
		"11/25/24":                        "2024-11-25 | 2024-11",
		"[25/11/24, 18:30:12] Ann":        "2024-11-25 | 2024-11",
		"25.11.98":                        "1998-11-25 | 1998-11 | 25.11.98",
		"5/11/24":                         "",
		"25-11-24":                        "", // the year may be the first
		"3.12.10":                         "3.12.10",
		"10.12.24.36":                     "10.12.24.36",
		"13/11/245":                       "",
		"5/11/2024":                       "2024-11-05 | 2024-05-11", // in a text, not in a question
		"25/13/2024":                      "",
		"in 2024 may people":              "",
		"十一月五日 一二三四":                      "",
		"1980年三大电视网":                      "",
		"31. März 2026":                   "2026-03-31 | 2026-03",
		"1er février 2026":                "2026-02-01 | 2026-02",
		"Dez. 2026":                       "2026-12",
		"2024_1_5_x1":                     "2024-01-05 | 2024-01",
		"a_1_2":                           "",
		"November 2024":                   "2024-11",
		"2024年11月":                        "2024-11",
		"2024-11":                         "2024-11",
		"2024-13-05":                      "",
		"12345678 pieces":                 "",
		"may 5 people come":               "",
		"version 3.12.1 is out":           "3.12.1",
		"v1.24":                           "1.24",
		"2024.1":                          "2024.1",
		"1.":                              "",
		"依照第三十五条的规定":                      "article 35",
		"**第三十五条** 公民有":                   "^article 35",
		"第35条":                            "^article 35",
		"第 二百三十二 條":                       "^article 232",
		"见第十二条之一":                         "article 12.1",
		"see Article 35":                  "article 35",
		"Section 4.2 says":                "4.2 | ^section 4.2",
		"第一名":                             "",
		"C++ and C# and c+":               "c++ | c#",
		"a ||= b":                         "||=",
		"x := f(y) != z":                  ":= | !=",
		"难度：★★★★★":                        "★★★★★",
		"★★★☆☆":                           "★★★☆☆",
		"a **bold** word\n---\n|---|:--|": "",
		"====":                            "",
		"<!-- no -->":                     "",
		"https://example.org/a":           "",
		strings.Repeat("★", 11):           "",
		"第九九九九九九九九九九九九九九九九九九条": "",
		strings.Repeat("9", 300): "",
	} {
		if got := foundWholes(text); got != want {
			t.Errorf("%q has %q, want %q", text, got, want)
		}
	}
}

// FuzzWholes: whatever a text is, wholes lie in it, in their order, and are no longer
// than a term may be.
func FuzzWholes(f *testing.F) {
	for _, seed := range []string{"DE89 3704 0044 0532 0130 00", "+49 (0)30 123-456", "1,250,000 E11.65 978-3-16-148410-0", "2024年11月5日", "第三十五条之二", "Nov 5, 2024", "v3.12.1 C++ ||= ★★★", "第零条 5.11.", "\xff第\xff条"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		text = normalize(text)
		last := 0
		for _, w := range specialTokens(text) {
			if w.start < last || w.end <= w.start || w.end > len(text) || len(w.term) < 2 || len(w.term) > 2*maxTermBytes {
				t.Fatalf("%q has %+v after %d", text, w, last)
			}
			last = w.start
		}
		NewQuestion(text)
	})
}

func TestEveryNameMayBeOne(t *testing.T) {
	for name := range months {
		if !mayBeNamed(name) || !mayBeNamed(strings.ToUpper(name)) {
			t.Errorf("%q is passed over", name)
		}
	}
	for name := range articleUnits {
		if !mayBeNamed(name) || !mayBeNamed(strings.ToUpper(name)) {
			t.Errorf("%q is passed over", name)
		}
	}
}
