package lexical

import (
	"slices"
	"testing"

	"vademecum/index/lexical/analysis"
	"vademecum/index/rank"
	"vademecum/internal/base/script"
)

// TestForms: a word in one language finds its forms in texts of that language, counts
// once where both stand, and is found in small and in large lists alike.
func TestForms(t *testing.T) {
	x := New()
	german := []string{"Die Zelle teilt sich", "In den Zellen ist der Kern", "Die Zelle und die Zellen", "Ein anderer Satz ist das"}
	for i, text := range german {
		put(t, x, rank.Slot(i), analysis.CountTermsInLanguage(script.LanguageByCode("de"), analysis.ChunkNames{}, text))
	}
	sc, err := x.Score(t.Context(), analysis.NewQuestion("Zellen"))
	if err != nil {
		t.Fatal(err)
	}
	defer x.Release(sc)
	if sc.ScoreAt(0) <= 0 || sc.ScoreAt(1) <= 0 || sc.ScoreAt(2) <= 0 || sc.ScoreAt(3) != 0 {
		t.Errorf("the scores are %.2f %.2f %.2f %.2f", sc.ScoreAt(0), sc.ScoreAt(1), sc.ScoreAt(2), sc.ScoreAt(3))
	}
	if sc.ScoreAt(2) > 2*sc.ScoreAt(0) {
		t.Errorf("two forms count %.2f, one %.2f", sc.ScoreAt(2), sc.ScoreAt(0))
	}
}

// TestBeyond: the chunks of one list that another has not, however long the two are, in
// order or not.
func TestBeyond(t *testing.T) {
	for _, test := range []struct {
		list, others, want []rank.Slot
		mixed              bool
	}{
		{others: []rank.Slot{1, 4}, want: []rank.Slot{1, 4}},
		{list: []rank.Slot{1, 4}},
		{list: []rank.Slot{0, 1, 2, 3, 5, 6, 7, 9}, others: []rank.Slot{2, 4, 8, 9, 10}, want: []rank.Slot{4, 8, 10}},
		{list: []rank.Slot{5}, others: []rank.Slot{1, 2, 3, 4, 5, 6}, want: []rank.Slot{1, 2, 3, 4, 6}},
		{list: []rank.Slot{7, 1, 3}, others: []rank.Slot{3, 2, 7}, want: []rank.Slot{2}, mixed: true},
	} {
		x := &Index{mixed: test.mixed}
		if got := x.missingFrom(postingsOf(test.list), postingsOf(test.others)); !slices.Equal(got, postingsOf(test.want)) {
			t.Errorf("%v without %v is %v, want %v", test.others, test.list, got, test.want)
		}
	}
	got := mergePostings([]posting{newPosting(1, 2), newPosting(3, 1)}, []posting{newPosting(1, 1), newPosting(2, 1)})
	if want := []posting{newPosting(1, 2), newPosting(2, 1), newPosting(3, 1)}; !slices.Equal(got, want) {
		t.Errorf("the union is %v, want %v", got, want)
	}
}

func postingsOf(slots []rank.Slot) (list []posting) {
	for _, s := range slots {
		list = append(list, newPosting(s, 1))
	}
	return list
}
