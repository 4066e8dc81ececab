package web

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"vademecum/index"
	"vademecum/internal/app/web/access"
	"vademecum/internal/app/web/guard"
	"vademecum/internal/app/web/signin"
)

// Limiter limits how many questions are answered at the same time, over all libraries of a server:
// beyond the number of processors none is answered sooner, and each takes memory.
type Limiter struct {
	running chan struct{}
	waiting *guard.Quota
	most    time.Duration // to wait
	refused atomic.Int64
}

const (
	waitingEach = 64 // questions that wait for each that is answered
	userShare   = 4  // as many users fill the queue, and not one alone
	longestTurn = 10 * time.Second
)

// NewLimiter returns a Limiter for so many questions at once. If it is known who asks, no
// user may fill the whole queue.
func NewLimiter(atOnce int, known bool, stats *Stats) *Limiter {
	all := atOnce * waitingEach
	each := all + 1
	if known {
		each = all / userShare
	}
	t := &Limiter{running: make(chan struct{}, atOnce), waiting: guard.NewQuota(all, each), most: longestTurn}
	stats.watchLimiter(t)
	return t
}

// LimitLibrary returns a library whose questions go through the limiter.
func (t *Limiter) LimitLibrary(library access.Library) access.Library {
	return limitedLibrary{library, t}
}

// The errors of questions that the limiter rejects.
var (
	errBusy = errors.New("the server is busy with the questions of others: ask again in 10 seconds")
	errMany = errors.New("too many of your questions wait for an answer: ask again when some have one")
)

// acquire blocks until a slot is free, or returns an error when too many wait. The slot is taken
// until end is called.
func (t *Limiter) acquire(ctx context.Context) (end func(), err error) {
	leave, err := t.waiting.Acquire(signin.UserFrom(ctx).ID)
	if err != nil {
		t.refused.Add(1)
		if errors.Is(err, guard.ErrShare) {
			return nil, errMany
		}
		return nil, errBusy
	}
	defer leave()
	limit := time.NewTimer(t.most)
	defer limit.Stop()
	select {
	case t.running <- struct{}{}:
		return func() { <-t.running }, nil
	case <-limit.C:
		t.refused.Add(1)
		return nil, errBusy
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// limitedLibrary is a library whose questions go through a Limiter.
type limitedLibrary struct {
	access.Library
	turns *Limiter
}

// Search blocks until the limiter has a slot. It returns an error if too many questions wait.
func (l limitedLibrary) Search(ctx context.Context, q index.Query) (index.Answer, error) {
	end, err := l.turns.acquire(ctx)
	if err != nil {
		return index.Answer{}, err
	}
	defer end()
	return l.Library.Search(ctx, q)
}
