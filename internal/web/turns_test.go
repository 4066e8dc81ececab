package web

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"vademecum/index"
	"vademecum/mcp"
)

// slowLibrary answers a question when it is told to.
type slowLibrary struct {
	mcp.Library
	answers chan struct{}
}

func (l slowLibrary) Search(context.Context, index.Query) (index.Answer, error) {
	<-l.answers
	return index.Answer{}, nil
}

// TestTurns: questions wait for those before them, but not for ever, and not too
// many.
func TestTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := slowLibrary{answers: make(chan struct{})}
		library := TakeTurns(slow, 1)
		failed := make(chan error, 2*waitingEach)
		ask := func() {
			_, err := library.Search(t.Context(), index.Query{})
			failed <- err
		}
		go ask()
		synctest.Wait()
		for range waitingEach {
			go ask()
		}
		synctest.Wait()
		if _, err := library.Search(t.Context(), index.Query{}); !errors.Is(err, errBusy) {
			t.Errorf("one too many gets %v", err)
		}
		slow.answers <- struct{}{}
		if err := <-failed; err != nil {
			t.Errorf("the first gets %v", err)
		}
		time.Sleep(longestTurn + time.Second)
		for range waitingEach - 1 {
			if err := <-failed; !errors.Is(err, errBusy) {
				t.Errorf("one that has waited too long gets %v", err)
			}
		}
		slow.answers <- struct{}{}
		if err := <-failed; err != nil {
			t.Errorf("the second gets %v", err)
		}
	})
}
