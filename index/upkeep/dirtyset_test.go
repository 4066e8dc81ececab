package upkeep

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"vademecum/docs"
)

// taken is what a set gives, in order.
func taken(s *dirtySet, except map[int]bool) (areas []area, until int) {
	areas, until = s.take(except)
	slices.SortFunc(areas, func(a, b area) int { return cmp.Or(cmp.Compare(a.folder, b.folder), cmp.Compare(a.base, b.base)) })
	return areas, until
}

// TestTakeDirty leaves out what lies in something else, and keeps what cannot be looked at.
func TestTakeDirty(t *testing.T) {
	s := newDirtySet()
	s.add(area{folder: 0, base: "a/b/c.md"}, area{folder: 0, base: "a"}, area{folder: 0, base: "d.md"}, area{folder: 1, base: "a/b.md"})
	areas, until := taken(s, map[int]bool{1: true})
	if want := []area{{folder: 0, base: "a"}, {folder: 0, base: "d.md"}}; !slices.Equal(areas, want) || until != 1 {
		t.Errorf("%v until %d", areas, until)
	}
	<-s.signal
	if s.wakeFor(map[int]bool{1: true}); len(s.signal) > 0 {
		t.Error("nothing is left that can be looked at")
	}
	if s.wakeFor(nil); len(s.signal) == 0 {
		t.Error("the folder answers again")
	}
	if areas, _ := taken(s, nil); !slices.Equal(areas, []area{{folder: 1, base: "a/b.md"}}) {
		t.Errorf("then %v", areas)
	}
	if areas, _ := taken(s, nil); len(areas) > 0 {
		t.Errorf("at last %v", areas)
	}
}

// TestDirtyListing: a listing is taken once, for the folder as a whole, and not after a
// change was told.
func TestDirtyListing(t *testing.T) {
	s := newDirtySet()
	found, whole := docs.Listing{Began: time.Now()}, area{folder: 0, base: "."}
	s.addListed(0, found)
	if got := s.takeListings([]area{{folder: 0, base: "a"}, {folder: 1, base: "."}}); len(got) > 0 {
		t.Errorf("for another area there is %v", got)
	}
	if got := s.takeListings([]area{whole}); len(got) != 1 {
		t.Errorf("there is %v", got)
	}
	if got := s.takeListings([]area{whole}); len(got) > 0 {
		t.Errorf("a second time there is %v", got)
	}
	s.addListed(0, found)
	s.addChanged(0, []string{"a.md"})
	if got := s.takeListings([]area{whole}); len(got) > 0 {
		t.Errorf("after a change there is %v", got)
	}
	if areas, _ := taken(s, nil); !slices.Equal(areas, []area{whole}) {
		t.Errorf("dirty is %v", areas)
	}
	if s.addListed(1, docs.Listing{}); len(s.takeListings([]area{{folder: 1, base: "."}})) > 0 {
		t.Error("there is a listing that was never made")
	}
}

// TestWaitForComparison: who waits is through when all that was added before was compared.
func TestWaitForComparison(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newDirtySet()
		s.add(area{folder: 0, base: "a.md"})
		_, first := taken(s, nil)
		s.add(area{folder: 0, base: "b.md"})
		through := make(chan error, 1)
		go func() { through <- s.wait(t.Context(), s.count()) }()
		synctest.Wait()
		s.done(first)
		synctest.Wait()
		if len(through) > 0 {
			t.Error("the second was not compared yet")
		}
		_, second := taken(s, nil)
		s.fail(true)
		s.done(second)
		if err := <-through; err != nil || !s.hasFailed() {
			t.Errorf("%v, failed: %t", err, s.hasFailed())
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := s.wait(ctx, second+1); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
}
