package upkeep

import (
	"context"
	"errors"
	"time"

	"vademecum/index/peer"
)

// tellingWhile does some work, and where no Run is under way lets others know
// how far it is. What it took of duties for that it gives back.
func (k *Keeper) tellingWhile(ctx context.Context, work func() error) (err error) {
	if k.fresh.IsServing() {
		return work()
	}
	t := peer.NewTeller(k.peers)
	done := make(chan struct{})
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		tick := time.NewTicker(peer.TellEvery)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				k.tell(ctx, t)
			}
		}
	}()
	err = k.guard.Catch("index and embed", work)
	close(done)
	<-stopped
	if t.HasTold() || err != nil {
		k.tell(context.WithoutCancel(ctx), t)
	}
	return errors.Join(err, k.folders.ReleaseDuties())
}

// tell has a teller post what is new.
func (k *Keeper) tell(ctx context.Context, t *peer.Teller) {
	_ = k.guard.Catch("tell other processes", func() error { t.Tell(ctx); return nil })
}
