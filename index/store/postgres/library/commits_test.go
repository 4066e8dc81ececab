package library

import "testing"

// TestVersionOfOthers: what this process has committed does not change its version,
// even where it was not certain for a while.
func TestVersionOfOthers(t *testing.T) {
	var c ownVersions
	c.add(6)
	if got := c.countForeignUpTo(5); got != 5 {
		t.Errorf("before the commit: %d", got)
	}
	if got := c.countForeignUpTo(6); got != 5 {
		t.Errorf("after the commit: %d", got)
	}
	c.add(7)
	if got := c.countForeignUpTo(7); got != 5 { // in truth another's
		t.Errorf("what seems to be its own: %d", got)
	}
	c.remove(7)
	if got := c.countForeignUpTo(7); got == 5 {
		t.Errorf("that of another is missed: %d", got)
	}
	c.add(8)
	c.remove(8)
	if got := c.countForeignUpTo(8); got != 7 {
		t.Errorf("what was taken back in time: %d", got)
	}
}
