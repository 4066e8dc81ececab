package engine

import (
	"context"
	"time"

	"vademecum/index/compare"
)

// reconsiderEvery is how often a mismatched folder is compared with its library again, unless
// scans take long.
const reconsiderEvery = time.Second

// retryMismatched compares mismatched folders again when it is time, outside the loop: a scan may
// take long. A folder whose duty has not been given up yet is left for the next time, lest the
// duty be acquired again before that is noticed.
func (l *maintenanceLoop) retryMismatched(ctx context.Context, now time.Time) {
	pause := l.e.Fresh.ScanPause(reconsiderEvery)
	for i, f := range l.e.Folders {
		seen, d := l.e.Comparer.MismatchedAt(i), &l.duties[i]
		if l.e.Fresh.Mismatch(i) == nil || d.leads || now.Sub(seen) < pause || f.SilentFor() > 0 || !d.reconsidered.CompareAndSwap(false, true) {
			continue
		}
		l.group.Go(func() {
			defer d.reconsidered.Store(false)
			if err := l.e.Guard.Catch("compare the folder with its library", func() error { return l.e.Comparer.RetryMismatched(ctx, i) }); err != nil && ctx.Err() == nil {
				l.e.Log.Debug("could not compare the folder with its library", "folder", f.Dir(), "error", err)
			}
		})
	}
}

// compareOthersOnce compares once the folders that other processes index, so that one with other
// files is reported before the first question.
func (l *maintenanceLoop) compareOthersOnce(ctx context.Context) {
	for i, f := range l.e.Folders {
		if !f.Storage.IsShared() || l.e.Fresh.IsAway(i) || l.duties[i].leads {
			continue
		}
		l.group.Go(func() {
			_ = l.e.Guard.Catch("compare the folder with its library", func() error {
				return l.e.Syncer.RefreshOther(ctx, i, []compare.Area{{Folder: i, Base: "."}})
			}) // questions do the same, and report the result
		})
	}
}
