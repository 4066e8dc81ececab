package upkeep

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"vademecum/index/indextest"
	"vademecum/index/search"
)

// TestSlowDrive: no question waits for a scan where they are slow, unless the last
// was long ago.
func TestSlowDrive(t *testing.T) {
	n := indextest.NewNotes(t, map[string]string{"a.md": "alpha"})
	both := twoOn(t, n.Dir)
	for _, ix := range both {
		mustSync(t, ix, Scope{})
		ix.pace.note(quickScan + 1)
		ix.pace.note(quickScan + 1)
		n.Write("b.md", "beta")
		ix.refresh(t.Context(), time.Now())
		if _, ok := ix.store.Document(search.Location{Folder: 0, Path: "b.md"}); ok {
			t.Error("it was scanned")
		}
		ix.pace.noted = time.Now().Add(-2 * sweepEvery)
		ix.refresh(t.Context(), time.Now())
		if _, ok := ix.store.Document(search.Location{Folder: 0, Path: "b.md"}); !ok {
			t.Error("it was not tried again")
		}
		n.Remove("b.md")
		indextest.Must(t, ix.handOver())
	}
}

// TestOneSlowScan: anything may hold one scan up. The next question is answered
// from what was saved before it even so.
func TestOneSlowScan(t *testing.T) {
	n := indextest.NewNotes(t, map[string]string{"a.md": "alpha"})
	for _, ix := range twoOn(t, n.Dir) {
		mustSync(t, ix, Scope{})
		ix.pace.note(quickScan / 2)
		ix.pace.note(100 * quickScan)
		n.Write("b.md", "beta")
		ix.refresh(t.Context(), time.Now())
		if _, ok := ix.store.Document(search.Location{Folder: 0, Path: "b.md"}); !ok {
			t.Error("it was not scanned")
		}
		n.Remove("b.md")
		indextest.Must(t, ix.handOver())
	}
}

// TestSlowScansAreTriedAgain in proportion to what they take.
func TestSlowScansAreTriedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var p pace
		p.note(2 * quickScan)
		p.note(2 * quickScan)
		if p.isQuick() {
			t.Error("at once")
		}
		time.Sleep(2*quickScan*slowShare + 1)
		if !p.isQuick() {
			t.Error("not after a while")
		}
		p.note(sweepEvery)
		p.note(sweepEvery)
		time.Sleep(sweepEvery - 1)
		if p.isQuick() {
			t.Error("too soon")
		}
		time.Sleep(2 * time.Nanosecond)
		if !p.isQuick() {
			t.Error("never")
		}
	})
}

// TestDoubt: what a question has learned does not hold for one that came later.
func TestDoubt(t *testing.T) {
	first := time.Now()
	later, last := first.Add(time.Millisecond), first.Add(2*time.Millisecond)
	var d doubt
	for _, step := range []struct {
		asked  time.Time
		unsure bool
		want   bool
	}{
		{first, false, false},
		{later, true, true},
		{first, false, true}, // it came before
		{last, false, false}, // it is sure of what the other was not
		{later, true, false},
	} {
		if d.note(step.asked, step.unsure); d.isThere() != step.want {
			t.Errorf("after a question of %s that is unsure (%t): %t", step.asked.Sub(first), step.unsure, d.isThere())
		}
	}
}

// TestAskedDuringARun: a run that is under way may have begun before what was saved last,
// and be through when the question is answered, which says so.
func TestAskedDuringARun(t *testing.T) {
	n := indextest.NewNotes(t, map[string]string{"a.md": "alpha"})
	k := open(t, t.TempDir(), indextest.NewCounting(t), n.Dir)
	mustSync(t, k, Scope{})
	k.progress.Start()
	k.progress.Expect(1)
	k.refresh(t.Context(), time.Now())
	k.progress.End(nil, true)
	if !k.IsBehind() || !strings.Contains(freshness(k), "may be behind") {
		t.Errorf("it says %q", freshness(k))
	}
	k.refresh(t.Context(), time.Now())
	if k.IsBehind() {
		t.Errorf("after a question that has compared it says %q", freshness(k))
	}
}
