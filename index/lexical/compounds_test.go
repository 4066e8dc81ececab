package lexical

import (
	"cmp"
	"slices"
	"testing"

	"vademecum/index/lexical/analysis"
	"vademecum/index/rank"
)

// compoundChunks are texts in German, the last in English.
var compoundChunks = []string{
	"Die Stromrechnung ist mit der Post gekommen", "Der Strom wird im Mai teurer", "Die Rechnung für die Schuhe", "Die Berechnung der Fläche ist nicht leicht",
	"Die Gartenrechnung und der Hauptvertrag", "This is the tension of hypertension and hyper", "Die Straßen und die Hauptstraße, das Haupt",
}

// TestCompounds: a word is found in compounds whose other part is a word, for less than by itself; a
// word that is nowhere by itself in all that end with it. Lists that are kept elsewhere give the same.
func TestCompounds(t *testing.T) {
	x := New()
	for n, text := range compoundChunks {
		if err := x.Put(rank.Slot(n), countsOf(text)); err != nil {
			t.Fatal(err)
		}
	}
	elsewhere := keep(t, compoundChunks, 2)
	for question, want := range map[string][]rank.Slot{
		"Rechnung":                {2, 0},
		"Strom":                   {1, 0},
		"Vertrag":                 {4},
		"Rechnung für den Garten": {4, 2, 0},
		"tension":                 {5},
		"Straße":                  {6},
	} {
		q := analysis.NewQuestion(question)
		sc, err := x.Score(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		e := elsewhere.postings(t, q)
		e.IncludeChunks(0, uint32(len(compoundChunks)))
		some, numbers, err := e.Index()
		if err != nil {
			t.Fatal(err)
		}
		same, err := some.Score(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		var found []rank.Slot
		for n := range compoundChunks {
			s := rank.Slot(n)
			if sc.ScoreAt(s) > 0 {
				found = append(found, s)
			}
			other := numbers.LocalSlotOrNone(uint32(n))
			if sc.ScoreAt(s) != same.ScoreAt(other) || sc.NameScore(s) != same.NameScore(other) {
				t.Errorf("%s: chunk %d has %v, %v of lists elsewhere", question, n, sc.ScoreAt(s), same.ScoreAt(other))
			}
		}
		slices.SortStableFunc(found, func(a, b rank.Slot) int { return cmp.Compare(sc.ScoreAt(b), sc.ScoreAt(a)) })
		if !slices.Equal(found, want) {
			t.Errorf("%s finds %v, want %v", question, found, want)
		}
	}
}
