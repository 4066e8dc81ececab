package sync

import (
	"context"

	"vademecum/index/progress"
)

// SaveSnapshots saves new snapshots if the last ones are old, so that the next start is fast.
func (s *Syncer) SaveSnapshots(ctx context.Context) {
	for i, f := range s.Folders {
		c := s.Store.Follower(i)
		if c == nil || c.Health().IsUnsaved() || !s.IsIndexer(i) {
			continue
		}
		saved := false
		err := s.Guard.Catch("save a snapshot", func() (err error) {
			if saved = s.Store.IsSnapshotDue(i); saved {
				defer s.RecordGrowth()
				err = s.Store.SaveSnapshot(ctx, i)
			}
			return err
		})
		if ctx.Err() != nil || err == nil && !saved {
			continue
		}
		if err != nil {
			s.Log.Warn("the next start will be slower", "folder", f.Dir(), "error", err)
		}
		if err := progress.SaveFailure(ctx, c, progress.SnapshotFailure, err); err != nil {
			s.Log.Debug("could not note how the snapshot ended", "error", err)
		}
	}
}
