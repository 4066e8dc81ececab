package upkeep

import (
	"context"
	"time"

	"vademecum/internal/panics"
)

// sweepTick is how often it is looked whether it is time for a sweep.
const sweepTick = 5 * time.Second

// lookEvery is how often a process looks for what others have committed and
// asked for, and whether one of them is gone.
const lookEvery = 200 * time.Millisecond

// lookSoon is how often while another process is about to embed what is new: a
// question may wait for that.
const lookSoon = 20 * time.Millisecond

// Run loads the index, brings it up to date and keeps it so until ctx ends:
// the file system's events say where to look, the scan decides. Of folders
// that another process indexes it follows what that one commits. The error is
// why the index cannot be used at all; nil when ctx ended.
func (k *Keeper) Run(ctx context.Context) error {
	err := k.guard.Catch("keep the index up to date", func() error { return k.keepUpToDate(ctx) })
	if panics.Is(err) {
		k.fresh.Fail(err)
	}
	return err
}

func (k *Keeper) keepUpToDate(ctx context.Context) error {
	l := newLoop(k)
	defer l.group.Wait()
	defer l.dropAhead()
	l.watchAhead(ctx)
	if err := k.recovery.LoadPatiently(ctx); err != nil {
		if ctx.Err() != nil {
			return nil
		}
		k.fresh.Fail(err)
		return err
	}
	k.slack.made.Store(true)
	k.fresh.Serve(true)
	defer k.fresh.Serve(false)
	if len(k.folders) == 0 { // there is nothing to look at
		k.Embedding.Run(ctx, func(context.Context) {})
		return nil
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	l.look(ctx)
	l.dropAhead()
	l.askOnce(ctx)
	l.group.Go(func() { k.Embedding.Run(ctx, func(ctx context.Context) { k.tell(ctx, l.teller) }) }) // each step of these is guarded
	l.group.Go(func() { l.work(ctx) })
	if k.recovery.IsMendable() {
		l.group.Go(func() { l.checker().Run(ctx) })
	}
	k.Embedding.Wake()
	sweep := time.NewTicker(sweepTick)
	defer sweep.Stop()
	swept := time.Now()
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-sweep.C:
			if time.Since(swept) >= k.fresh.SweepPause() {
				own, _ := k.split(k.comparer.Everything())
				l.dirty.add(own...)
				swept = time.Now()
			}
		case <-look.C:
			l.look(ctx)
			l.lookForMissing()
			l.dirty.wakeFor(l.silent())
			l.resume()
			l.reconsiderSome(ctx, time.Now())
			if time.Since(k.fresh.State().Synced) >= giveBackAfter {
				k.giveBack()
			}
			look.Reset(k.lookPause())
		}
	}
}

func (k *Keeper) lookPause() time.Duration {
	if s := k.fresh.State(); s.EmbedDue && s.EmbedSince.IsZero() {
		return lookSoon
	}
	return lookEvery
}
