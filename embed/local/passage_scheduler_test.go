package local

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"vademecum/embed/local/localtest"
	"vademecum/embed/local/transformer"
)

// While a question is under way, passages stand still, wherever they are, and another
// question does not.
func TestQuestionsGoFirst(t *testing.T) {
	dir := localtest.Write(t, "bert", localtest.SmallShape)
	synctest.Test(t, func(t *testing.T) {
		m := open(t, dir)
		if err := m.awaitWeights(t.Context()); err != nil {
			t.Fatal(err)
		}
		end := m.scheduler.beginQuestion()
		var done atomic.Bool
		go func() {
			if _, err := m.Embed(t.Context(), false, make([]string, 300)); err != nil {
				t.Error(err)
			}
			done.Store(true)
		}()
		synctest.Wait()
		if done.Load() {
			t.Error("passages did not wait for a question")
		}
		if v, err := m.Embed(t.Context(), true, []string{"salt"}); err != nil || len(v) != 1 {
			t.Errorf("a question gave %d vectors, %v", len(v), err)
		}
		synctest.Wait()
		if done.Load() {
			t.Error("passages did not wait for the first of two questions")
		}
		end()
		synctest.Wait()
		if !done.Load() {
			t.Error("passages still wait after the questions")
		}
	})
}

// Passages that wait for a question end with their context.
func TestWaitingEnds(t *testing.T) {
	m := open(t, localtest.Write(t, "bert", localtest.SmallShape))
	defer m.scheduler.beginQuestion()()
	ctx, cancel := context.WithCancel(t.Context())
	if err := m.awaitWeights(ctx); err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(0, cancel)
	if _, err := m.Embed(ctx, false, []string{"salt"}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// Calls take their turns, so that what the first one gives can be saved.
func TestCallsInTurn(t *testing.T) {
	dir := localtest.Write(t, "bert", localtest.SmallShape)
	synctest.Test(t, func(t *testing.T) {
		m := open(t, dir)
		if err := m.scheduler.passageCall.Acquire(t.Context(), 1); err != nil {
			t.Fatal(err)
		}
		var done atomic.Bool
		go func() {
			if _, err := m.Embed(t.Context(), false, []string{"salt"}); err != nil {
				t.Error(err)
			}
			done.Store(true)
		}()
		synctest.Wait()
		if done.Load() {
			t.Error("a call did not wait for the one before")
		}
		m.scheduler.passageCall.Release(1)
		synctest.Wait()
		if !done.Load() {
			t.Error("a call still waits when none is before it")
		}
	})
}

// What has come when a call fails is returned.
func TestPartOfACall(t *testing.T) {
	dir := localtest.Write(t, "bert", localtest.SmallShape)
	bad := open(t, dir).tokenize(false, "bread")[1]
	all := []byte(read(t, dir, "model.safetensors"))
	row := 8 + int(binary.LittleEndian.Uint64(all)) + 4*localtest.SmallShape.Hidden*int(bad) // the words are the first tensor
	binary.LittleEndian.PutUint32(all[row:], math.Float32bits(float32(math.NaN())))
	write(t, dir, "model.safetensors", string(all))
	m := open(t, dir)
	m.scheduler = newPassageScheduler(1)
	vectors, err := m.Embed(t.Context(), false, []string{strings.Repeat("salt ", batchTokens), "bread"})
	if err == nil || len(vectors) != 2 || vectors[0] == nil || vectors[1] != nil {
		t.Errorf("%v, %v", vectors, err)
	}
}

// A long text is left between its steps, which are many.
func TestStepsAreShort(t *testing.T) {
	m := open(t, localtest.Write(t, "modernbert", localtest.SmallShape))
	if err := m.awaitWeights(t.Context()); err != nil {
		t.Fatal(err)
	}
	text := make([]int32, localtest.SmallShape.Positions)
	calls := 0
	run := func(last int) error {
		calls = 0
		_, err := m.encoder.Run([][]int32{text, text, text}, new(transformer.Workspace), func() error {
			if calls++; calls == last {
				return context.Canceled
			}
			return nil
		})
		return err
	}
	if err := run(0); err != nil || calls < 4*localtest.SmallShape.Layers {
		t.Errorf("%d steps, %v", calls, err)
	}
	for last := range calls {
		if err := run(last + 1); !errors.Is(err, context.Canceled) || calls != last+1 {
			t.Errorf("ended at step %d of %d: %v", calls, last+1, err)
		}
	}
}
