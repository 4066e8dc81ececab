package e2e

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// longestWait ends a wait for what should take a second or three, and many times
// as long under the race detector.
var longestWait = func() time.Duration {
	if underRace() {
		return time.Minute
	}
	return 10 * time.Second
}()

// awaitAll queries every server until its answer is ok, and returns how long after start
// that was for each.
func awaitAll(t *testing.T, start time.Time, servers []*client, query string, ok func(found) bool) []time.Duration {
	t.Helper()
	took, failed := make([]time.Duration, len(servers)), make([]error, len(servers))
	var group sync.WaitGroup
	for i, s := range servers {
		group.Go(func() { took[i], failed[i] = s.await(start, query, ok) })
	}
	group.Wait()
	if err := errors.Join(failed...); err != nil {
		t.Fatalf("%q: %v", query, err)
	}
	return took
}

func (s *client) await(start time.Time, query string, ok func(found) bool) (time.Duration, error) {
	for {
		f, err := s.retrieve(query)
		since := time.Since(start)
		switch {
		case err != nil:
			return since, err
		case ok(f):
			return since, nil
		case since > longestWait:
			return since, fmt.Errorf("after %s the answer of process %d is still\n%s", longestWait, s.cmd.Process.Pid, f)
		}
		time.Sleep(2 * time.Millisecond) // leave the processor to the server
	}
}

// awaitAnswer repeats a query until the answer is ok.
func awaitAnswer(t *testing.T, s *client, ok func(found) bool) (f found) {
	t.Helper()
	if _, err := s.await(time.Now(), "warfarin", func(now found) bool { f = now; return ok(now) }); err != nil {
		t.Fatal(err)
	}
	return f
}

// pollPause is how long a test waits until it looks again: it leaves the processor to the
// server.
const pollPause = 20 * time.Millisecond

// awaitList waits until the list of documents begins so.
func (s *client) awaitList(beginning string) error {
	for start := time.Now(); ; {
		blocks, err := s.tool("list_docs", `{}`)
		if err != nil {
			return err
		}
		if strings.HasPrefix(blocks[0].Text, beginning) {
			return nil
		}
		if time.Since(start) > longestWait {
			return fmt.Errorf("the list still begins with %.100s, not %s", blocks[0].Text, beginning)
		}
		time.Sleep(pollPause)
	}
}

// await polls until ok.
func await(t testing.TB, what string, ok func() bool) {
	t.Helper()
	for start := time.Now(); !ok(); time.Sleep(pollPause) {
		if time.Since(start) > longestCall {
			t.Fatalf("after %s there is not %s", longestCall, what)
		}
	}
}

// awaitEnd waits for the end of a program, and for it to be in good order.
func awaitEnd(t *testing.T, what string, wait func() error) {
	t.Helper()
	start := time.Now()
	ended := make(chan error, 1)
	go func() { ended <- wait() }()
	select {
	case err := <-ended:
		if err != nil {
			t.Errorf("%s: ended with %v", what, err)
		}
		t.Logf("%s: ended after %s", what, time.Since(start).Round(time.Millisecond))
	case <-time.After(longestWait):
		t.Errorf("%s: still running after %s", what, longestWait)
	}
}

// quantiles describes the distribution of durations.
func quantiles(all []time.Duration) string {
	slices.Sort(all)
	at := func(share float64) time.Duration {
		return all[int(share*float64(len(all)-1))].Round(100 * time.Microsecond)
	}
	return fmt.Sprintf("p50 %s, p95 %s, p99 %s, max %s of %d", at(0.5), at(0.95), at(0.99), at(1), len(all))
}
