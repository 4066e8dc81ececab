package analysis

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"vademecum/internal/base/script"
)

// meet reports whether a question finds a text in a language by a word of it.
func meet(t *testing.T, code, text, question string) bool {
	t.Helper()
	has := make(map[string]bool)
	if err := CountTermsInLanguage(script.LanguageByCode(code), ChunkNames{}, text).Each(func(term []byte, _ int) { has[string(term)] = true }); err != nil {
		t.Fatal(err)
	}
	q := NewQuestion(question)
	for term := range q.ContentTerms {
		if has[term] || slices.ContainsFunc(q.EquivalentTerms[term], func(form string) bool { return has[form] }) {
			return true
		}
	}
	for term := range q.OtherSpellings {
		if has[term] {
			return true
		}
	}
	return false
}

// TestInflections: the forms of a word meet in each language of the table, whichever of
// them is asked for, and a word of another language with an ending of this one does not.
func TestInflections(t *testing.T) {
	for code, forms := range map[string][]string{
		"en": {"pressures pressure", "therapies therapy"},
		"de": {"Pflanzenzellen Pflanzenzelle", "Säuren Säure", "Zähne Zahn"},
		"fr": {"nationaux national", "maladies maladie", "hôpitaux hôpital"},
		"es": {"canciones canción", "enfermedades enfermedad"},
		"it": {"ragazze ragazza", "malattie malattia"},
		"pt": {"doenças doença", "vacinas vacina"},
		"nl": {"ziekten ziekte", "honden hond"},
		"ru": {"болезни болезнь", "больницами больница"},
		"sv": {"sjukdomar sjukdom", "flickorna flicka"},
		"da": {"sygdomme sygdommen", "husene huset"},
		"no": {"hestene hest", "husene huset"},
		"fi": {"taloissa talo"},
		"ro": {"bolile bolii"},
	} {
		if languageOf[code] == nil {
			t.Errorf("no row for %s", code)
		}
		for _, pair := range forms {
			a, b, _ := strings.Cut(pair, " ")
			if !meet(t, code, a, b) || !meet(t, code, b, a) {
				t.Errorf("%s: %s and %s do not meet", code, a, b)
			}
		}
	}
	if meet(t, "en", "in the past", "pasta") || meet(t, "it", "il passato", "past") {
		t.Error("an Italian ending counts in English")
	}
	for i := range languages {
		if script.LanguageByCode(languages[i].code) == script.UnknownLanguage {
			t.Errorf("nobody can tell that a text is in %s", languages[i].code)
		}
	}
}

// TestFunctionWordsOfLanguages: what only joins words is no reason to answer in any
// language, and what is spelt like it in another one is.
func TestFunctionWordsOfLanguages(t *testing.T) {
	for question, want := range map[string]string{
		"Welche Farbe ist für Pflanzen mit Säuren wichtig":  "farb pflanzen sauren wichtig",
		"quels sont les effets des vaccins sur les enfants": "effet enfant vaccin",
		"¿cuáles son las causas de la fiebre?":              "causa fiebr",
		"quali sono le cause della febbre":                  "caus febbr",
		"quais são as causas da febre":                      "causa febr",
		"wat zijn de oorzaken van koorts":                   "koort oorzaken",
		"какие лекарства можно принимать при температуре":   "лекарства принимать температуре",
		"vilka är de vanligaste symtomen vid feber":         "feber symtomen vanligast",
		"MIT license":          "licens mit",
		"how do batteries die": "batteri die",
		"Was für ein Kind der Mit-Autor ist und wie es im Heim lebt": "autor heim kind lebt mitautor",
	} {
		q := NewQuestion(question)
		if got := strings.Join(slices.Sorted(func(yield func(string) bool) {
			for term := range q.ContentTerms {
				if !yield(term) {
					return
				}
			}
			for term := range q.OtherSpellings {
				if strings.HasPrefix(term, "mitautor") && !yield(term) {
					return
				}
			}
		}), " "); got != want {
			t.Errorf("%q is about %q, want %q", question, got, want)
		}
	}
}

// TestJapanesePairs: pairs with a particle in them, or of the hiragana between words, are
// no words.
func TestJapanesePairs(t *testing.T) {
	q := NewQuestion("契約書を判断するかを調べる")
	for _, pair := range []string{"書を", "を判", "かを", "する", "を调"} {
		if q.ContentTerms[pair] > 0 {
			t.Errorf("%s counts as a word", pair)
		}
	}
	for _, pair := range []string{"契约", "约书", "判断"} {
		if q.ContentTerms[pair] != 1 {
			t.Errorf("%s counts %.1f", pair, q.ContentTerms[pair])
		}
	}
	if q := NewQuestion("りんご"); q.ContentTerms["りん"] != 1 {
		t.Errorf("a word in hiragana is %v", q.ContentTerms)
	}
}

// TestFunctionWordsAreLetters: a row has the letters that its words are in.
func TestFunctionWordsAreLetters(t *testing.T) {
	for i := range languages {
		l := &languages[i]
		for word := range strings.FieldsSeq(l.functions) {
			for _, r := range word {
				if !unicode.Is(l.letters, r) {
					t.Errorf("%s: %q", l.code, word)
				}
			}
		}
	}
}

func FuzzStems(f *testing.F) {
	f.Add("Pflanzenzellen")
	f.Add("\u0301é")
	f.Fuzz(func(t *testing.T, word string) {
		for _, form := range stemForms(normalize(word)) {
			if !IsFieldTerm(form) {
				t.Errorf("%q has the form %q", word, form)
			}
		}
	})
}
