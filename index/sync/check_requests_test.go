package sync

import (
	"context"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"
)

// awaiting requests a check, and returns a channel that receives whether it was done.
func awaiting(s *Syncer, isForAnother bool) <-chan bool {
	answer := make(chan bool, 1)
	go func() { answer <- s.awaitCheck(context.Background(), isForAnother) }()
	return answer
}

// TestWhoAsksMeanwhile: who meets damage while all is being compared waits for the next
// comparison, as that of now may have passed it by.
func TestWhoAsksMeanwhile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &Syncer{checks: make(chan checkRequest, 1), log: slog.New(slog.DiscardHandler)}
		c := &checker{s: s}
		first, second := awaiting(s, false), awaiting(s, true)
		synctest.Wait()
		s.RequestDamageCheck() // finds a request that waits already
		requests := c.accept()
		if len(requests) != 2 {
			t.Errorf("%d requests are taken", len(requests))
		}
		third := awaiting(s, false)
		c.checkAll(t.Context(), requests)
		synctest.Wait()
		if len(third) > 0 || !<-first || !<-second {
			t.Error("who has asked is not answered, or who asked later is")
		}
		c.quiet = time.Time{} // as if something had been found
		c.checkAll(t.Context(), c.accept())
		if !<-third {
			t.Error("it is not compared again")
		}
	})
}

// TestNothingInVain: when nothing is found nobody has all be read again soon.
func TestNothingInVain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &Syncer{checks: make(chan checkRequest, 1), log: slog.New(slog.DiscardHandler)}
		c := &checker{s: s, quiet: time.Now().Add(time.Minute)}
		first, second := awaiting(s, false), awaiting(s, true)
		synctest.Wait()
		if len(c.accept()) > 0 || <-first || <-second {
			t.Error("it is compared again at once")
		}
		time.Sleep(time.Minute)
		s.RequestDamageCheck()
		if len(c.accept()) != 1 {
			t.Error("it is never compared again")
		}
	})
}
