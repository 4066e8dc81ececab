package index

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"vademecum/index/indextest"
	"vademecum/index/sync"
)

// bilingualQuestion is one of testdata/bilingual/questions.tsv.
type bilingualQuestion struct {
	folder, text string
	also, paths  []string
	says         *regexp.Regexp // the passage that answers
}

// TestQuestionsInTwoLanguages: questions with several wordings, as a host's model sends them,
// find the note that answers in whichever language it is. How many do is golden: a change of
// ranking that lowers it is to be told from one that was meant.
func TestQuestionsInTwoLanguages(t *testing.T) {
	t.Parallel()
	asked := readBilingualQuestions(t)
	for folder, golden := range map[string]struct{ first, amongFive, shown int }{
		"sample_docs": {first: 12, amongFive: 12, shown: 12},
		"docs":        {first: 34, amongFive: 40, shown: 39},
	} {
		dir := "testdata/bilingual/docs"
		if folder == "sample_docs" {
			dir = "../sample_docs"
		}
		ix := open(t, t.TempDir(), indextest.Builtin(t), dir)
		mustSync(t, ix, sync.Scope{})
		first, amongFive, shown := 0, 0, 0
		for _, q := range asked[folder] {
			passages := mustSearch(t, ix, Query{Text: q.text, OtherWordings: q.also}).Passages
			isRight := func(p Passage) bool { return slices.Contains(q.paths, p.Path) }
			at := slices.IndexFunc(passages, isRight)
			if at == 0 {
				first++
			} else {
				t.Logf("%s: place %d of the right note (0: not shown)", q.text, at+1)
			}
			if at >= 0 {
				amongFive++
			}
			if slices.ContainsFunc(passages, func(p Passage) bool { return isRight(p) && q.says.MatchString(p.Text) }) {
				shown++
			}
		}
		if first < golden.first || amongFive < golden.amongFive || shown < golden.shown {
			t.Errorf("%s: of %d questions %d have the right note first, %d among five, %d show the answer; want %+v", folder, len(asked[folder]), first, amongFive, shown, golden)
		}
	}
}

// readBilingualQuestions reads the questions by their folders.
func readBilingualQuestions(t *testing.T) map[string][]bilingualQuestion {
	t.Helper()
	content, err := os.ReadFile("testdata/bilingual/questions.tsv")
	if err != nil {
		t.Fatal(err)
	}
	asked := make(map[string][]bilingualQuestion)
	for line := range strings.Lines(string(content)) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if strings.HasPrefix(line, "#") || len(fields) < 5 {
			continue
		}
		asked[fields[0]] = append(asked[fields[0]], bilingualQuestion{
			folder: fields[0], text: fields[1], also: strings.Split(fields[2], " | "), paths: strings.Split(fields[3], "|"), says: regexp.MustCompile("(?is)" + fields[4]),
		})
	}
	return asked
}

// TestLanguagesKeepTheirPlaces: the best passage in the language of one wording has a place
// among others that answer the question better, and does not come again on the next page.
func TestLanguagesKeepTheirPlaces(t *testing.T) {
	t.Parallel()
	files := map[string]string{"胆固醇.md": "# 胆固醇\n\n他汀请在晚上服用。别的话很多，这里不说，说也无用，只是把这一段写得长些，让它不那么靠前罢了。葡萄酒、咖啡、茶都在别处写过。\n"}
	for i, name := range strings.Fields("one two three four five six seven eight") {
		files[name+".md"] = "# Tablets " + name + "\n\n" + strings.Repeat("The tablets are taken with juice at noon. ", i+1) + "The nurse of ward " + name + " says so.\n"
	}
	ix := open(t, t.TempDir(), indextest.Builtin(t), indextest.NewNotesFolder(t, files).Dir)
	mustSync(t, ix, sync.Scope{})
	places := 0
	for page := range 3 {
		a := mustSearch(t, ix, Query{Text: "tablets with juice at noon", OtherWordings: []string{"may tablets be taken with juice", "juice at noon with tablets", "他汀 葡萄柚汁 晚上"}, TopK: 4, Page: page})
		for i, p := range a.Passages {
			if p.Path != "胆固醇.md" {
				continue
			}
			if places++; page > 0 || i == 0 {
				t.Errorf("the note in Chinese is on page %d, place %d", page, i+1)
			}
		}
	}
	if places != 1 {
		t.Errorf("the note in Chinese has %d places", places)
	}
}

// TestLanguageOfLittle: what has one word in passing of a wording in another language takes no
// place from what answers.
func TestLanguageOfLittle(t *testing.T) {
	t.Parallel()
	files := map[string]string{"散步.md": "# 散步\n\n晚上散步。\n"}
	for _, name := range strings.Fields("one two three four") {
		files[name+".md"] = "# Tablets " + name + "\n\nThe tablets are taken with juice at noon. The nurse of ward " + name + " says so.\n"
	}
	ix := open(t, t.TempDir(), indextest.Builtin(t), indextest.NewNotesFolder(t, files).Dir)
	mustSync(t, ix, sync.Scope{})
	a := mustSearch(t, ix, Query{Text: "tablets with juice at noon", OtherWordings: []string{"他汀类药物 葡萄柚汁 血药浓度 升高 晚上"}, TopK: 4})
	if slices.ContainsFunc(a.Passages, func(p Passage) bool { return p.Path == "散步.md" }) {
		t.Error("a walk in the evening has a place")
	}
}
