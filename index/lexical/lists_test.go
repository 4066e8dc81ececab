package lexical

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestLists does at random what can be done to lists, beside slices of slices, and
// looks whether a copy stays as it was.
func TestLists(t *testing.T) {
	testLists(t, postingLists{}, nil)
	testLists(t, postingLists{loaded: []posting{1, 2, 3, 4}, ends: []uint32{1, 3, 4}}, [][]posting{{1}, {2, 3}, {4}})
}

func testLists(t *testing.T, l postingLists, want [][]posting) {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	var copied postingLists
	var wantOfCopy [][]posting
	check := func(what string, l *postingLists, want [][]posting) {
		t.Helper()
		if l.count() != len(want) {
			t.Fatalf("%s has %d lists, want %d", what, l.count(), len(want))
		}
		for id, list := range want {
			if got := l.postingsOf(int32(id)); !slices.Equal(got, list) {
				t.Fatalf("%s: list %d is %v, want %v", what, id, got, list)
			}
		}
	}
	for step := range 5000 {
		switch n := random.IntN(100); {
		case n < 60 || len(want) == 0:
			id, p := random.IntN(len(want)+1), posting(1+random.IntN(1000))
			if id == len(want) {
				want = append(want, nil)
			}
			l.add(int32(id), p)
			want[id] = append(slices.Clip(want[id]), p)
		case n < 97:
			id, list := random.IntN(len(want)), make([]posting, random.IntN(4))
			for i := range list {
				list[i] = posting(1 + random.IntN(1000))
			}
			l.replace(int32(id), list)
			want[id] = slices.Clone(list)
		case n < 98:
			if l.compact(); !l.isCompact() {
				t.Fatalf("step %d: it is not settled", step)
			}
			check("settled", &l, want)
		default:
			check(fmt.Sprintf("the copy at step %d", step), &copied, wantOfCopy)
			copied, wantOfCopy = l.clone(), slices.Clone(want)
		}
	}
	check("it", &l, want)
	if long := len(l.many) - len(l.free); long > len(want) || slices.ContainsFunc(l.free, func(m uint32) bool { return l.many[m-1] != nil }) {
		t.Errorf("of %d lists %d are long; %d are free", len(want), long, len(l.free))
	}
}

// TestTermNames: names change, and those of a moment do not.
func TestTermNames(t *testing.T) {
	var n termNames
	n.rebuildText()
	for i := range 1000 {
		n.add(fmt.Sprint("term", i))
	}
	saved := n.atThisMoment()
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
