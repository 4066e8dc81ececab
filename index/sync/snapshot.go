package sync

import (
	"context"

	"vademecum/index/progress"
)

// SaveSnapshots saves new snapshots if the last ones are old, so that the next start is fast.
func (r *Recovery) SaveSnapshots(ctx context.Context) {
	for i, f := range r.Folders {
		c := r.Store.Follower(i)
		if c == nil || c.Health().IsUnsaved() || !r.Peers.IsIndexer(i) {
			continue
		}
		saved := false
		err := r.Guard.Catch("save a snapshot", func() (err error) {
			if saved = r.Store.IsSnapshotDue(i); saved {
				defer r.Heap.RecordGrowth()
				err = r.Store.SaveSnapshot(ctx, i)
			}
			return err
		})
		if ctx.Err() != nil || err == nil && !saved {
			continue
		}
		if err != nil {
			r.Log.Warn("the next start will be slower", "folder", f.Dir(), "error", err)
		}
		if err := progress.SaveFailure(ctx, c, progress.SnapshotFailure, err); err != nil {
			r.Log.Debug("could not note how the snapshot ended", "error", err)
		}
	}
}
