package embed

import (
	"context"
	"sync/atomic"
)

// serviceHealth records whether the service answers.
type serviceHealth struct {
	service circuitBreaker // opened by permanent failures
	queries circuitBreaker // opened by queries that timed out, which does not affect passages

	requests atomic.Int64  // number of requests sent so far; requests are numbered from 1
	good     atomic.Int64  // highest number of a request that returned vectors
	probing  chan struct{} // holds an element while a probe checks whether the service is healthy
}

// refuses returns the reason not to send requests of this kind now; nil if there is none.
func (h *serviceHealth) refuses(kind TextKind) error {
	if err := h.service.openReason(kind); err != nil || kind == Passage {
		return err
	}
	return h.queries.openReason(kind)
}

// enter must be called before a request. It returns an error if requests of this kind are refused
// now. leave must be called after the request, whatever its result.
func (h *serviceHealth) enter(ctx context.Context, kind TextKind) (leave func(), err error) {
	leaveService, err := h.service.enter(ctx, kind)
	if err != nil || kind == Passage {
		return leaveService, err
	}
	leaveQueries, err := h.queries.enter(ctx, kind)
	if err != nil {
		leaveService()
		return nil, err
	}
	return func() { leaveQueries(); leaveService() }, nil
}

// failed opens the circuit, and returns the failure marked as one of the service rather than of the
// texts. It may modify the failure, because no other goroutine has it yet.
func (h *serviceHealth) failed(f *requestFailure) error {
	f.general = true
	h.service.failed(f)
	return f
}

// answered records a request that returned vectors.
func (h *serviceHealth) answered(kind TextKind, number int64) {
	h.service.succeeded()
	if kind == Query {
		h.queries.succeeded()
	}
	for good := h.good.Load(); number > good; good = h.good.Load() {
		if h.good.CompareAndSwap(good, number) {
			return
		}
	}
}

// answersSince reports whether a request after the one with the given number was answered.
func (h *serviceHealth) answersSince(number int64) bool { return h.good.Load() > number }
