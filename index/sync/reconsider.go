package sync

import (
	"context"
	"time"
)

// reconsiderEvery is the interval at which a mismatched folder is compared with its library again,
// unless scans take long.
const reconsiderEvery = time.Second

// retryMismatched compares mismatched folders again when it is time, outside the loop because a
// scan may take long. It skips a folder whose duty has not been given up yet: otherwise the duty
// might be acquired again before the loop notices that it was lost.
func (l *maintenanceLoop) retryMismatched(ctx context.Context, now time.Time) {
	pause := l.s.Fresh.ScanDelay(reconsiderEvery)
	for i, f := range l.s.Folders {
		seen, d := l.s.MismatchedAt(i), &l.duties[i]
		if l.s.Fresh.Mismatch(i) == nil || d.leads || now.Sub(seen) < pause || f.UnresponsiveFor() > 0 || !d.reconsidered.CompareAndSwap(false, true) {
			continue
		}
		l.group.Go(func() {
			defer d.reconsidered.Store(false)
			if err := l.s.Guard.Catch("compare the folder with its library", func() error { return l.s.RetryMismatched(ctx, i) }); err != nil && ctx.Err() == nil {
				l.s.Log.Debug("could not compare the folder with its library", "folder", f.Dir(), "error", err)
			}
		})
	}
}

// compareOthersOnce compares the folders that other processes index once, so that a mismatch is
// reported before the first query.
func (l *maintenanceLoop) compareOthersOnce(ctx context.Context) {
	for i, f := range l.s.Folders {
		if !f.Storage.IsShared() || l.s.Fresh.IsLeftToOthers(i) || l.duties[i].leads {
			continue
		}
		l.group.Go(func() {
			_ = l.s.Guard.Catch("compare the folder with its library", func() error {
				return l.s.RefreshOther(ctx, i, []Subtree{{Folder: i, Base: "."}})
			}) // queries do the same and report the result
		})
	}
}
