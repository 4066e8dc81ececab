package web

import (
	"context"
	"errors"
	"time"

	"vademecum/index"
	"vademecum/mcp"
)

// turns is a library whose questions take turns: more at once than there are
// processors are answered no sooner, and each takes memory.
type turns struct {
	mcp.Library
	running chan struct{}
	waiting chan struct{}
	most    time.Duration // to wait
}

// How many questions wait for each that is answered, and how long.
const (
	waitingEach = 64
	longestTurn = 10 * time.Second
)

// TakeTurns bounds how many questions a library answers at once.
func TakeTurns(library mcp.Library, atOnce int) mcp.Library {
	return &turns{library, make(chan struct{}, atOnce), make(chan struct{}, atOnce*waitingEach), longestTurn}
}

var errBusy = errors.New("the server is busy with the questions of others: ask again in a moment")

// Search waits for its turn, if not too many do already.
func (t *turns) Search(ctx context.Context, q index.Query) (index.Answer, error) {
	select {
	case t.waiting <- struct{}{}:
	default:
		return index.Answer{}, errBusy
	}
	limit := time.NewTimer(t.most)
	defer limit.Stop()
	var err error
	select {
	case t.running <- struct{}{}:
		defer func() { <-t.running }()
	case <-limit.C:
		err = errBusy
	case <-ctx.Done():
		err = ctx.Err()
	}
	<-t.waiting
	if err != nil {
		return index.Answer{}, err
	}
	return t.Library.Search(ctx, q)
}
