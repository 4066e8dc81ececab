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

// longestWait is the time limit for something that should take a second or three, but may take many
// times as long on a busy machine.
const longestWait = time.Minute

// poll waits until ok returns true, and reports whether it did in time. Nothing signals what other
// processes do. It pauses between attempts to leave the processor to them.
func poll(limit time.Duration, ok func() bool) bool {
	for start := time.Now(); !ok(); time.Sleep(pollPause) {
		if time.Since(start) > limit {
			return false
		}
	}
	return true
}

const pollPause = 20 * time.Millisecond

// awaitAll queries every server until its answer is ok, and returns for each how long after start
// that was.
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
	for ; ; time.Sleep(min(max(2*time.Millisecond, time.Since(start)/16), pollPause)) { // the time it takes is reported
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

// awaitList waits until the list of documents begins with a text.
func (s *client) awaitList(beginning string) (err error) {
	list := ""
	begins := poll(longestWait, func() bool {
		var blocks []content
		if blocks, err = s.tool("list_docs", `{}`); err != nil {
			return true
		}
		list = blocks[0].Text
		return strings.HasPrefix(list, beginning)
	})
	if !begins {
		return fmt.Errorf("the list still begins with %.100s, not %s", list, beginning)
	}
	return err
}

// await polls until ok.
func await(t testing.TB, what string, ok func() bool) {
	t.Helper()
	if !poll(longestCall, ok) {
		t.Fatalf("after %s there is not %s", longestCall, what)
	}
}

// awaitEnd waits for the end of a program, and requires that it succeeds.
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
