package bridge

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// renewals is how often the session is replaced for one message without a pause.
const renewals = 5

// retry calls try with the current session until it succeeds or fails for good: the server refuses
// the message, or has been unreachable for longer than hosts wait. Opening the stream of
// notifications is retried without limit.
func (b *bridge) retry(ctx context.Context, m message, try func(session) error) error {
	until, renewed := b.awake.now()+b.o.RetryTimeout, 0
	for tries := 0; ; tries++ {
		s, began := b.currentSession(), time.Now()
		err := try(s)
		if time.Since(began) > longestPause { // the server was reachable meanwhile
			tries = 0
		}
		again := errors.Is(err, errUnsent) || errors.Is(err, errLost) && b.isSafeToRepeat(m)
		if errors.Is(err, errSession) { // however often the server was not there
			renewed++
			switch renewal := b.renewSession(ctx, s); {
			case renewal != nil:
				err = renewal
			case renewed <= renewals:
				continue
			}
			again = errors.Is(err, errUnsent) || errors.Is(err, errLost) || errors.Is(err, errSession) // the next server may be gone already
		}
		wait := b.backoff(tries)
		if l := (retryLaterError{}); errors.As(err, &l) {
			wait = max(wait, l.after)
		}
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, errLost) && !again:
			return fmt.Errorf("%w; whether %s was done is not known", err, m.toolOrURI())
		case !again, m.method != methodListen && b.awake.now()+wait > until:
			b.noteUnreached(err)
			return fmt.Errorf("%s: %w", b.o.URL, err)
		}
		b.noteUnreached(err)
		if !pause(ctx, wait) {
			return ctx.Err()
		}
	}
}

// toolOrURI returns the name of the tool, or the URI of the resource, in a message.
func (m message) toolOrURI() string {
	switch {
	case m.tool != "":
		return m.tool
	case m.method != "":
		return m.method
	}
	return "it"
}

// isSafeToRepeat reports whether the server may receive a message twice. Only tool calls have
// effects, and most tools declare that they are idempotent.
func (b *bridge) isSafeToRepeat(m message) bool {
	if m.method != methodCall || b.o.AllCallsIdempotent {
		return len(m.of) == 0
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.harmless[m.tool]
}

// noteUnreached calls OnUnresponsive because of a problem, which it logs once until the server is
// reached again.
func (b *bridge) noteUnreached(why error) {
	b.o.OnUnresponsive()
	b.mu.Lock()
	defer b.mu.Unlock()
	if text := why.Error(); b.trouble != text {
		b.trouble = text
		b.o.Logger.Warn("the server does not answer", "url", b.o.URL, "reason", text)
	}
}

func (b *bridge) noteReached() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.trouble != "" {
		b.trouble = ""
		b.o.Logger.Warn("the server answers again", "url", b.o.URL)
	}
}

// backoff returns the pause before the next attempt, given the number of attempts so far.
func (b *bridge) backoff(tries int) time.Duration {
	return min(b.o.MaxRetryPause, 50*time.Millisecond<<min(tries, 10))
}

// pause waits for a duration, and reports false if ctx is done before.
func pause(ctx context.Context, d time.Duration) bool {
	select {
	case <-time.After(d):
		return true
	case <-ctx.Done():
		return false
	}
}

// awakeClock measures for how long this process has been running. The time in which it was stopped, as
// by a signal, does not count: the server did not fail in it, and may be another one afterwards.
type awakeClock struct {
	mu   sync.Mutex
	ran  time.Duration
	last time.Time // when ran was brought up to date
}

// tickEvery is how often an awakeClock is read at least. After a longer time the process was stopped.
const tickEvery = time.Second

func (c *awakeClock) now() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	c.ran += min(now.Sub(c.last), 2*tickEvery)
	c.last = now
	return c.ran
}

// run reads the clock until ctx is done.
func (c *awakeClock) run(ctx context.Context) {
	tick := time.NewTicker(tickEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			c.now()
		case <-ctx.Done():
			return
		}
	}
}
