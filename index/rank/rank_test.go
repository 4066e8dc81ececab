package rank

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// numbered are chunks whose places are in the order of their slots, and of which
// every n-th has the same content hash.
type numbered int

func (n numbered) Compare(a, b Slot) int { return cmp.Compare(a, b) }

func (n numbered) ContentHash(s Slot) (w ChunkTextHash) {
	binary.BigEndian.PutUint64(w[:], uint64(s)%uint64(n))
	return w
}

func TestBest(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for most := range 20 {
		for _, hashes := range []numbered{1, 7, 30, 1 << 24} {
			var all []Hit
			best := NewTopHits(most, hashes)
			for i := range 200 {
				h := Hit{Slot(i), float64(rng.IntN(30))}
				all = append(all, h)
				best.Add(h)
			}
			slices.SortFunc(all, best.compare)
			seen := make(map[ChunkTextHash]bool)
			all = slices.DeleteFunc(all, func(h Hit) bool {
				w := hashes.ContentHash(h.Slot)
				isCopy := seen[w]
				seen[w] = true
				return isCopy
			})
			if got, want := fmt.Sprint(best.Hits()), fmt.Sprint(all[:min(most, len(all))]); got != want {
				t.Errorf("%d of %d hashes: %s, want %s", most, hashes, got, want)
			}
		}
	}
}

func TestRanks(t *testing.T) {
	var got []int
	for rank := range WithRanks([]Hit{{4, 9}, {2, 5}, {3, 5}, {1, 2}}) {
		got = append(got, rank)
	}
	if want := []int{1, 2, 2, 4}; !slices.Equal(got, want) {
		t.Errorf("ranks %d, want %d", got, want)
	}
}

func TestFilter(t *testing.T) {
	f := NewFilter(130)
	f.Add(0)
	f.Add(64)
	f.Add(129)
	for s, want := range map[Slot]bool{0: true, 1: false, 64: true, 128: false, 129: true, 1 << 20: false} {
		if f.Has(s) != want {
			t.Errorf("slot %d: %t", s, f.Has(s))
		}
	}
	if NewFilter(0).Has(0) {
		t.Error("a filter of no slots admits one")
	}
	if all := Filter(nil); !all.Has(1 << 20) {
		t.Error("no filter leaves a chunk out")
	}
}
