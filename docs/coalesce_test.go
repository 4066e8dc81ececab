package docs

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

var coalesceStart = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// at returns a time some milliseconds after the start of a test.
func at(ms int) time.Time { return coalesceStart.Add(time.Duration(ms) * time.Millisecond) }

// A reporter takes what is due whenever it is.
type reporter struct {
	changedPaths
	times map[string][]int // when each path was reported, in ms
}

// until takes all that is due before the time ms.
func (r *reporter) until(ms int) {
	for {
		due, ok := r.NextDue()
		if !ok || due.After(at(ms)) {
			return
		}
		if r.times == nil {
			r.times = make(map[string][]int)
		}
		for _, p := range r.TakeDue(due) {
			r.times[p] = append(r.times[p], int(due.Sub(coalesceStart).Milliseconds()))
		}
	}
}

func (r *reporter) change(path string, ms int) {
	r.until(ms)
	r.Add(path, at(ms))
}

func TestChanges(t *testing.T) {
	var c changedPaths
	if _, ok := c.NextDue(); ok {
		t.Fatal("due without a change")
	}
	c.Add("b", at(0))
	c.Add("a", at(30))
	c.Add("b", at(40))
	if due, ok := c.NextDue(); !ok || !due.Equal(at(90)) {
		t.Errorf("due %v, want 50 ms after the last change", due.Sub(coalesceStart))
	}
	if got := c.TakeDue(at(89)); len(got) > 0 {
		t.Errorf("got %q before it was due", got)
	}
	if got := c.TakeDue(at(90)); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("got %q", got)
	}
	if _, ok := c.NextDue(); ok {
		t.Error("due again after take")
	}
	for ms := 1000; ms <= 1290; ms += 10 {
		c.Add("busy", at(ms))
	}
	if due, _ := c.NextDue(); !due.Equal(at(1300)) {
		t.Errorf("due %v, want 300 ms after the first change", due.Sub(coalesceStart))
	}
	c.Add(everything, at(1295))
	c.Add("more", at(1296))
	if got := c.TakeDue(at(1300)); !slices.Equal(got, []string{everything}) {
		t.Errorf("got %q", got)
	}
}

func TestIsBounded(t *testing.T) {
	var c changedPaths
	for i := range maxPending + 1 {
		c.Add(fmt.Sprint(i), at(0))
	}
	if got := c.TakeDue(at(50)); !slices.Equal(got, []string{everything}) {
		t.Errorf("got %d paths", len(got))
	}
	for round := range 3 {
		for i := range maxPending - 1 {
			c.Add(fmt.Sprint(round, i), at(100+100*round))
		}
		c.TakeDue(at(150 + 100*round))
	}
	if len(c.unstablePath) > maxPending {
		t.Errorf("%d paths are remembered", len(c.unstablePath))
	}
	c.TakeDue(at(1000))
	if len(c.unstablePath) > 0 {
		t.Errorf("%d paths are remembered that rest", len(c.unstablePath))
	}
}

// A file that grows for ten seconds is reported seldom, and when it is whole;
// one that is saved meanwhile is reported at once.
func TestBacksOff(t *testing.T) {
	for _, every := range []int{10, 100, 180} {
		var r reporter
		for ms := 0; ms <= 10_000; ms += 10 {
			if ms%every == 0 {
				r.change("growing", ms)
			}
			if ms%1000 == 0 {
				r.change("saved", ms)
			}
		}
		r.until(20_000)
		growing, saved := r.times["growing"], r.times["saved"]
		if len(growing) > 9 || growing[0] > 300 || growing[len(growing)-1] > 10_000+200 {
			t.Errorf("every %d ms: growing is reported at %v", every, growing)
		}
		if len(saved) != 11 {
			t.Fatalf("every %d ms: saved is reported at %v", every, saved)
		}
		for i, ms := range saved[1:] { // the first shares the batch of the other file
			if late := ms - 1000*(i+1); late != 50 {
				t.Errorf("every %d ms: saved at %d, reported %d ms later", every, 1000*(i+1), late)
			}
		}
	}
}

// Someone who saves again and again is answered as quickly each time.
func TestForgetsBackoff(t *testing.T) {
	var r reporter
	for ms := 0; ms < 10_000; ms += 250 {
		r.change("note", ms)
	}
	r.until(20_000)
	for i, ms := range r.times["note"] {
		if late := ms - 250*i; late != 50 {
			t.Errorf("save %d is reported %d ms later", i, late)
		}
	}
}

// Who saves as soon as the save before was reported never waits long.
func TestSavesInARow(t *testing.T) {
	var c changedPaths
	now := 0
	for range 100 {
		c.Add("note", at(now))
		due, _ := c.NextDue()
		if late := due.Sub(at(now)); late > calmPeriod {
			t.Errorf("reported after %v", late)
		}
		now = int(due.Sub(coalesceStart).Milliseconds())
		if got := c.TakeDue(due); !slices.Equal(got, []string{"note"}) {
			t.Fatalf("got %q", got)
		}
		now += 20
	}
}

// Restless paths are not reported one by one.
func TestBatchesRestless(t *testing.T) {
	var r reporter
	batches := 0
	for ms := 0; ms < 2000; ms++ {
		for due, ok := r.NextDue(); ok && !due.After(at(ms)); due, ok = r.NextDue() {
			if len(r.TakeDue(due)) > 0 {
				batches++
			}
		}
		r.Add(fmt.Sprint(ms%500), at(ms))
	}
	if batches > 45 {
		t.Errorf("%d reports in 2 s", batches)
	}
}
