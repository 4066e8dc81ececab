package ranking

import (
	"regexp"
	"testing"

	"vademecum/docs/kind"
	"vademecum/index/search"
)

// TestSaid: each part of a score has a key of its own, and a name or a sentence in both
// languages.
func TestSaid(t *testing.T) {
	verbs := regexp.MustCompile(`%[.\d]*[a-z]`)
	keys := make(map[string]bool)
	for i, p := range said {
		if p.Key == "" || keys[p.Key] || keys[p.ReasonKey] && p.ReasonKey != "" {
			t.Errorf("part %d has the key %q", i, p.Key)
		}
		keys[p.Key], keys[p.ReasonKey] = true, true
		texts := 0
		for _, text := range []struct{ english, chinese string }{{p.Name.English, p.Name.Chinese}, {p.Raised.English, p.Raised.Chinese}, {p.Lowered.English, p.Lowered.Chinese}} {
			if (text.english == "") != (text.chinese == "") || len(verbs.FindAllString(text.english, -1)) != len(verbs.FindAllString(text.chinese, -1)) {
				t.Errorf("%s is %q in one language, %q in the other", p.Key, text.english, text.chinese)
			}
			if text.english != "" {
				texts++
			}
		}
		if texts == 0 {
			t.Errorf("nothing is said of %s", p.Key)
		}
	}
}

// TestParts: what a stage takes away is told with its reason, and all parts come to the
// score.
func TestParts(t *testing.T) {
	c := search.Candidate{Score: 1, Parts: search.Parts{byWords: 1}}
	c.Mark.Kind = kind.Links
	c.SetScore(byKind, 0.75)
	told := Parts(&c, 0.5)
	if len(told) != 2 || told[0].Key != "words" || told[0].Score != 2 || told[1].Score != -0.5 || told[1].Reason != kind.Links.String() {
		t.Errorf("told are %+v", told)
	}
	if told := Parts(&c, 0); len(told) != 0 {
		t.Errorf("of nothing %+v", told)
	}
}
