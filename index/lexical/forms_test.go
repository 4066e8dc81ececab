package lexical

import (
	"slices"
	"testing"

	"vademecum/index/lexical/analysis"
	"vademecum/index/rank"
	"vademecum/internal/script"
)

// TestForms: a word in one language finds its forms in texts of that language, counts
// once where both stand, and is found in small and in large lists alike.
func TestForms(t *testing.T) {
	x := New()
	german := []string{"Die Zelle teilt sich", "In den Zellen ist der Kern", "Die Zelle und die Zellen", "Ein anderer Satz ist das"}
	for i, text := range german {
		put(t, x, rank.Slot(i), analysis.CountIn(script.LanguageNamed("de"), analysis.Names{}, text))
	}
	sc, err := x.Score(t.Context(), analysis.NewQuestion("Zellen"))
	if err != nil {
		t.Fatal(err)
	}
	defer x.Release(sc)
	if sc.At(0) <= 0 || sc.At(1) <= 0 || sc.At(2) <= 0 || sc.At(3) != 0 {
		t.Errorf("the scores are %.2f %.2f %.2f %.2f", sc.At(0), sc.At(1), sc.At(2), sc.At(3))
	}
	if sc.At(2) > 2*sc.At(0) {
		t.Errorf("two forms count %.2f, one %.2f", sc.At(2), sc.At(0))
	}
	mixed := union([]posting{newPosting(3, 1), newPosting(1, 2)}, []posting{newPosting(1, 1), newPosting(2, 1)}, true)
	if want := []posting{newPosting(1, 2), newPosting(2, 1), newPosting(3, 1)}; !slices.Equal(mixed, want) {
		t.Errorf("the list is %v, want %v", mixed, want)
	}
}
