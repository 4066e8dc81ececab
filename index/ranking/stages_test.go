package ranking

import (
	"slices"
	"strings"
	"testing"

	"vademecum/docs/kind"
	"vademecum/index/search"
	"vademecum/internal/base/message"
)

// TestSaid: each part of a score has a key of its own, and a name or a sentence in both
// languages.
func TestSaid(t *testing.T) {
	keys := make(map[string]bool)
	for i, p := range labels {
		if p.Key == "" || keys[p.Key] || keys[p.ReasonKey] && p.ReasonKey != "" {
			t.Errorf("part %d has the key %q", i, p.Key)
		}
		keys[p.Key], keys[p.ReasonKey] = true, true
		texts := []message.Message{p.Name}
		for _, sentence := range []scoreSentenceFunc{p.raised, p.lowered} {
			if sentence != nil {
				texts = append(texts, sentence(0.25, kind.LinkList.Message()))
			}
		}
		if texts = slices.DeleteFunc(texts, func(m message.Message) bool { return m == "" }); len(texts) == 0 {
			t.Errorf("nothing is said of %s", p.Key)
		}
		for _, m := range texts {
			if english, chinese := m.InLanguage(message.English), m.InLanguage(message.Chinese); english == chinese || strings.Contains(english+chinese, "%!(BAD") {
				t.Errorf("%s is %q in English, %q in Chinese", p.Key, english, chinese)
			}
		}
	}
}

// TestParts: what a stage takes away is reported with its reason, and all parts come to the
// score.
func TestParts(t *testing.T) {
	c := search.Candidate{Score: 1, Parts: search.ScoreParts{byWords: 1}}
	c.Traits.Kind = kind.LinkList
	c.SetScore(byKind, 0.75)
	told := PartScores(&c, 0.5)
	if len(told) != 2 || told[0].Key != "words" || told[0].Score != 2 || told[1].Score != -0.5 || told[1].Reason != kind.LinkList.Message() {
		t.Errorf("told are %+v", told)
	}
	if told := PartScores(&c, 0); len(told) != 0 {
		t.Errorf("of nothing %+v", told)
	}
}
