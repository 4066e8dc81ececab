package embed

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestCircuit has a service that is away for a time.
func TestCircuit(t *testing.T) {
	clearEnvironment(t)
	for _, kind := range []TextKind{Passage, Query} {
		synctest.Test(t, func(t *testing.T) {
			s, r := newBubbleServer(t, bubble)
			transport := r.client.Transport.(*http.Transport)
			listening, dials := transport.DialContext, 0
			transport.DialContext = func(context.Context, string, string) (net.Conn, error) {
				dials++
				return nil, &net.OpError{Op: "dial", Net: "tcp", Err: errors.New("connection refused")}
			}
			const want = "reach HOST: connection refused"
			began := time.Now()
			for range 200 { // 20 s
				_, err := r.Embed(t.Context(), kind, []string{"a"})
				checkError(t, err, want, s)
				time.Sleep(100 * time.Millisecond)
			}
			// At 0, 1, 3, 7 (4 s later), 12 and 17 s.
			if dials != 6 {
				t.Errorf("%d dials in 20 s, want 6", dials)
			}
			if took := time.Since(began); took != 20*time.Second {
				t.Errorf("the calls took %v", took-20*time.Second)
			}
			transport.DialContext = listening
			back := time.Now()
			for {
				_, err := r.Embed(t.Context(), kind, []string{"a"})
				if err == nil {
					break
				}
				checkError(t, err, want, s)
				time.Sleep(100 * time.Millisecond)
			}
			if took := time.Since(back); took > lastCoolOff {
				t.Errorf("recovery showed after %v, want %v at most", took, lastCoolOff)
			}
			if _, err := r.Embed(t.Context(), kind, manyTexts(100)); err != nil {
				t.Errorf("after the recovery: %v", err)
			}
		})
	}
}

// TestCircuitLetsOneTry checks that while a request tries whether the service is
// back, other passages wait for it, other queries fail, and one of the other
// kind may try.
func TestCircuitLetsOneTry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c circuitBreaker
		reason := errors.New("down")
		c.failed(reason)
		if _, err := c.enter(t.Context(), Passage); err != reason {
			t.Errorf("error %v in the cool-off, want the reason", err)
		}
		time.Sleep(firstCoolOff)
		leave, err := c.enter(t.Context(), Passage)
		if err != nil {
			t.Fatalf("error %v after the cool-off", err)
		}
		waited := make(chan error, 1)
		go func() {
			leave, err := c.enter(t.Context(), Passage)
			if err == nil {
				leave()
			}
			waited <- err
		}()
		synctest.Wait()
		select {
		case err := <-waited:
			t.Errorf("beside the one that tries another does not wait: %v", err)
		default:
		}
		leaveQuery, err := c.enter(t.Context(), Query)
		if err != nil {
			t.Errorf("error %v for a query, want none", err)
		}
		if _, err := c.enter(t.Context(), Query); err != reason {
			t.Errorf("error %v for another query, want the reason", err)
		}
		leaveQuery()
		leave() // without a result, as when it is cancelled
		if err := <-waited; err != nil {
			t.Errorf("error %v for the next to try, want none", err)
		}
		leave, err = c.enter(t.Context(), Passage)
		if err != nil {
			t.Errorf("error %v for a third, want none", err)
		}
		c.succeeded()
		leave()
		if err := c.openReason(Passage); err != nil {
			t.Errorf("error %v after a success", err)
		}
	})
}

// TestQueryPatience has a server that is slower than whoever asks: only the first
// query waits, and passages go on.
func TestQueryPatience(t *testing.T) {
	clearEnvironment(t)
	synctest.Test(t, func(t *testing.T) {
		s, r := newBubbleServer(t, bubble)
		s.latency = 10 * time.Second
		ask := func() (time.Duration, error) {
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
			defer cancel()
			began := time.Now()
			_, err := r.Embed(ctx, Query, []string{"q"})
			return time.Since(began), err
		}
		if took, err := ask(); took != 2*time.Second || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the first query took %v (error %v), want 2s", took, err)
		}
		took, err := ask()
		checkError(t, err, "HOST did not answer the last question in time", s)
		if took != 0 {
			t.Errorf("the second query took %v, want none", took)
		}
		if _, err := r.Embed(t.Context(), Passage, []string{"p"}); err != nil {
			t.Errorf("a passage: %v", err)
		}
		s.latency = 0
		if _, err := ask(); err != nil {
			t.Errorf("a query when the server is well again: %v", err)
		}
	})
}

func TestCircuitAfterRefusal(t *testing.T) {
	clearEnvironment(t)
	synctest.Test(t, func(t *testing.T) {
		s, r := newBubbleServer(t, bubble)
		s.refuse = func(w http.ResponseWriter, _ apiRequest) bool {
			writeError(w, http.StatusNotFound, "model not found, try pulling it first", "api_error")
			return true
		}
		for range 5 {
			_, err := r.Embed(t.Context(), Passage, manyTexts(1000))
			if err == nil || !strings.Contains(err.Error(), "try pulling it first") {
				t.Errorf("error %v", err)
			}
		}
		if s.count() > firstRequests {
			t.Errorf("%d requests, want those of the first call alone", s.count())
		}
	})
}
