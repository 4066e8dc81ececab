package lexical

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"vademecum/index/rank"
)

// TestLists does at random what can be done to lists, beside slices of slices, and
// looks whether a copy stays as it was.
func TestLists(t *testing.T) {
	for name, slots := range map[string]func(random *rand.Rand, last rank.Slot) rank.Slot{
		"in order": func(random *rand.Rand, last rank.Slot) rank.Slot {
			return last + 1 + rank.Slot(random.IntN(1<<random.IntN(8)))
		},
		"given anew": func(random *rand.Rand, last rank.Slot) rank.Slot { return rank.Slot(random.IntN(MaxSlots)) },
	} {
		t.Run(name, func(t *testing.T) { testLists(t, slots) })
	}
}

func testLists(t *testing.T, nextSlot func(random *rand.Rand, last rank.Slot) rank.Slot) {
	random := rand.New(rand.NewPCG(1, 2))
	var l, copied postingLists
	var want, wantOfCopy [][]posting
	last := rank.Slot(0)
	for step := range 100_000 {
		switch n := random.IntN(10_000); {
		case n < 9950 || len(want) == 0:
			id := random.IntN(1 + random.IntN(len(want)+1)) // of some many more than of others
			if random.IntN(50) == 0 || id == len(want) {
				id, want = len(want), append(want, nil)
			}
			last = nextSlot(random, last) % MaxSlots
			p := newPosting(last, 1+random.IntN(1<<random.IntN(10)))
			l.add(int32(id), p)
			want[id] = append(slices.Clip(want[id]), p)
		case n < 9960:
			odd := posting(random.IntN(8))
			keep := func(p posting) bool { return (p>>8)%8 != odd }
			gone := l.compact(keep)
			for id, list := range want {
				want[id] = slices.DeleteFunc(slices.Clone(list), func(p posting) bool { return !keep(p) })
				if isGone := len(list) > 0 && len(want[id]) == 0; isGone != slices.Contains(gone, int32(id)) {
					t.Fatalf("step %d: %d of %v is told as gone: %t", step, id, list, !isGone)
				}
			}
			if !l.isCompact() {
				t.Fatalf("step %d: it is not compact", step)
			}
			checkLists(t, "compacted", &l, want)
		default:
			checkLists(t, fmt.Sprintf("the copy at step %d", step), &copied, wantOfCopy)
			copied, wantOfCopy = l.snapshot(), slices.Clone(want)
		}
	}
	checkLists(t, "it", &l, want)
}

func checkLists(t *testing.T, what string, l *postingLists, want [][]posting) {
	t.Helper()
	if l.count() != len(want) {
		t.Fatalf("%s has %d lists, want %d", what, l.count(), len(want))
	}
	for id, list := range want {
		r := l.reader(int32(id))
		if got := r.appendTo(nil); !slices.Equal(got, list) {
			t.Fatalf("%s: list %d is %v, want %v", what, id, got, list)
		}
		if n := l.length(int32(id)); n != len(list) {
			t.Fatalf("%s: list %d has %d postings, want %d", what, id, n, len(list))
		}
	}
}

// TestListBytes: lists come back from their bytes, whatever their slots and frequencies, and
// to check them takes no more than they have.
func TestListBytes(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var want []posting
		for slot := random.IntN(1000); slot < MaxSlots && len(want) < 300; slot += 1 + random.IntN(1<<random.IntN(24)) {
			want = append(want, newPosting(rank.Slot(slot), 1+random.IntN(1<<random.IntN(10))))
		}
		b := appendList(nil, want)
		size, err := checkList(append(slices.Clip(b), 4), len(want), MaxSlots)
		r := postingReader{rest: b}
		if got := r.appendTo(nil); err != nil || size != len(b) || !slices.Equal(got, want) {
			t.Fatalf("%v, %d bytes of %d of\n%v, got\n%v", err, size, len(b), want, got)
		}
	}
}

// FuzzCheckList: bytes that pass as a list are read as one, of as many postings, in the order
// of their slots and below the bound.
func FuzzCheckList(f *testing.F) {
	f.Add(appendList(nil, []posting{newPosting(0, 1), newPosting(7, 3), newPosting(300, 255)}), 3, uint32(301))
	f.Add([]byte{0x82, 0x00, 3, 5, 2}, 3, uint32(5))
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01, 1}, 1, uint32(MaxSlots))
	f.Fuzz(func(t *testing.T, b []byte, count int, most uint32) {
		slots := int(min(most, MaxSlots))
		size, err := checkList(b, count, slots)
		if err != nil {
			return
		}
		r := postingReader{rest: b[:size]}
		list := r.appendTo(nil)
		if len(list) != max(count, 0) || size > len(b) {
			t.Fatalf("%d postings in %d bytes, want %d", len(list), size, count)
		}
		for i, p := range list {
			if int(p.slot()) >= slots || i > 0 && p.slot() <= list[i-1].slot() || p.tf() == 0 {
				t.Errorf("posting %d is %d of %d, %v times", i, p.slot(), slots, p.tf())
			}
		}
	})
}

// TestTermNames: names change, and those of a moment do not.
func TestTermNames(t *testing.T) {
	var n termNames
	n.rebuildText()
	for i := range 1000 {
		n.add(fmt.Sprint("term", i))
	}
	saved := n.snapshot()
	for i := range 900 {
		n.set(int32(i), "")
	}
	before := n.text.Len()
	n.rebuildText()
	n.set(7, "seven")
	n.add("last")
	for id, want := range map[int32]string{0: "", 7: "seven", 899: "", 900: "term900", 999: "term999", 1000: "last"} {
		if got := n.of(id); got != want {
			t.Errorf("%d is called %q, want %q", id, got, want)
		}
	}
	if after := n.text.Len(); after > before/2 || n.lost > 0 || n.count() != 1001 {
		t.Errorf("%d names in %d bytes, before in %d", n.count(), after, before)
	}
	if saved.of(7) != "term7" || saved.of(999) != "term999" {
		t.Errorf("what was saved is now %q and %q", saved.of(7), saved.of(999))
	}
}
