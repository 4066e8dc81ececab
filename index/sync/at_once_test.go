package sync

import (
	"slices"
	"testing"

	"vademecum/index/lexical"
	"vademecum/index/search"
)

// TestAtOnceByPassages: few documents are removed at once where each has many passages,
// and one in any case.
func TestAtOnceByPassages(t *testing.T) {
	sized := func(passages ...uint32) (all []*search.Document) {
		for _, n := range passages {
			all = append(all, &search.Document{SlotRange: lexical.SlotRange{Count: n}})
		}
		return all
	}
	for _, c := range []struct {
		passages []uint32
		want     int
	}{
		{[]uint32{1}, 1},
		{[]uint32{0, 0, 0}, 3},
		{[]uint32{passagesAtOnce + 1, 1}, 1},
		{[]uint32{1, passagesAtOnce}, 1},
		{[]uint32{1, passagesAtOnce - 1, 0, 1}, 3},
		{slices.Repeat([]uint32{1}, goneAtOnce), goneAtOnce},
		{slices.Repeat([]uint32{1}, goneAtOnce+1), goneAtOnce},
	} {
		if got := len(firstBatch(sized(c.passages...))); got != c.want {
			t.Errorf("of %d documents, the first with %d passages, %d are removed at once, want %d", len(c.passages), c.passages[0], got, c.want)
		}
	}
}
