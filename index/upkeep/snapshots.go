package upkeep

import (
	"context"

	"vademecum/index/progress"
)

// saveSnapshots makes the next start fast where the last snapshots are old.
func (k *Keeper) saveSnapshots(ctx context.Context) {
	for i, f := range k.folders {
		c := k.store.Follower(i)
		if c == nil || c.Health().IsUnsaved() || !k.peers.Leads(i) {
			continue
		}
		saved := false
		err := k.guard.Catch("save a snapshot", func() (err error) {
			if saved = k.store.SnapshotDue(i); saved {
				defer k.slack.made.Store(true)
				err = k.store.SaveSnapshot(ctx, i)
			}
			return err
		})
		if ctx.Err() != nil || err == nil && !saved {
			continue
		}
		if err != nil {
			k.log.Warn("the next start will be slower", "folder", f.Dir(), "error", err)
		}
		if err := progress.KeepFailure(ctx, c, progress.SnapshotFailure, err); err != nil {
			k.log.Debug("could not note how the snapshot ended", "error", err)
		}
	}
}
