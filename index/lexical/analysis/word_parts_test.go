package analysis

import (
	"slices"
	"strings"
	"testing"
)

func TestCompoundsWith(t *testing.T) {
	for _, c := range []struct{ asked, word, form, rest string }{
		{"Rechnung", "Stromrechnung", "de:stromrechn", "de:strom"},
		{"Rechnungen", "Stromrechnungen", "de:stromrechn", "de:strom"},
		{"Schmerzen", "Schmerztabletten", "de:schmerztablett", "de:tablett"},
		{"Tabletten", "Schmerztabletten", "de:schmerztablett", "de:schmerz"},
		{"Vertrag", "Arbeitsvertrag", "de:arbeitsvertrag", "de:arbeit"},
		{"Arbeit", "Arbeitsvertrag", "de:arbeitsvertrag", "de:vertrag"},
		{"Bäume", "Apfelbäume", "de:apfelbaum", "de:apfel"},
		{"Rekening", "Stroomrekening", "nl:stroomrek", "nl:strom"},
		{"räkning", "elräkning", "", ""}, // a part of two letters
		{"kontrakt", "hyreskontrakt", "sv:hyreskontrak", "sv:hyr"},
		{"Fahrer", "Lastwagenfahrer", "de:lastwagenfahr", "de:lastwag"},
		{"Zähler", "Stromzähler", "de:stromzahl", "de:strom"},
		{"Kapital", "Grundkapital", "de:grundkapit", "de:grund"},
		{"Ente", "Rente", "", ""},
		{"Rechnung", "Berechnung", "", ""},
		{"Rechnung", "Rechnungen", "", ""},
		{"高血压", "高血压患者", "", ""},
		{"счёт", "счётчик", "", ""},
		{"E11", "E1165", "", ""},
	} {
		asked, word := termOfWord(c.asked), termOfWord(c.word)
		part := CompoundPartOf(asked, formsOf(c.asked))
		var found []string
		if part.CommonPrefix != "" {
			for _, compound := range part.CompoundsWith(word, AllCompoundLanguages) {
				for _, rest := range compound.RemainderTerms {
					found = append(found, strings.TrimPrefix(compound.StemTerm, string(stemField))+" "+strings.TrimPrefix(rest, string(stemField)))
				}
			}
		}
		if c.form == "" && len(found) > 0 || c.form != "" && !slices.Contains(found, c.form+" "+c.rest) {
			t.Errorf("%s in %s: %q, want %q", c.asked, c.word, found, c.form+" "+c.rest)
		}
	}
}

func TestLongFunctionWordTellsTheLanguage(t *testing.T) {
	if q := NewQuestion("Tabletten gegen Schmerzen"); q.ContentTerms["gegen"] != 0 || q.SupportingTerms["gegen"] == 0 {
		t.Errorf("gegen is content: %v", q.ContentTerms)
	}
	if q := NewQuestion("git comment under review"); q.ContentTerms["comment"] == 0 {
		t.Errorf("comment is none: %v", q.ContentTerms)
	}
}
