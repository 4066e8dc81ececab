package recovery

import (
	"context"

	"vademecum/index/catalog"
)

// A disk may take nothing from some moment on: it is full, read-only from then
// on, or fails. A catalogue on it goes over to memory with all that it holds,
// and back when the disk takes that.

// MoveToMemory has those catalogues go over to memory that the disk takes no more,
// and reports whether there were any. The caller holds the turn.
func (r *Recovery) MoveToMemory(ctx context.Context) (bool, error) {
	any := false
	for i := range r.Folders {
		c := r.Store.Follower(i)
		if c == nil || c.Health().Condition().State != catalog.Refused {
			continue
		}
		if err := r.repair(ctx, i, c); err != nil {
			return any, err
		}
		any = true
	}
	return any, nil
}

// MoveToMemoryInTurn is MoveToMemory for whoever does not hold the turn.
func (r *Recovery) MoveToMemoryInTurn(ctx context.Context) (bool, error) {
	if err := r.Turn.Acquire(ctx, 1); err != nil {
		return false, err
	}
	defer r.Turn.Release(1)
	return r.MoveToMemory(ctx)
}
