package guard

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"
)

// TestRate checks that each client has its own rate, which recovers with time, and that the number
// of clients in memory is limited.
func TestRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := NewRateLimiter(5)
		allowed := func(who string) (n int) {
			for range 100 {
				if r.Allow(who, 1) {
					n++
				}
			}
			return n
		}
		if a, b := allowed("a"), allowed("b"); a != 20 || b != 20 {
			t.Errorf("%d and %d at once, want 20 each", a, b)
		}
		time.Sleep(2 * time.Second)
		if a := allowed("a"); a != 10 {
			t.Errorf("%d after two seconds, want 10", a)
		}
		for i := range 3 * maxClients {
			r.Allow(fmt.Sprint(i), 1)
		}
		if n := len(r.of); n > maxClients {
			t.Errorf("%d are remembered", n)
		}
	})
}
