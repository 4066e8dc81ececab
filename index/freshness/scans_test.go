package freshness

import (
	"testing"
	"testing/synctest"
	"time"
)

// TestSlowScansAreTriedAgain in proportion to what they take.
func TestSlowScansAreTriedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := NewTracker(0)
		scanTook := func(d time.Duration) { f.RecordScanDuration(d); f.RecordScanDuration(d) }
		scanTook(2 * quickScan)
		if f.scans.isQuick() {
			t.Error("at once")
		}
		time.Sleep(2*quickScan*slowShare + 1)
		if !f.scans.isQuick() {
			t.Error("not after a while")
		}
		scanTook(RescanInterval)
		time.Sleep(RescanInterval - 1)
		if f.scans.isQuick() {
			t.Error("too soon")
		}
		time.Sleep(2 * time.Nanosecond)
		if !f.scans.isQuick() {
			t.Error("never")
		}
	})
}

// TestScanPause: folders that are not watched as a whole are swept the more often the
// less that takes.
func TestScanPause(t *testing.T) {
	f := NewTracker(2)
	if got := f.RescanDelay(); got != RescanInterval {
		t.Errorf("watched: %s", got)
	}
	f.SetUnwatched(1, "too many directories")
	if got := f.RescanDelay(); got != unwatchedSweep {
		t.Errorf("quick: %s", got)
	}
	f.RecordScanDuration(time.Second)
	if got := f.RescanDelay(); got != slowShare*time.Second {
		t.Errorf("slow: %s", got)
	}
	f.RecordScanDuration(time.Hour)
	f.RecordScanDuration(time.Hour)
	if got := f.RescanDelay(); got != RescanInterval {
		t.Errorf("very slow: %s", got)
	}
}

// TestDoubt: what a question has learned does not hold for one that came later.
func TestDoubt(t *testing.T) {
	first := time.Now()
	later, last := first.Add(time.Millisecond), first.Add(2*time.Millisecond)
	var q questionFindings
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
		if q.recordQuestion(step.asked, step.unsure); q.hasUnconfirmed() != step.want {
			t.Errorf("after a question of %s that is unsure (%t): %t", step.asked.Sub(first), step.unsure, q.hasUnconfirmed())
		}
	}
}
