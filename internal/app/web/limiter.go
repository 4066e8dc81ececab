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

// QuestionLimiter limits how many questions are answered concurrently over all libraries of a server.
// Questions of different costs have separate limits, so that a search does not wait for a scan of
// all texts.
type QuestionLimiter struct {
	lanes   map[index.Cost]*lane // the limits of each cost; costs without an entry are not limited
	maxWait time.Duration        // how long a question waits at most
	refused atomic.Int64
}

// lane limits the questions of one cost.
type lane struct {
	running chan struct{}
	waiting *guard.Quota
}

const (
	waitingEach = 64 // waiting questions per running one
	userShare   = 4  // a single user may have at most 1/userShare of the waiting questions
	longestTurn = 10 * time.Second
	// maximum number of concurrent scans; each uses all processors unless it waits for another scan of
	// its library
	scansAtOnce = 2
)

// NewQuestionLimiter returns a limiter that admits maxSearches concurrent searches: more than the number of
// processors gives no faster answers, and each takes memory. If hasUsers is set, users are identified,
// and no single user may fill the queue.
func NewQuestionLimiter(maxSearches int, hasUsers bool, stats *Stats) *QuestionLimiter {
	newLane := func(atOnce int) *lane {
		all := atOnce * waitingEach
		each := all + 1
		if hasUsers {
			each = all / userShare
		}
		return &lane{running: make(chan struct{}, atOnce), waiting: guard.NewQuota(all, each)}
	}
	t := &QuestionLimiter{maxWait: longestTurn, lanes: map[index.Cost]*lane{
		index.CostSearch: newLane(maxSearches), index.CostScan: newLane(scansAtOnce), index.CostPattern: newLane(scansAtOnce),
	}}
	stats.watchLimiter(t)
	return t
}

// counts returns how many questions are being answered, and how many are waiting.
func (t *QuestionLimiter) counts() (running, waiting int) {
	for _, l := range t.lanes {
		running, waiting = running+len(l.running), waiting+l.waiting.InUse()
	}
	return running, waiting
}

// LimitLibrary returns the library with its questions limited by t.
func (t *QuestionLimiter) LimitLibrary(library access.Library) access.Library {
	return limitedLibrary{library, t}
}

// Errors for questions that the limiter rejects.
var (
	errBusy = errors.New("the server is busy with the questions of others: ask again in 10 seconds")
	errMany = errors.New("too many of your questions wait for an answer: ask again when some have one")
)

// acquire blocks until a question of a cost may be answered; end must be called when it has been.
// It returns an error if too many questions are waiting, or after a time limit.
func (t *QuestionLimiter) acquire(ctx context.Context, cost index.Cost) (end func(), err error) {
	l := t.lanes[cost]
	if l == nil {
		return func() {}, nil
	}
	leave, err := l.waiting.Acquire(signin.UserFrom(ctx).ID)
	if err != nil {
		t.refused.Add(1)
		if errors.Is(err, guard.ErrHolderQuotaExceeded) {
			return nil, errMany
		}
		return nil, errBusy
	}
	defer leave()
	limit := time.NewTimer(t.maxWait)
	defer limit.Stop()
	select {
	case l.running <- struct{}{}:
		return func() { <-l.running }, nil
	case <-limit.C:
		t.refused.Add(1)
		return nil, errBusy
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// limitedLibrary is a library whose questions wait until a limiter admits them.
type limitedLibrary struct {
	access.Library
	turns *QuestionLimiter
}

// Ask answers a question once the limiter admits it. It returns an error if too many questions are
// waiting.
func (l limitedLibrary) Ask(ctx context.Context, q index.Question) (index.Reply, error) {
	end, err := l.turns.acquire(ctx, q.Cost())
	if err != nil {
		return nil, err
	}
	defer end()
	return l.Library.Ask(ctx, q)
}
