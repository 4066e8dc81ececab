package upkeep

import (
	"context"
	"time"

	"vademecum/index/compare"
)

// reconsiderEvery is how often that is looked at, unless scans take long.
const reconsiderEvery = time.Second

// reconsiderSome does so for the folders for which it is time, beside the loop: a scan
// may take long. What has not been given up yet is left for the next time, lest it be
// taken up again before that is noticed.
func (l *loop) reconsiderSome(ctx context.Context, now time.Time) {
	pause := l.k.fresh.ScanPause(reconsiderEvery)
	for i, f := range l.k.folders {
		seen, d := l.k.comparer.SeenUnlike(i), &l.duties[i]
		if l.k.fresh.Unlike(i) == nil || d.leads || now.Sub(seen) < pause || f.Silent() > 0 || !d.reconsidered.CompareAndSwap(false, true) {
			continue
		}
		l.group.Go(func() {
			defer d.reconsidered.Store(false)
			if err := l.k.guard.Catch("compare the folder with its library", func() error { return l.k.comparer.Reconsider(ctx, i) }); err != nil && ctx.Err() == nil {
				l.k.log.Debug("could not compare the folder with its library", "folder", f.Dir(), "error", err)
			}
		})
	}
}

// askOnce compares the folders once that other processes index, so that one which has
// other files is told of before anybody asks.
func (l *loop) askOnce(ctx context.Context) {
	for i, f := range l.k.folders {
		if !f.Home.IsShared() || l.k.fresh.IsAway(i) || l.duties[i].leads {
			continue
		}
		l.group.Go(func() {
			_ = l.k.guard.Catch("compare the folder with its library", func() error {
				return l.k.refreshOther(ctx, i, []compare.Area{{Folder: i, Base: "."}})
			}) // questions do the same, and say what came of it
		})
	}
}
