package lexical

import (
	"math/rand/v2"
	"testing"

	"vademecum/index/rank"
)

// TestFrequency: removed chunks do not count, whether they are looked for in the lists
// or met there, and also where the lists are not in the order of the slots.
func TestFrequency(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine does it")
	}
	const chunks = 2000
	for name, slot := range map[string]func(i int) rank.Slot{
		"in order":  func(i int) rank.Slot { return rank.Slot(i) },
		"backwards": func(i int) rank.Slot { return rank.Slot(chunks - 1 - i) },
	} {
		x, notes, rng := New(), newTalk(), rand.New(rand.NewPCG(7, 8))
		for i := range chunks {
			put(t, x, slot(i), notes.counts(60))
		}
		joined := New()
		joined.Append(x, 3)
		for _, x := range []*Index{x, joined} {
			for range 100 {
				if s := rank.Slot(rng.IntN(len(x.lengths))); x.lengths[s] != 0 {
					x.Delete(s)
				}
				if len(x.dead)%10 == 1 {
					checkFrequencies(t, name, x)
				}
			}
		}
	}
}

func checkFrequencies(t *testing.T, name string, x *Index) {
	t.Helper()
	for id := range x.terms.numberCount() {
		want := 0
		for _, e := range x.postingsOf(id) {
			if x.lengths[e.slot()] != 0 {
				want++
			}
		}
		if got := x.frequency(id); got != want {
			t.Fatalf("%s: %q is in %d chunks of %d, want %d (%d removed)", name, x.terms.name(id), got, x.live, want, len(x.dead))
		}
	}
}
