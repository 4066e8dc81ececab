package index

import (
	"context"
	"time"

	"vademecum/internal/panics"
)

// sweepEvery is how often the folders are scanned although nothing was heard
// of them: events get lost on network drives and in sleep.
const sweepEvery = time.Minute

// unwatchedSweep is how often those that are not watched as a whole are
// scanned, unless that takes long.
const unwatchedSweep = 5 * time.Second

func (ix *Index) sweepPause() time.Duration {
	if ix.State().Unwatched == "" {
		return sweepEvery
	}
	return max(unwatchedSweep, min(sweepEvery, slowShare*ix.pace.took()))
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
func (ix *Index) Run(ctx context.Context) error {
	err := ix.guard("keep the index up to date", func() error { return ix.keepUpToDate(ctx) })
	if panics.Is(err) {
		ix.progress.fail(err)
	}
	return err
}

func (ix *Index) keepUpToDate(ctx context.Context) error {
	if err := ix.Load(ctx); err != nil {
		if ctx.Err() != nil {
			return nil
		}
		ix.progress.fail(err)
		return err
	}
	ix.kept.Store(true)
	defer ix.kept.Store(false)
	ctx, stop := context.WithCancel(ctx)
	k := newKeeper(ix)
	defer k.group.Wait()
	defer stop()
	k.look(ctx)
	k.group.Go(func() { ix.keepEmbedded(ctx, k.tell) }) // each step of these is guarded
	k.group.Go(func() { k.work(ctx) })
	ix.wantVectors()
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
			if time.Since(swept) >= ix.sweepPause() {
				own, _ := ix.split(ix.everything())
				k.add(own...)
				swept = time.Now()
			}
		case <-look.C:
			k.look(ctx)
			k.remind()
			k.resume()
			look.Reset(ix.lookPause())
		}
	}
}

func (ix *Index) lookPause() time.Duration {
	if s := ix.State(); s.EmbedDue && s.EmbedSince.IsZero() {
		return lookSoon
	}
	return lookEvery
}
