package lexical

import (
	"fmt"
	"testing"

	"vademecum/index/lexical/analysis"
	"vademecum/index/rank"
)

// indexOf is an index of texts, the first of which has the slot 0.
func indexOf(t *testing.T, texts ...string) *Index {
	t.Helper()
	x := New()
	for i, text := range texts {
		put(t, x, rank.Slot(i), analysis.CountTerms(analysis.ChunkNames{}, text))
	}
	return x
}

// TestPairsInsideAWord: of a question for a special word and a general one, the general
// one does not count once for each pair of its characters, wherever it stands.
func TestPairsInsideAWord(t *testing.T) {
	var texts []string
	for i := range 40 {
		texts = append(texts, fmt.Sprintf("第%d種綜合症候群的症狀與治療", i))
	}
	for range 20 {
		texts = append(texts, "肝臟和腎臟的檢查")
	}
	texts = append(texts, "代謝症候群的症候群表現", "肝腎功能不全")
	x := indexOf(t, texts...)
	weights, err := x.Explain(t.Context(), analysis.NewQuestion("肝腎症候群"), rank.Slot(len(texts)-2))
	if err != nil {
		t.Fatal(err)
	}
	general := 0.0
	for _, w := range weights {
		general += w.Score
	}
	weights, err = x.Explain(t.Context(), analysis.NewQuestion("肝腎症候群"), rank.Slot(len(texts)-1))
	if err != nil {
		t.Fatal(err)
	}
	special := 0.0
	for _, w := range weights {
		special += w.Score
	}
	if special < 3*general {
		t.Errorf("症候群 counts %.2f, 肝腎 %.2f", general, special)
	}

	// Pairs that are not in the same chunks lose nothing.
	q := analysis.NewQuestion("肝腎症候群")
	thin := x.weakenPairs(q)
	if thin.ContentTerms["肝肾"] != 1 || thin.ContentTerms["症候"] > 0.6 || thin.ContentTerms["候群"] > 0.6 || q.ContentTerms["候群"] != 1 {
		t.Errorf("the pairs weigh %v of %v", thin.ContentTerms, q.ContentTerms)
	}
}
