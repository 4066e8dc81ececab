package web

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"vademecum/index"
	"vademecum/internal/web/access"
	"vademecum/internal/web/guard"
	"vademecum/internal/web/signin"
)

// Turns are taken by the questions to all libraries of a server: more at once than
// there are processors are answered no sooner, and each takes memory.
type Turns struct {
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

// NewTurns bounds how many questions are answered at once. Where it is known whose
// they are, nobody has the whole queue.
func NewTurns(atOnce int, known bool, stats *Stats) *Turns {
	all := atOnce * waitingEach
	each := all + 1
	if known {
		each = all / userShare
	}
	t := &Turns{running: make(chan struct{}, atOnce), waiting: guard.NewQuota(all, each), most: longestTurn}
	stats.watchTurns(t)
	return t
}

// Of has the questions to a library take turns.
func (t *Turns) Of(library access.Library) access.Library { return inTurn{library, t} }

// What a question that is turned away is told.
var (
	errBusy = errors.New("the server is busy with the questions of others: ask again in 10 seconds")
	errMany = errors.New("too many of your questions wait for an answer: ask again when some have one")
)

// take waits for a turn, which lasts until end is called.
func (t *Turns) take(ctx context.Context) (end func(), err error) {
	leave, err := t.waiting.Take(signin.From(ctx).ID)
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

// inTurn is a library whose questions take turns.
type inTurn struct {
	access.Library
	turns *Turns
}

// Search waits for its turn, if not too many do already.
func (l inTurn) Search(ctx context.Context, q index.Query) (index.Answer, error) {
	end, err := l.turns.take(ctx)
	if err != nil {
		return index.Answer{}, err
	}
	defer end()
	return l.Library.Search(ctx, q)
}
