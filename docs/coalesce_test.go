package docs

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

func TestCoalescer(t *testing.T) {
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	at := func(ms int) time.Time { return start.Add(time.Duration(ms) * time.Millisecond) }
	var c coalescer
	if _, ok := c.due(); ok {
		t.Fatal("due without a change")
	}
	c.add("b", at(0))
	c.add("a", at(30))
	c.add("b", at(40))
	if due, ok := c.due(); !ok || !due.Equal(at(90)) {
		t.Errorf("due %v, want 50 ms after the last change", due.Sub(start))
	}
	if got := c.take(); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("got %q", got)
	}
	if _, ok := c.due(); ok {
		t.Error("due again after take")
	}
	for ms := 1000; ms <= 1290; ms += 10 {
		c.add("busy", at(ms))
	}
	if due, _ := c.due(); !due.Equal(at(1300)) {
		t.Errorf("due %v, want 300 ms after the first change", due.Sub(start))
	}
	c.add(everything, at(1295))
	c.add("more", at(1296))
	if got := c.take(); !slices.Equal(got, []string{everything}) {
		t.Errorf("got %q", got)
	}
}

func TestCoalescerIsBounded(t *testing.T) {
	var c coalescer
	for i := range maxPending + 1 {
		c.add(fmt.Sprint(i), time.Time{})
	}
	if got := c.take(); !slices.Equal(got, []string{everything}) {
		t.Errorf("got %d paths", len(got))
	}
}
