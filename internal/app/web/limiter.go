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

// Limiter limits how many questions are answered concurrently over all libraries of a server: more
// than the number of processors gives no faster answers, and each takes memory.
type Limiter struct {
	running chan struct{}
	waiting *guard.Quota
	most    time.Duration // maximum time to wait
	refused atomic.Int64
}

const (
	waitingEach = 64 // waiting questions per running one
	userShare   = 4  // a single user may fill at most 1/userShare of the queue
	longestTurn = 10 * time.Second
)

// NewLimiter returns a Limiter for a number of concurrent questions. If known is set, users are
// identified, and no single one may fill the queue.
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

// LimitLibrary returns a library whose questions pass through the limiter.
func (t *Limiter) LimitLibrary(library access.Library) access.Library {
	return limitedLibrary{library, t}
}

// Errors for questions that the limiter rejects.
var (
	errBusy = errors.New("the server is busy with the questions of others: ask again in 10 seconds")
	errMany = errors.New("too many of your questions wait for an answer: ask again when some have one")
)

// acquire blocks until a slot is free, or returns an error if too many questions wait. The slot is
// held until end is called.
func (t *Limiter) acquire(ctx context.Context) (end func(), err error) {
	leave, err := t.waiting.Acquire(signin.UserFrom(ctx).ID)
	if err != nil {
		t.refused.Add(1)
		if errors.Is(err, guard.ErrHolderQuotaExceeded) {
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

// limitedLibrary is a library whose questions pass through a Limiter.
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
