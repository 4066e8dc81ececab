package docs

import (
	"context"
	"errors"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"vademecum/internal/base/message"
)

// The file system of a folder, such as that of a network drive, may stop answering. A call that
// waits for it cannot be ended, only abandoned.

// ErrNotResponding is matched by errors about a folder whose file system does not answer.
var ErrNotResponding = message.Errorf("the folder does not respond: ask again when its drive or network does")

const (
	// silence is how long a file system may take for one answer before it counts as silent.
	silence = 2 * time.Second
	// patience is how long background work continues without an answer: a sleeping disk
	// takes some seconds to start, and a cloud drive may fetch a whole file first.
	patience = time.Minute
	// lookLimit is how long a caller waits for a brief operation such as a stat.
	lookLimit = time.Second
)

// pendingCalls are the calls to the file system of a folder that are in progress.
type pendingCalls struct {
	mu   sync.Mutex
	open map[*pendingCall]bool
	look chan struct{} // holds one element while a brief operation is in progress

	began func(what string) // called when a call begins; nil except in tests
}

// A pendingCall is work on the file system in several steps, each of which counts as an answer.
type pendingCall struct {
	calls *pendingCalls
	last  atomic.Int64 // when the file system last answered, in awakeNanos
	left  atomic.Bool  // whether the caller no longer waits for the call
}

var start = time.Now()

// awakeNanos returns a monotonic time that stops while the system sleeps.
func awakeNanos() int64 { return int64(time.Since(start)) }

func newPendingCalls() *pendingCalls {
	return &pendingCalls{open: make(map[*pendingCall]bool), look: make(chan struct{}, 1)}
}

func (cs *pendingCalls) add() *pendingCall {
	c := &pendingCall{calls: cs}
	c.noteAnswer()
	cs.mu.Lock()
	defer cs.mu.Unlock()
	cs.open[c] = true
	return c
}

func (c *pendingCall) end() {
	c.calls.mu.Lock()
	defer c.calls.mu.Unlock()
	delete(c.calls.open, c)
}

// noteAnswer records that the file system has completed a step of the work.
func (c *pendingCall) noteAnswer() {
	if c != nil {
		c.last.Store(awakeNanos())
	}
}

// UnresponsiveFor returns for how long the file system of the folder has not answered; 0 if it answers.
func (f *Folder) UnresponsiveFor() time.Duration { return f.calls.unresponsiveFor() }

func (cs *pendingCalls) unresponsiveFor() time.Duration {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	longest, now := time.Duration(0), awakeNanos()
	for c := range cs.open {
		if since := time.Duration(now - c.last.Load()); since > silence || c.left.Load() {
			longest = max(longest, since)
		}
	}
	return longest
}

// IsResponding reports whether the file system of the folder answers soon. Whether the folder exists
// is reported by MissingError.
func (f *Folder) IsResponding() bool {
	if f.IsRemote() {
		return true
	}
	_, err := runBriefly(f.calls, "answers", func() (*os.Root, error) { return f.currentRoot() })
	return !errors.Is(err, ErrNotResponding)
}

// runAbandonable runs work on the file system. It returns early when ctx ends, and with ErrNotResponding
// after a long time without an answer. The work then continues in the background; the caller has to
// limit how much of it there can be.
func runAbandonable[T any](ctx context.Context, f *Folder, what string, work func(*pendingCall) (T, error)) (T, error) {
	var none T
	c, done := startCall(f.calls, what, work)
	limit := time.NewTimer(patience)
	defer limit.Stop()
	for {
		select {
		case o := <-done:
			return o.result()
		case <-ctx.Done():
			return none, ctx.Err()
		case <-limit.C:
		}
		left := patience - time.Duration(awakeNanos()-c.last.Load())
		if left <= 0 {
			c.left.Store(true)
			return none, ErrNotResponding
		}
		limit.Reset(left)
	}
}

// runBriefly runs a brief operation on the file system for a waiting caller. It fails with
// ErrNotResponding if there is no answer soon; later calls then fail at once until there is one. So at
// most one call is left in the background.
func runBriefly[T any](calls *pendingCalls, what string, work func() (T, error)) (T, error) {
	var none T
	limit := time.NewTimer(lookLimit)
	defer limit.Stop()
	if calls.unresponsiveFor() > 0 {
		return none, ErrNotResponding
	}
	select {
	case calls.look <- struct{}{}:
	case <-limit.C:
		return none, ErrNotResponding
	}
	own, done := startCall(calls, what, func(*pendingCall) (T, error) {
		defer func() { <-calls.look }()
		return work()
	})
	select {
	case o := <-done:
		return o.result()
	case <-limit.C:
		own.left.Store(true)
		return none, ErrNotResponding
	}
}

type outcome[T any] struct {
	value T
	err   error
	panic any
}

// result returns the result of the work, or panics as the work did.
func (o outcome[T]) result() (T, error) {
	if o.panic != nil {
		panic(o.panic)
	}
	return o.value, o.err
}

// startCall starts work on the file system in another goroutine.
func startCall[T any](calls *pendingCalls, what string, work func(*pendingCall) (T, error)) (*pendingCall, <-chan outcome[T]) {
	done := make(chan outcome[T], 1)
	c := calls.add()
	go func() {
		var o outcome[T]
		defer func() {
			o.panic = recover()
			c.end()
			done <- o
		}()
		if calls.began != nil {
			calls.began(what)
		}
		o.value, o.err = work(c)
	}()
	return c, done
}
