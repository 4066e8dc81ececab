package embed

import (
	"context"
	"sync/atomic"
)

// health is what is known of whether the service answers.
type health struct {
	service circuit // opened by whatever fails for good
	queries circuit // opened by queries whose callers waited in vain, which passages need not mind

	requests atomic.Int64  // sent so far; each has a number from 1
	good     atomic.Int64  // the highest number of a request that had its vectors
	probing  chan struct{} // holds one while somebody asks whether the service is well
}

// refuses returns the reason to send nothing of this kind now, or nil.
func (h *health) refuses(kind Kind) error {
	if err := h.service.refuses(kind); err != nil || kind == Passage {
		return err
	}
	return h.queries.refuses(kind)
}

// enter is called before a request and fails as refuses does. What it returns
// is to be called after the request, whatever came of it.
func (h *health) enter(ctx context.Context, kind Kind) (leave func(), err error) {
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

// failed opens the circuit and returns the failure as one of the service. Each
// failure belongs to one request, so that nobody else reads it yet.
func (h *health) failed(f *failure) error {
	f.general = true
	h.service.failed(f)
	return f
}

// answered tells of a request that had its vectors.
func (h *health) answered(kind Kind, number int64) {
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

// answersSince tells whether a request after that of this number had vectors.
func (h *health) answersSince(number int64) bool { return h.good.Load() > number }
