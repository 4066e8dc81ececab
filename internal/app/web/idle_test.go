package web

import (
	"testing"
	"testing/synctest"
	"time"
)

// TestIdleness checks that the idle time is counted from the end of the last request.
func TestIdleness(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		i := newIdleTimer(time.Hour)
		isOver := func() bool {
			synctest.Wait()
			select {
			case <-i.over:
				return true
			default:
				return false
			}
		}
		time.Sleep(59 * time.Minute)
		stream, page := i.beginRequest(), i.beginRequest()
		page()
		time.Sleep(10 * time.Hour)
		if isOver() {
			t.Fatal("it is over while a stream is open")
		}
		stream()
		time.Sleep(59 * time.Minute)
		i.beginRequest()()
		time.Sleep(59 * time.Minute)
		if isOver() {
			t.Fatal("it is over too soon")
		}
		time.Sleep(2 * time.Minute)
		if !isOver() {
			t.Error("it never ends")
		}
		i.beginRequest()()
		time.Sleep(2 * time.Hour) // it does not expire twice
		i = newIdleTimer(0)
		i.beginRequest()()
		time.Sleep(1000 * time.Hour)
		if isOver() {
			t.Error("it ends although it is to wait for ever")
		}
	})
}
