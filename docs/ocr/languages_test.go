package ocr

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"vademecum/docs/ocr/ocrtest"
	"vademecum/internal/script"
)

// TestKnownLanguages: data are of languages that texts are told to be in.
func TestKnownLanguages(t *testing.T) {
	for _, k := range known {
		if script.LanguageNamed(k.code) == script.Unknown {
			t.Errorf("%s is of a language %s that no text is told to be in", k.data, k.code)
		}
	}
}

// TestNext: a page is read in the language of its text or of its script, where that is installed
// and was not tried.
func TestNext(t *testing.T) {
	const (
		english = "The patient is to take this in the evening"
		german  = "Die Ubung ist nicht fur das Gehor und mit der Hohe"
		polish  = "nie jest to dla nas przez lub oraz"
		chinese = "患者每日一次服用此药"
		garbage = "Sto He OTHOCHTC"
		first   = "eng+chi_sim"
	)
	for name, test := range map[string]struct {
		text       string
		confidence int
		in         string // it was read in this
		likely     string
		tried      string // also
		script     string // "-": it must not be looked at
		want       string
	}{
		"English":                                   {english, 95, first, "", "", "-", ""},
		"English, unsure":                           {english, 70, first, "", "", "Latin", ""},
		"English after English, unsure":             {english, 70, first, first, "", "-", ""},
		"Chinese":                                   {chinese, 93, first, "", "", "-", ""},
		"Chinese, unsure":                           {chinese, 78, first, "", "", "Han", "chi_tra+eng"},
		"Chinese after Chinese, unsure":             {chinese, 78, first, first, "", "-", ""},
		"Chinese, unsure, tried":                    {chinese, 78, first, "", "chi_tra+eng", "Han", ""},
		"traditional Chinese":                       {chinese, 88, "chi_tra+eng", "", first, "Han", ""},
		"traditional Chinese after such":            {chinese, 88, "chi_tra+eng", "chi_tra+eng", "", "-", ""},
		"German, sure":                              {german, 92, first, "", "", "-", "deu"},
		"German after English":                      {german, 88, first, first, "", "-", "deu"},
		"German in German":                          {german, 93, "deu", "", first, "-", ""},
		"English after German":                      {english, 93, "deu", "deu", "", "-", first},
		"Chinese after German":                      {garbage, 30, "deu", "deu", "", "-", first},
		"Russian after German":                      {garbage, 30, "deu", "deu", first, "Cyrillic", "rus+eng"},
		"Polish, which is not installed":            {polish, 85, first, "", "", "Latin", ""},
		"Polish, which is not installed, and sure":  {polish, 91, first, "", "", "-", ""},
		"Japanese, as Chinese":                      {chinese, 34, first, "", "", "Japanese", "jpn+eng"},
		"Korean, which is not installed":            {garbage, 34, first, "", "", "Korean", ""},
		"a script that cannot be told":              {garbage, 34, first, "", "", "", ""},
		"numbers after German, of which it is sure": {"12 34 56", 95, "deu", "deu", "", "-", ""},
		"numbers after German, of which it is not":  {"12 34 56", 70, "deu", "deu", "", "-", ""},
		"numbers after German, which make no sense": {"12 34 56", 50, "deu", "deu", "", "-", first},
		"German in other data, which was less sure": {german, 88, first, "", "deu", "Latin", ""},
		"English, read in French that was likely":   {english, 94, "fra", "fra", "", "-", first},
	} {
		l, err := choose("", strings.Fields("chi_sim chi_tra deu eng fra jpn osd rus"))
		if err != nil {
			t.Fatal(err)
		}
		var read reading
		for w := range strings.FieldsSeq(test.text) {
			read.words = append(read.words, word{text: w})
		}
		read.Confidence, read.Languages = test.confidence, test.in
		got, err := l.next(read, test.likely, append(strings.Fields(test.tried), test.in), func() (string, error) {
			if test.script == "-" {
				t.Errorf("%s: it looks at the script", name)
			}
			return test.script, nil
		})
		if got != test.want || err != nil {
			t.Errorf("%s: it goes on with %q, %v, want %q", name, got, err, test.want)
		}
	}
}

// TestNextOfFew: of languages that are few, or that somebody named, no page is read in others.
func TestNextOfFew(t *testing.T) {
	for wanted, installed := range map[string]string{"": "eng chi_sim rus osd", "eng": "eng chi_sim deu rus osd"} {
		l, err := choose(wanted, strings.Fields(installed))
		if err != nil {
			t.Fatal(err)
		}
		got, err := l.next(reading{Page: Page{Confidence: 30}}, "", nil, func() (string, error) { return "Cyrillic", errors.New("it looks at the script") })
		if got != "" || err != nil {
			t.Errorf("of %s it goes on with %q, %v", installed, got, err)
		}
	}
}

// TestPagesInTheirLanguage: the first page of a document shows what it is in, and the next one
// is read in that alone.
func TestPagesInTheirLanguage(t *testing.T) {
	for name, test := range map[string]struct {
		text        string
		first, then []string
	}{
		ocrtest.Germans:  {"Die Übung für", []string{"eng+chi_sim", "deu"}, []string{"deu"}},
		ocrtest.Russians: {"Это не относится", []string{"eng+chi_sim", "osd", "rus+eng"}, []string{"rus+eng"}},
	} {
		program := ocrtest.Program(t, name)
		r, pages := New(Options{Program: program, Dir: t.TempDir()}), make(Pages)
		for number := 1; number <= 2; number++ {
			page, err := r.Recognise(t.Context(), picture(t), pages.Likely(number))
			if err != nil || !strings.HasPrefix(page.Text, test.text) {
				t.Errorf("%s reads %+v, %v", name, page, err)
			}
			pages[number] = page
		}
		if got, want := ocrtest.Languages(t, program), append(test.first, test.then...); !slices.Equal(got, want) {
			t.Errorf("%s was asked to read in %v, want %v", name, got, want)
		}
	}
}

// TestLikely: pages are likely to be in what the last one before them with text is in.
func TestLikely(t *testing.T) {
	pages := Pages{1: {Text: "a", Languages: "deu"}, 2: {Why: "unsure", Languages: "eng"}, 3: {Text: "b", Languages: "fra"}}
	for number, want := range map[int]string{1: "", 2: "deu", 3: "deu", 4: "fra", 9: "fra"} {
		if got := pages.Likely(number); got != want {
			t.Errorf("page %d is likely to be in %q, want %q", number, got, want)
		}
	}
	if got := Pages(nil).Likely(1); got != "" {
		t.Errorf("of no pages, it is likely to be in %q", got)
	}
}

// TestKeyOfLanguages: with other languages beside them, pages may have another text.
func TestKeyOfLanguages(t *testing.T) {
	keys := make(map[string]bool)
	for _, l := range []languages{{first: "eng+chi_sim"}, {"eng+chi_sim", []string{"deu"}}, {"eng+chi_sim", []string{"deu", "fra"}}, {first: "deu"}, {first: "script/Latin"}} {
		if key := l.key(); keys[key] || strings.Contains(key, "/") {
			t.Errorf("of %+v the key is %s", l, key)
		} else {
			keys[key] = true
		}
	}
	if got := (languages{first: "eng+chi_sim"}).key(); got != "eng+chi_sim" { // as before there were others
		t.Errorf("of two languages alone it is %s", got)
	}
}
