package embed

import (
	"context"
	"sync/atomic"
)

// serviceHealth is what is known of whether the service answers.
type serviceHealth struct {
	service circuitBreaker // opened by whatever fails for good
	queries circuitBreaker // opened by queries that timed out, which does not concern passages

	requests atomic.Int64  // sent so far; each has a number from 1
	good     atomic.Int64  // the highest number of a request that had its vectors
	probing  chan struct{} // holds a token while a probe asks whether the service is healthy
}

// refuses returns the reason to send nothing of this kind now, or nil.
func (h *serviceHealth) refuses(kind Kind) error {
	if err := h.service.openReason(kind); err != nil || kind == Passage {
		return err
	}
	return h.queries.openReason(kind)
}

// enter is called before a request and fails as openReason does. The function it returns
// must be called after the request, whatever its result.
func (h *serviceHealth) enter(ctx context.Context, kind Kind) (leave func(), err error) {
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

// failed opens the circuit and returns the failure as one of the service. Each failure
// belongs to one request, so that no other goroutine reads it yet.
func (h *serviceHealth) failed(f *requestFailure) error {
	f.general = true
	h.service.failed(f)
	return f
}

// answered records a request that got its vectors.
func (h *serviceHealth) answered(kind Kind, number int64) {
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

// answersSince reports whether a request after the one of this number was answered.
func (h *serviceHealth) answersSince(number int64) bool { return h.good.Load() > number }
