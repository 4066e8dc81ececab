package ocr

import (
	"slices"
	"strings"
	"testing"

	"vademecum/docs/ocr/ocrtest"
	"vademecum/internal/base/script"
)

// TestKnownLanguages: data are of languages that texts are told to be in.
func TestKnownLanguages(t *testing.T) {
	for _, k := range known {
		if script.LanguageByCode(k.code) == script.UnknownLanguage {
			t.Errorf("%s is of a language %s that no text is told to be in", k.data, k.code)
		}
	}
}

func installed(t *testing.T, wanted, installed string) languages {
	t.Helper()
	l, err := choose(wanted, strings.Fields(installed))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// TestForScript: a page in a script of its own is read in a language of that, with English
// where its data have no Latin letters.
func TestForScript(t *testing.T) {
	l := installed(t, "", "ara chi_sim chi_tra deu eng jpn osd rus ukr")
	for seen, want := range map[string]string{
		"Latin": "eng+chi_sim", "Han": "chi_sim", "Japanese": "jpn", "Cyrillic": "rus+eng", "Arabic": "ara+eng", "Korean": "eng+chi_sim", "Fraktur": "eng+chi_sim", "": "eng+chi_sim",
	} {
		if got := l.forScript(seen); got != want {
			t.Errorf("a page in %s is read in %s, want %s", seen, got, want)
		}
	}
	for installedThere, want := range map[string]bool{"eng osd": false, "deu eng osd": false, "chi_sim osd": false, "chi_sim eng osd": true, "deu eng fra rus spa osd": true} {
		if got := installed(t, "", installedThere).haveScripts(); got != want {
			t.Errorf("of %s the script tells something: %t", installedThere, got)
		}
	}
}

// TestNext: a page is read in the language of its text, where that is installed and was not
// tried, and in the first where it makes no sense.
func TestNext(t *testing.T) {
	const (
		english = "The patient is to take this in the evening"
		german  = "Die Ubung ist nicht fur das Gehor und mit der Hohe"
		polish  = "nie jest to dla nas przez lub oraz"
		chinese = "患者每日一次服用此药"
		mixed   = "The patient is to take this in the evening 患者每日一次服用"
		garbage = "Sto He OTHOCHTC"
		first   = "eng+chi_sim"
	)
	l := installed(t, "", "chi_sim chi_tra deu eng fra jpn osd rus")
	for name, test := range map[string]struct {
		text       string
		confidence int
		in         string // it was read in this
		likely     string
		tried      string // also
		want       string
	}{
		"English":                                   {english, 95, first, "", "", ""},
		"English, unsure":                           {english, 70, first, "", "", ""},
		"English, taken for Chinese":                {english, 81, "chi_sim", "", "", first},
		"English after Chinese":                     {english, 81, "chi_sim", "chi_sim", "", first},
		"Chinese, taken for Latin":                  {chinese, 93, first, "", "", "chi_sim"},
		"Chinese":                                   {chinese, 92, "chi_sim", "", "", ""},
		"Chinese, unsure":                           {chinese, 86, "chi_sim", "", "", "chi_tra"},
		"Chinese, unsure, tried":                    {chinese, 86, "chi_sim", "", "chi_tra", ""},
		"Chinese after Chinese, unsure":             {chinese, 86, "chi_sim", "chi_sim", "", ""},
		"traditional Chinese, unsure":               {chinese, 88, "chi_tra", "", "chi_sim", ""},
		"English with Chinese":                      {mixed, 91, first, "", "", ""},
		"English with Chinese, taken for Chinese":   {mixed, 79, "chi_sim", "", "", first},
		"Chinese, taken for Japanese":               {chinese, 66, "jpn", "", "", "chi_sim"},
		"Japanese, taken for Chinese":               {chinese, 34, "chi_sim", "", "", first},
		"Japanese, unsure":                          {"錠剤をのむ", 88, "jpn", "", "", "chi_sim"},
		"German, sure":                              {german, 92, first, "", "", "deu"},
		"German after English":                      {german, 88, first, first, "", "deu"},
		"German in German":                          {german, 85, "deu", "", first, ""},
		"German, of which that was less sure":       {german, 88, first, "", "deu", ""},
		"English after German":                      {english, 93, "deu", "deu", "", first},
		"Chinese after German":                      {garbage, 30, "deu", "deu", "", first},
		"what makes no sense":                       {garbage, 30, first, "", "", ""},
		"Polish, which is not installed":            {polish, 85, first, "", "", ""},
		"numbers after German":                      {"12 34 56", 70, "deu", "deu", "", ""},
		"numbers after German, which make no sense": {"12 34 56", 50, "deu", "deu", "", first},
	} {
		got := l.next(readingOf(test.text, test.confidence, test.in), test.likely, append(strings.Fields(test.tried), test.in))
		if got != test.want {
			t.Errorf("%s: it goes on with %q, want %q", name, got, test.want)
		}
	}
	for name, l := range map[string]languages{"named": installed(t, "eng+chi_sim", "eng chi_sim deu osd"), "one": installed(t, "", "deu osd")} {
		if got := l.next(readingOf(chinese, 30, l.first), "", nil); got != "" {
			t.Errorf("%s, it goes on with %q", name, got)
		}
	}
}

func readingOf(text string, confidence int, in string) reading {
	r := reading{Page: Page{ConfidencePercent: confidence, Languages: in}}
	for w := range strings.FieldsSeq(text) {
		r.words = append(r.words, word{text: w})
	}
	return r
}

// TestBetter: of several languages, and of the other Chinese script, the program has to be surer.
func TestBetter(t *testing.T) {
	for _, test := range []struct {
		before, other reading
		want          bool
	}{
		{readingOf("", 88, "eng+chi_sim"), readingOf("", 89, "deu"), true},
		{readingOf("", 88, "eng+chi_sim"), readingOf("", 88, "deu"), false},
		{readingOf("", 88, "eng+chi_sim"), readingOf("", 84, "chi_sim"), true},
		{readingOf("", 88, "eng+chi_sim"), readingOf("", 83, "chi_sim"), false},
		{readingOf("", 84, "chi_sim"), readingOf("", 88, "chi_tra"), false},
		{readingOf("", 84, "chi_sim"), readingOf("", 89, "chi_tra"), true},
		{readingOf("", 66, "jpn"), readingOf("", 86, "chi_sim"), true},
		{readingOf("", 84, "chi_sim"), readingOf("", 82, "chi_sim"), false},
	} {
		if got := test.other.isBetter(test.before); got != test.want {
			t.Errorf("%d in %s is better than %d in %s: %t", test.other.ConfidencePercent, test.other.Languages, test.before.ConfidencePercent, test.before.Languages, got)
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
		ocrtest.ManyLanguagesGerman:  {"Die Übung für", []string{"osd", "eng+chi_sim", "deu"}, []string{"deu"}},
		ocrtest.ManyLanguagesRussian: {"Это не относится", []string{"osd", "rus+eng"}, []string{"rus+eng"}},
	} {
		program := ocrtest.Program(t, name)
		r, pages := New(Options{Program: program, PagesDir: t.TempDir()}), make(Pages)
		for number := 1; number <= 2; number++ {
			page, err := r.Recognise(t.Context(), picture(t), pages.LikelyLanguages(number))
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

// TestLikelyLanguages: pages are likely to be in what the last one before them with text is in.
func TestLikely(t *testing.T) {
	pages := Pages{1: {Text: "a", Languages: "deu"}, 2: {NoTextReason: "unsure", Languages: "eng"}, 3: {Text: "b", Languages: "fra"}}
	for number, want := range map[int]string{1: "", 2: "deu", 3: "deu", 4: "fra", 9: "fra"} {
		if got := pages.LikelyLanguages(number); got != want {
			t.Errorf("page %d is likely to be in %q, want %q", number, got, want)
		}
	}
	if got := Pages(nil).LikelyLanguages(1); got != "" {
		t.Errorf("of no pages, it is likely to be in %q", got)
	}
}

// TestKeyOfLanguages: of others, and where somebody named them, pages may have another text.
func TestKeyOfLanguages(t *testing.T) {
	keys := make(map[string]bool)
	for _, l := range []languages{
		{first: "eng+chi_sim"}, {first: "eng+chi_sim", isNamed: true}, {first: "eng+chi_sim", others: []string{"deu"}}, {first: "eng+chi_sim", others: []string{"deu", "fra"}},
		{first: "deu"}, {first: "script/Latin", isNamed: true},
	} {
		if key := l.key(); keys[key] || strings.Contains(key, "/") {
			t.Errorf("of %+v the key is %s", l, key)
		} else {
			keys[key] = true
		}
	}
}
