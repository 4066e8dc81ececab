package sync

import (
	"cmp"
	"slices"
	"testing"
	"time"

	"vademecum/docs"
)

// taken is what a set gives, in order.
func taken(s *dirtySet, except map[int]bool) (areas []Subtree, until int) {
	areas, all := s.takeAreas(except)
	slices.SortFunc(areas, func(a, b Subtree) int {
		return cmp.Or(cmp.Compare(a.Folder, b.Folder), cmp.Compare(a.Base, b.Base))
	})
	return areas, all.until
}

// TestTakeDirty leaves out what lies in something else, and keeps what cannot be looked at.
func TestTakeDirty(t *testing.T) {
	s := newDirtySet()
	s.addAreas(Subtree{Folder: 0, Base: "a/b/c.md"}, Subtree{Folder: 0, Base: "a"}, Subtree{Folder: 0, Base: "d.md"}, Subtree{Folder: 1, Base: "a/b.md"})
	areas, until := taken(s, map[int]bool{1: true})
	if want := []Subtree{{Folder: 0, Base: "a"}, {Folder: 0, Base: "d.md"}}; !slices.Equal(areas, want) || until != 1 {
		t.Errorf("%v until %d", areas, until)
	}
	<-s.signal
	if s.wakeIfAny(map[int]bool{1: true}); len(s.signal) > 0 {
		t.Error("nothing is left that can be looked at")
	}
	if s.wakeIfAny(nil); len(s.signal) == 0 {
		t.Error("the folder answers again")
	}
	if areas, _ := taken(s, nil); !slices.Equal(areas, []Subtree{{Folder: 1, Base: "a/b.md"}}) {
		t.Errorf("then %v", areas)
	}
	if areas, _ := taken(s, nil); len(areas) > 0 {
		t.Errorf("at last %v", areas)
	}
}

// TestDirtyListing: a listing is taken once, for the folder as a whole, and not after a
// change was reported.
func TestDirtyListing(t *testing.T) {
	s := newDirtySet()
	found, whole := docs.Listing{StartedAt: time.Now()}, Subtree{Folder: 0, Base: "."}
	s.addListed(0, found)
	if got := s.takeListings([]Subtree{{Folder: 0, Base: "a"}, {Folder: 1, Base: "."}}); len(got) > 0 {
		t.Errorf("for another area there is %v", got)
	}
	if got := s.takeListings([]Subtree{whole}); len(got) != 1 {
		t.Errorf("there is %v", got)
	}
	if got := s.takeListings([]Subtree{whole}); len(got) > 0 {
		t.Errorf("a second time there is %v", got)
	}
	s.addListed(0, found)
	s.addChanged(0, []string{"a.md"})
	if got := s.takeListings([]Subtree{whole}); len(got) > 0 {
		t.Errorf("after a change there is %v", got)
	}
	if areas, _ := taken(s, nil); !slices.Equal(areas, []Subtree{whole}) {
		t.Errorf("dirty is %v", areas)
	}
	if s.addListed(1, docs.Listing{}); len(s.takeListings([]Subtree{{Folder: 1, Base: "."}})) > 0 {
		t.Error("there is a listing that was never made")
	}
}

// TestWaitForComparison: a call is made when all that was added before was compared.
func TestWaitForComparison(t *testing.T) {
	s := newDirtySet()
	var calls []bool
	call := func(hasFailed bool) { calls = append(calls, hasFailed) }
	if s.afterComparison(0, call); len(calls) != 1 {
		t.Error("it is not called although nothing was added")
	}
	s.addAreas(Subtree{Folder: 0, Base: "a.md"})
	_, first := s.takeAreas(nil)
	s.addAreas(Subtree{Folder: 0, Base: "b.md"})
	s.afterComparison(0, call)
	if s.markCompared(first, false); len(calls) != 1 {
		t.Error("the second was not compared yet")
	}
	_, second := s.takeAreas(nil)
	if s.markCompared(second, true); len(calls) != 2 || !calls[1] {
		t.Errorf("of two comparisons, of which the second fails, is told %v", calls)
	}
	if s.markCompared(second, false); len(calls) != 2 {
		t.Error("it is called again")
	}
}

// TestWaitForSilentFolder: what was left out of a comparison, as its folder did not respond, is waited for
// until it is compared. What is waited for in another folder is not.
func TestWaitForSilentFolder(t *testing.T) {
	s := newDirtySet()
	s.addAreas(Subtree{Folder: 0, Base: "a.md"}, Subtree{Folder: 1, Base: "b.md"})
	var through [2]bool
	for folder := range through {
		s.afterComparison(folder, func(bool) { through[folder] = true })
	}
	_, all := s.takeAreas(map[int]bool{1: true})
	if s.markCompared(all, false); through != [2]bool{true, false} {
		t.Errorf("after the comparison of the first folder it is waited no more: %v", through)
	}
	if _, all = s.takeAreas(nil); through[1] {
		t.Error("the second folder is waited for no more before it was compared")
	}
	if s.markCompared(all, false); !through[1] {
		t.Error("the second folder is still waited for")
	}
}
