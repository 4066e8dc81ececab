package sync

import (
	"context"

	"vademecum/index/catalog"
)

// A disk may stop accepting data because it is full, becomes read-only, or fails. A catalogue on it
// then moves to memory with all its content, and back when the disk accepts it.

// MoveToMemory moves those catalogues to memory that the disk no longer accepts, and reports
// whether there were any. The caller holds the turn.
func (s *Syncer) MoveToMemory(ctx context.Context) (bool, error) {
	any := false
	for i := range s.Folders {
		c := s.Store.Follower(i)
		if c == nil || c.Health().Condition().State != catalog.WriteRejected {
			continue
		}
		if err := s.repair(ctx, i, c); err != nil {
			return any, err
		}
		any = true
	}
	return any, nil
}

// MoveToMemoryInTurn is MoveToMemory for callers that do not hold the turn.
func (s *Syncer) MoveToMemoryInTurn(ctx context.Context) (bool, error) {
	if err := s.turn.Acquire(ctx, 1); err != nil {
		return false, err
	}
	defer s.turn.Release(1)
	return s.MoveToMemory(ctx)
}
