package notice

import (
	"encoding/json"
	"strings"
	"testing"

	"vademecum/internal/base/message"
)

func TestWhy(t *testing.T) {
	words, name, row := ScorePart{Key: "words", Name: "words"}, ScorePart{Key: "name", Name: "name of the document"}, ScorePart{Key: "row", Name: "words in a row"}
	kind := ScorePart{Key: "kind", ReasonKey: "kind_of"}
	w := Explanation{
		Parts: []ScoreContribution{{words, 0.5, "", ""}, {name, 0.25, "", ""}, {row, 0.001, "", ""}, {kind, -0.125, "a list", message.New("lowered by %.2f because it is %s", 0.125, message.New("mostly links"))}},
		Terms: []WeightedTerm{{"salt", 0.75}, {"a\x1bb", 0.25}},
	}
	if got, want := strings.Join(w.Lines(message.English), "\n"), "score: words 0.50 + name of the document 0.25\nlowered by 0.12 because it is mostly links\nwords: salt 75 %, a\ufffdb 25 %"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := strings.Join(w.Lines(message.Chinese), "\n"), "得分：words 0.50 + name of the document 0.25\n降低 0.12，因为它是链接列表\n词语：salt 75 %, a\ufffdb 25 %"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	const inJSON = `{"kind":-0.125,"kind_of":"a list","name":0.25,"row":0.001,"terms":[{"term":"salt","share":0.75},{"term":"a\u001bb","share":0.25}],"words":0.5}`
	if got, err := json.Marshal(w); err != nil || string(got) != inJSON {
		t.Errorf("in JSON: %s, %v, want %s", got, err, inJSON)
	}
	w.Terms = append(w.Terms, make([]WeightedTerm, mostTerms)...)
	if got := w.Lines(message.English)[2]; strings.Count(got, "%") != mostTerms || !strings.HasSuffix(got, ", …") {
		t.Errorf("many terms: %q", got)
	}
	if got := (Explanation{}).Lines(message.English); len(got) != 0 {
		t.Errorf("nothing is %q", got)
	}
	if got := (Explanation{Parts: []ScoreContribution{{kind, 0.5, "", "raised by 0.50"}}}).Lines(message.English); len(got) != 1 || got[0] != "raised by 0.50" {
		t.Errorf("raised: %q", got)
	}
}
