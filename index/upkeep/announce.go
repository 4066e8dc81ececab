package upkeep

import (
	"context"
	"errors"
	"os"
	"sync"
	"time"

	"vademecum/index/catalog"
	"vademecum/index/lease"
	"vademecum/index/live"
	"vademecum/index/progress"
)

// What processes on one folder tell each other stands in the catalogue: here
// who the indexer is and how far it is, and how far the one that embeds.

// teller posts how far this process is with its duties.
type teller struct {
	k *Keeper

	mu   sync.Mutex
	told map[*live.Follower]told
}

// told is what was posted last, and when.
type told struct {
	busy      time.Time // since when a run was seen under way
	state     progress.State
	stateAt   time.Time
	vectors   progress.VectorNews
	vectorsAt time.Time
}

// tellEvery is how often others are told at most how far this process is, while
// it goes on with the same.
const tellEvery = 500 * time.Millisecond

// tell posts what is new.
func (t *teller) tell(ctx context.Context) {
	_ = t.k.guard("tell other processes", func() error { t.tellAll(ctx); return nil })
}

func (t *teller) tellAll(ctx context.Context) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for i, f := range t.k.folders {
		c := t.k.store.Follower(i)
		if c == nil || c.IsUnsaved() {
			continue
		}
		last := t.told[c]
		err := t.tellState(ctx, c, f.Indexing, &last)
		if err == nil {
			err = t.tellVectors(ctx, c, f.Embedding, &last)
		}
		if err != nil && ctx.Err() == nil && !errors.Is(err, catalog.ErrRefused) {
			t.k.log.Warn("could not tell other processes how far this one is", "error", err)
		}
		t.told[c] = last
	}
}

func (t *teller) tellState(ctx context.Context, c *live.Follower, indexing *lease.Lease, last *told) error {
	leads := indexing.Held()
	since, _ := indexing.Since()
	s := t.k.progress.Own()
	switch {
	case s.Phase == progress.Ready || last.stateAt.IsZero():
		last.busy = time.Time{}
	case last.busy.IsZero():
		last.busy = time.Now()
		return nil
	case time.Since(last.busy) < tellEvery:
		return nil // a run that may be through at once is not worth a word
	}
	if !leads || s == last.state || time.Since(last.stateAt) < tellEvery && s.Phase == last.state.Phase {
		return nil
	}
	last.state, last.stateAt = s, time.Now()
	return progress.IndexerNews{Indexer: progress.Indexer{PID: os.Getpid(), Since: since}, State: s}.Post(ctx, c)
}

func (t *teller) tellVectors(ctx context.Context, c *live.Follower, embedding *lease.Lease, last *told) error {
	if t.k.store.Builtin { // there is nothing to wait for
		return nil
	}
	embeds := embedding.Held()
	s := t.k.progress.Own()
	v := progress.VectorNews{Since: s.EmbedSince, Done: s.EmbedDone, Total: s.EmbedTotal, Failure: s.EmbedFailure, Through: c.Through.Load()}
	if !embeds || v == last.vectors || time.Since(last.vectorsAt) < tellEvery && v.Through == last.vectors.Through {
		return nil
	}
	last.vectors, last.vectorsAt = v, time.Now()
	return v.Post(ctx, c)
}

// forget has everything told again.
func (t *teller) forget(c *live.Follower) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.told, c)
}

// tellingWhile does some work, and where no Run is under way lets others know
// how far it is. What it took of duties for that it gives back.
func (k *Keeper) tellingWhile(ctx context.Context, work func() error) (err error) {
	if k.kept.Load() {
		return work()
	}
	t := &teller{k: k, told: make(map[*live.Follower]told)}
	done := make(chan struct{})
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		tick := time.NewTicker(tellEvery)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				t.tell(ctx)
			}
		}
	}()
	err = k.guard("index and embed", work)
	close(done)
	<-stopped
	if len(t.told) > 0 || err != nil {
		t.tell(context.WithoutCancel(ctx))
	}
	return errors.Join(err, k.folders.ReleaseLeases())
}

// hearIndexer notes how far the indexer of a folder is.
func (k *Keeper) hearIndexer(ctx context.Context, folder int, c *live.Follower) (progress.Indexer, error) {
	n, err := progress.IndexerNewsOf(ctx, c)
	if err == nil {
		k.folders[folder].Indexing.Owner.Store(int64(n.Indexer.PID))
		k.progress.HearIndexer(folder, &n.State)
	}
	return n.Indexer, err
}

// hearEmbedder notes how far the process is that embeds a folder, and takes
// over its vectors.
func (k *Keeper) hearEmbedder(ctx context.Context, folder int, c *live.Follower) (progress.Embedder, error) {
	n, err := progress.VectorNewsOf(ctx, c)
	if err != nil {
		return progress.Embedder{}, err
	}
	if _, err := k.store.Follow(ctx, folder); err != nil {
		return progress.Embedder{}, err
	}
	e := progress.Embedder{VectorNews: n, Due: n.Through < c.LastFollowed() && k.store.CountBare(folder) > 0}
	k.progress.HearEmbedder(folder, &e)
	return e, nil
}
