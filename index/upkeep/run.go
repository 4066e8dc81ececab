package upkeep

import (
	"cmp"
	"context"
	"time"

	"vademecum/index/progress"
	"vademecum/internal/panics"
)

// sweepEvery is how often the folders are scanned although nothing was heard
// of them: events get lost on network drives and in sleep.
const sweepEvery = time.Minute

// unwatchedSweep is how often those that are not watched as a whole are
// scanned, unless that takes long.
const unwatchedSweep = 5 * time.Second

func (k *Keeper) sweepPause() time.Duration {
	if k.State().Unwatched == "" {
		return sweepEvery
	}
	return max(unwatchedSweep, min(sweepEvery, slowShare*k.pace.took()))
}

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
	err := k.guard("keep the index up to date", func() error { return k.keepUpToDate(ctx) })
	if panics.Is(err) {
		k.progress.Fail(err)
	}
	return err
}

func (k *Keeper) keepUpToDate(ctx context.Context) error {
	l := newLoop(k)
	defer l.group.Wait()
	defer l.dropAhead()
	l.watchAhead(ctx)
	if err := k.loadPatiently(ctx); err != nil {
		if ctx.Err() != nil {
			return nil
		}
		k.progress.Fail(err)
		return err
	}
	k.kept.Store(true)
	defer k.kept.Store(false)
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
	if k.isMendable() {
		l.group.Go(func() { l.keepChecked(ctx) })
	}
	k.Embedding.Wake()
	sweep := time.NewTicker(unwatchedSweep)
	defer sweep.Stop()
	swept := time.Now()
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-sweep.C:
			if time.Since(swept) >= k.sweepPause() {
				own, _ := k.split(k.everything())
				l.add(own...)
				swept = time.Now()
			}
		case <-look.C:
			l.look(ctx)
			l.lookForMissing()
			l.remind()
			l.resume()
			l.reconsiderSome(ctx)
			if time.Since(k.State().Synced) >= giveBackAfter {
				k.giveBack()
			}
			look.Reset(k.lookPause())
		}
	}
}

func (k *Keeper) lookPause() time.Duration {
	if s := k.State(); s.EmbedDue && s.EmbedSince.IsZero() {
		return lookSoon
	}
	return lookEvery
}

// State tells what the index is doing now.
func (k *Keeper) State() progress.State {
	s := k.progress.Now()
	for _, f := range k.folders {
		s.Refused = cmp.Or(s.Refused, f.Home.Refusal())
		s.Missing = s.Missing || f.Missing() != nil
		s.Slow = max(s.Slow, f.Home.Slowness())
	}
	return s
}

// Changes returns a channel that holds a token whenever documents may have
// changed since it was last read, until ctx ends.
func (k *Keeper) Changes(ctx context.Context) <-chan struct{} { return k.progress.Changes(ctx) }

// waitRun blocks until the folders have been compared with the index once and
// no run is under way, or until something has failed. Files may still be read
// apart.
func (k *Keeper) waitRun(ctx context.Context) error {
	return k.progress.Wait(ctx, func(s progress.State) bool {
		return s.Phase == progress.Failed || s.Failure != "" || !s.Synced.IsZero() && (s.Phase == progress.Ready || s.Apart)
	})
}

// waitReady blocks until the folders have been compared with the index once,
// no run is under way and every chunk has its vector, or until something has
// failed.
func (k *Keeper) waitReady(ctx context.Context) error {
	return k.progress.Wait(ctx, func(s progress.State) bool {
		switch {
		case s.Phase == progress.Failed, s.Failure != "":
			return true
		case s.Phase != progress.Ready || s.Behind():
			return false
		}
		return s.EmbedFailure != "" || !s.EmbedDue && !k.Embedding.HasPending()
	})
}
