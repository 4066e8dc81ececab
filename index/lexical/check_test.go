package lexical

import (
	"errors"
	"maps"
	"slices"
	"testing"

	"vademecum/index/blob"
)

// TestCheckFindsWhatIsLost: of lists that were written nothing is reported, and of those of
// which one is lost, or a byte of one is another, that they are damaged.
func TestCheckFindsWhatIsLost(t *testing.T) {
	texts := []string{"warfarin thins blood", "aspirin thins blood too, blood", "asthma needs an inhaler", "warfarin once"}
	k := keep(t, texts, 2, SlotRange{First: 1, Count: 1})
	check := func() error {
		c, first := NewPostingsCheck(&k.whole), uint32(0)
		for _, segment := range k.segments {
			for term, list := range segment {
				if err := c.AddList(term, list, SlotRange{First: first, Count: 2}); err != nil {
					return err
				}
			}
			first += 2
		}
		for _, slot := range []uint32{0, 2, 3} {
			if _, err := c.CheckChunk(slot, countsOf(texts[slot])); err != nil {
				return err
			}
		}
		for number, word := range k.words {
			if err := c.CheckWord(uint32(number), word); err != nil {
				return err
			}
		}
		return c.Finish()
	}
	if err := check(); err != nil {
		t.Fatal(err)
	}
	for n, segment := range k.segments {
		for _, term := range slices.Sorted(maps.Keys(segment)) {
			list := segment[term]
			if isOfOther := term[:1] != trigramMark && list.PostingCount == 1 && k.gone.has(listed(t, list)); !isOfOther {
				delete(segment, term)
				if err := check(); !errors.Is(err, blob.ErrDamaged) {
					t.Errorf("segment %d without %q: %v", n, term, err)
				}
			}
			for _, at := range []int{0, len(list.Bytes) - 1} { // where the first chunk is, and how long the last
				segment[term] = StoredList{list.PostingCount, slices.Clone(list.Bytes)}
				segment[term].Bytes[at] ^= 64
				if at > 0 && term[:1] != trigramMark && k.gone.has(listed(t, list)) {
					continue // how long a chunk was that is gone
				}
				if err := check(); !errors.Is(err, blob.ErrDamaged) {
					t.Errorf("segment %d, byte %d of %q: %v", n, at, term, err)
				}
			}
			segment[term] = list
		}
	}
	k.whole.Chunks++
	if err := check(); !errors.Is(err, blob.ErrDamaged) {
		t.Errorf("with a chunk too few: %v", err)
	}
}

// listed is the last slot in a list.
func listed(t *testing.T, list StoredList) (slot uint32) {
	if err := list.Each(func(s uint32, _, _ int) { slot = s }); err != nil {
		t.Fatal(err)
	}
	return slot
}
