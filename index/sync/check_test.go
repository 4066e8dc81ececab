package sync

import (
	"testing"
	"testing/synctest"
	"time"
)

// TestWhoAsksMeanwhile: who meets damage while all is being compared waits for the next
// comparison, as that of now may have passed it by.
func TestWhoAsksMeanwhile(t *testing.T) {
	c := newCheckRequests()
	first := c.request(false)
	<-c.wanted
	own, all, others := c.beginCheck()
	if !others || first != (<-chan struct{})(all) {
		t.Error("who has asked does not wait for this one")
	}
	second, third := c.request(true), c.request(false)
	close(own)
	close(all)
	select {
	case <-second:
		t.Error("it is not compared again")
	case <-third:
		t.Error("it is not compared again")
	case <-c.wanted: // so it is
	}
	own, all, _ = c.beginCheck()
	if second != (<-chan struct{})(own) || third != (<-chan struct{})(all) {
		t.Error("they do not wait for the next one")
	}
}

// TestNothingInVain: when nothing is found nobody has all be read again soon.
func TestNothingInVain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCheckRequests()
		c.pauseRequests(time.Minute)
		if c.request(false) != nil || c.request(true) != nil || len(c.wanted) > 0 {
			t.Error("it is compared again at once")
		}
		time.Sleep(time.Minute)
		if c.request(false) == nil || len(c.wanted) == 0 {
			t.Error("it is never compared again")
		}
	})
}
