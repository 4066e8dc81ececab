package analysis

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// unknownIn returns the words of a question that are nowhere in a text.
func unknownIn(t *testing.T, question, text string) string {
	t.Helper()
	has := make(map[string]bool)
	if err := CountTerms(ChunkNames{}, text).Each(func(term []byte, _ int) { has[string(term)] = true }); err != nil {
		t.Fatal(err)
	}
	lookups := UnknownWordLookupTerms(question)
	return fmt.Sprint(UnknownWords(question, func(term string) bool {
		if has[term] && !slices.Contains(lookups, term) {
			t.Errorf("of %q %q is looked up", question, term)
		}
		return has[term]
	}))
}

// TestNumbersThatAreThere: a range that a text writes with a dash, a year after an article and a year of art are
// not nowhere.
func TestNumbersThatAreThere(t *testing.T) {
	for _, c := range [][2]string{
		{"is 1500-3000 mg safe", "1500–3000 mg is safe"},
		{"is 4000-11000 cells normal", "is normal: 4,000 to 11,000 cells"},
		{"GDPR Article 5, 2018 guidance", "guidance of 2018 on Article 5 GDPR"},
		{"GDPR Article 5 and 2023 guidance", "guidance of 2023 on Article 5 GDPR"},
		{"modern art 1920 Berlin", "Modern art in Berlin, 1920"},
		{"what does 4.2.1 say", "Section 4.2.1 says what holds"},
		{"6.1", "See chapter 6.1."},
		{"Article 2019 on CRISPR", "An article on CRISPR of 2019"},
	} {
		if got := unknownIn(t, c[0], c[1]); got != "[]" {
			t.Errorf("of %q, nowhere in %q: %s", c[0], c[1], got)
		}
	}
	for _, c := range [][3]string{
		{"is 1500-3000 mg safe", "2000–2500 mg is safe", "[1500-3000]"},
		{"Mars 2020 rover", "the rover of March 2020", "[Mars]"},
	} {
		if got := unknownIn(t, c[0], c[1]); !strings.Contains(c[2], strings.Trim(got, "[]")) || got == "[]" {
			t.Errorf("of %q, nowhere in %q: %s, want %s", c[0], c[1], got, c[2])
		}
	}
}

// TestDateAfterComma: a date in a row with commas is one, whatever number is before it.
func TestDateAfterComma(t *testing.T) {
	for _, text := range []string{"12,2024-11-05,ok", "7,05.11.2024", "3,2024年11月5日"} {
		if !slices.ContainsFunc(specialTokens(text), func(w specialToken) bool { return WithoutField(w.term) == "2024-11-05" }) {
			t.Errorf("%q has no date: %+v", text, specialTokens(text))
		}
	}
}

// TestCapitalsAskNothing: WER, an error rate, is not the German word for who, nor Wen another.
func TestCapitalsAskNothing(t *testing.T) {
	for question, term := range map[string]string{"WER of Whisper large": "wer", "budget memo by Wen": "wen", "Mars 2020 rover": "mar"} {
		if q := NewQuestion(question); q.ContentTerms[term] < 1 {
			t.Errorf("%q has %v", question, q.ContentTerms)
		}
	}
}

// TestAskingWordsAreMarked: whole words are marked that only ask.
func TestAskingWordsAreMarked(t *testing.T) {
	for question, want := range map[string]string{
		"Wie groß ist der Schrank": "groß", "Wie großartig": "", "What does HRV mean ?": "mean", "What does HRV stand for?": "stand for",
		"how long is it": "long",
	} {
		got := ""
		for _, s := range askingSpans(question) {
			got += question[s.start:s.end]
		}
		if got != want {
			t.Errorf("%q asks by %q, want %q", question, got, want)
		}
	}
}

// TestSignBelongsToNextNumber: a sign directly before a number is that of it.
func TestSignBelongsToNextNumber(t *testing.T) {
	for text, want := range map[string]string{"qty 2 $500 each": "usd 500", "5 £20": "gbp 20", "500 $": "usd 500", "500$ 3": "usd 500"} {
		var got []string
		for _, w := range specialTokens(text) {
			if term := WithoutField(w.term); !w.isGeneral && term != "" && isASCIILetter(term[0]) {
				got = append(got, term)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q has %q", text, got)
		}
	}
}

// TestNumbersOfNames: a number with its unit and one within a range stand in a text, and a sentence that begins
// with a number has no name.
func TestNumbersOfNames(t *testing.T) {
	for _, c := range [][2]string{
		{"is Amlodipine 5 mg enough", "Amlodipine 5mg tablets"}, {"is Amlodipine 5 mg enough", "Amlodipine 10mg, later 5mg"},
		{"dose in stage 4 disease", "Stage 3-5: half the dose"}, {"dose in stage 4 disease", "stages 3 to 5: half"}, {"Grade 2 toxicity", "Grade 1–3: go on"},
	} {
		for _, name := range AskedNames(c[0]) {
			if got := name.PresenceIn(c[1]); got != NamePresent {
				t.Errorf("%q in %q: %v", name.Text, c[1], got)
			}
		}
	}
	if names := AskedNames("After 30 days what happens"); len(names) > 0 {
		t.Errorf("names are %+v", names)
	}
	for _, name := range AskedNames("stage 6 disease") {
		if got := name.PresenceIn("Stage 3-5: half"); got != OnlySimilarName {
			t.Errorf("stage 6 is %v", got)
		}
	}
}
