package index

import "context"

// saveSnapshots makes the next start fast where the last snapshots are old.
func (ix *Index) saveSnapshots(ctx context.Context) {
	for i, f := range ix.folders {
		c := ix.store.Follower(i)
		if c == nil || c.IsUnsaved() || !ix.leads(i) {
			continue
		}
		saved := false
		err := ix.guard("save a snapshot", func() (err error) {
			if saved = ix.store.SnapshotDue(i, c); saved {
				err = ix.store.SaveSnapshot(ctx, i)
			}
			return err
		})
		if ctx.Err() != nil || err == nil && !saved {
			continue
		}
		if err != nil {
			ix.log.Warn("the next start will be slower", "folder", f.Dir(), "error", err)
		}
		if err := keepFailure(ctx, c, snapshotFailure, err); err != nil {
			ix.log.Debug("could not note how the snapshot ended", "error", err)
		}
	}
}
