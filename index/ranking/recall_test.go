package ranking

import (
	"testing"

	"vademecum/index/rank"
	"vademecum/index/search"
	"vademecum/index/vector"
)

// two are chunks that have nothing but content hashes.
type two struct{ ChunkSource }

func (two) ContentHash(s rank.Slot) rank.ChunkTextHash { return rank.ChunkTextHash{byte(s)} }

// TestComparesWhatHasAVector: the lists of the others are empty, and each is that of
// its own phrasing.
func TestComparesWhatHasAVector(t *testing.T) {
	vectors := vector.New(vector.Precision16Bits)
	x, y := []float32{1, 0}, []float32{0, 1}
	for s, vec := range [][]float32{x, y} {
		if err := vectors.Put(rank.Slot(s), vec); err != nil {
			t.Fatal(err)
		}
	}
	l := Corpus{ChunkSource: two{}, Vectors: vectors}
	phrasings := AnalysePhrasings([]search.Phrasing{{}, {Vector: y}, {Vector: []float32{1}}, {Vector: x}})
	lists, err := l.compareVectors(t.Context(), phrasings, 1, nil)
	if err != nil || len(lists) != 4 || len(lists[0])+len(lists[2]) > 0 {
		t.Fatalf("found %v (error %v)", lists, err)
	}
	if lists[1][0].Slot != 1 || lists[3][0].Slot != 0 {
		t.Errorf("found %v", lists)
	}
}
