package embed

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

const here = "http://127.0.0.1/v1#m"

func TestRequestsAtOnce(t *testing.T) {
	clearEnvironment(t)
	for _, tt := range []struct {
		name, spec string
		serial     bool // the server answers one request after the other
		least      int
		most       int
	}{
		{"grows", bubble, false, 16, 16},
		{"on this machine", here, false, 8, 8},
		{"serial server", bubble, true, 4, 6},
		{"serial server on this machine", here, true, 4, 5},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, r := newBubbleServer(t, tt.spec)
				turn := make(chan struct{}, 1)
				if tt.serial {
					s.refuse = func(http.ResponseWriter, apiRequest) bool {
						turn <- struct{}{}
						defer func() { <-turn }()
						return sleepContext(t.Context(), 50*time.Millisecond) != nil
					}
				} else {
					s.latency = 50 * time.Millisecond
				}
				if _, err := r.Embed(t.Context(), Passage, manyTexts(64*100)); err != nil {
					t.Fatal(err)
				}
				if s.atOnce < tt.least || s.atOnce > tt.most {
					t.Errorf("%d requests at once, want %d to %d", s.atOnce, tt.least, tt.most)
				}
			})
		})
	}
}

func TestLimiterCuts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newConcurrencyLimiter(false)
		l.limit = 16
		began := time.Now()
		time.Sleep(time.Second)
		for range 5 { // all of one time
			l.halveLimit(began)
		}
		if l.limit != 8 {
			t.Errorf("limit %v after one cut, want 8", l.limit)
		}
		for range 10 {
			time.Sleep(time.Second)
			l.halveLimit(time.Now())
		}
		if l.limit != 1 {
			t.Errorf("limit %v after many cuts, want 1", l.limit)
		}
		for range 20 {
			if err := l.acquire(t.Context(), 0); err != nil {
				t.Fatal(err)
			}
			l.succeeded(100, time.Second)
			l.release()
		}
		if l.limit < 2 || l.limit > 4 {
			t.Errorf("limit %v after 20 requests that succeeded one by one, want some more than 1", l.limit)
		}
	})
}

func TestLimiterQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newConcurrencyLimiter(false)
		for range firstRequests {
			if err := l.acquire(t.Context(), 0); err != nil {
				t.Fatal(err)
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		var order []int
		var group sync.WaitGroup
		for i := range 3 {
			group.Go(func() {
				mine := t.Context()
				if i == 1 {
					mine = ctx
				}
				if err := l.acquire(mine, 0); (err != nil) != (i == 1) {
					t.Errorf("acquire %d: %v", i, err)
				}
				order = append(order, i) // one at a time, as release lets them go
			})
			synctest.Wait()
		}
		cancel()
		synctest.Wait()
		l.release()
		synctest.Wait()
		l.release()
		group.Wait()
		if len(order) != 3 || order[0] != 1 || order[1] != 0 || order[2] != 2 {
			t.Errorf("they came in the order %v, want 1 (cancelled), 0, 2", order)
		}
		for range firstRequests {
			l.release()
		}
		if l.inFlight != 0 || len(l.queue) != 0 {
			t.Errorf("%d in flight and %d waiting in the end, want none", l.inFlight, len(l.queue))
		}
	})
}

// TestSlowsDown has a service that takes three requests at once.
func TestSlowsDown(t *testing.T) {
	clearEnvironment(t)
	synctest.Test(t, func(t *testing.T) {
		s, r := newBubbleServer(t, bubble)
		s.latency = 100 * time.Millisecond
		refused := 0
		s.instead = func(w http.ResponseWriter, _ int) bool {
			s.mu.Lock()
			defer s.mu.Unlock()
			if s.inFlight <= 3 {
				return false
			}
			refused++
			w.Header().Set("Retry-After", "1")
			writeError(w, 429, "slow down", "requests")
			return true
		}
		texts := manyTexts(64 * 40)
		vectors, err := r.Embed(t.Context(), Passage, texts)
		if err != nil {
			t.Fatal(err)
		}
		checkVectors(t, vectors, texts, 8)
		if refused == 0 || refused > 40 {
			t.Errorf("%d of %d requests came too early, want some", refused, s.count())
		}
	})
}

func TestPauseIsForAll(t *testing.T) {
	clearEnvironment(t)
	synctest.Test(t, func(t *testing.T) {
		s, r := newBubbleServer(t, bubble)
		s.instead = func(w http.ResponseWriter, count int) bool {
			if count == 1 {
				w.Header().Set("Retry-After", "60")
				writeError(w, 429, "slow down", "requests")
			}
			return count == 1
		}
		began := time.Now()
		var group sync.WaitGroup
		for i := range 5 {
			group.Go(func() {
				time.Sleep(time.Duration(i) * time.Second)
				if _, err := r.Embed(t.Context(), Passage, []string{"p"}); err != nil {
					t.Error(err)
				}
				if took := time.Since(began); took != time.Minute {
					t.Errorf("call %d ended after %v, want 1m", i, took)
				}
			})
		}
		time.Sleep(20 * time.Second)
		_, err := r.Embed(t.Context(), Query, []string{"q"})
		checkError(t, err, "429 Too Many Requests from HOST: slow down (it asks to wait 40s)", s)
		if took := time.Since(began); took != 20*time.Second {
			t.Errorf("the query waited until %v", took)
		}
		group.Wait()
		if _, err := r.Embed(t.Context(), Query, []string{"q"}); err != nil {
			t.Errorf("a query after the pause: %v", err)
		}
	})
}

func TestQueryGoesAhead(t *testing.T) {
	clearEnvironment(t)
	synctest.Test(t, func(t *testing.T) {
		s, r := newBubbleServer(t, bubble)
		s.latency = time.Second
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() {
			_, err := r.Embed(ctx, Passage, manyTexts(64*1000))
			done <- err
		}()
		time.Sleep(10*time.Second + 500*time.Millisecond)
		began := time.Now()
		if _, err := r.Embed(ctx, Query, []string{"q"}); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(began); took != time.Second {
			t.Errorf("the query took %v, want the latency of the server", took)
		}
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("error %v, want context.Canceled", err)
		}
	})
}

// TestLimiterOrder: what was begun first is through first.
func TestLimiterOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newConcurrencyLimiter(false)
		l.limit = 1
		if err := l.acquire(t.Context(), 0); err != nil {
			t.Fatal(err)
		}
		var order []int64
		for _, ticket := range []int64{3, 1, 2, 1} {
			go func() {
				if err := l.acquire(t.Context(), ticket); err != nil {
					t.Error(err)
				}
				order = append(order, ticket) // one at a time
				l.release()
			}()
			synctest.Wait()
		}
		l.release()
		synctest.Wait()
		if !slices.Equal(order, []int64{1, 1, 2, 3}) {
			t.Errorf("served in the order %v", order)
		}
	})
}
