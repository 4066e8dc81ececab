package index

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"vademecum/index/catalog"
	"vademecum/index/lease"
	"vademecum/index/live"
)

// What processes on one folder tell each other stands in the catalogue: here
// who the indexer is and how far it is, and how far the one that embeds.

// Indexer is the process that keeps a folder's index up to date.
type Indexer struct {
	PID   int       `json:"pid"`
	Since time.Time `json:"since"` // since when it does
}

// news is how far the indexer of a folder is.
type news struct {
	Indexer Indexer
	State   State
}

const newsKey = "news"

// news reads what the indexer told last.
func newsOf(ctx context.Context, c catalog.Catalog) (n news, err error) {
	err = hear(ctx, c, newsKey, &n)
	if n.State.Phase == "" {
		n.State.Phase = Scanning
	}
	return n, err
}

// vectorNews is how far the process is that embeds a folder with one model.
type vectorNews struct {
	Since   time.Time // since when the model is at work; zero when it is not
	Done    int       // passages that are through with it since
	Total   int       // all of them
	Failure string    // why it gave no vectors last, "" if it did
	Through int64     // the last change of which all is embedded that the model takes
}

func vectorNewsKey(c catalog.Values) string { return c.ModelKey(newsKey) }

// vectorNews reads what the process told last that embeds with the model in use.
func vectorNewsOf(ctx context.Context, c catalog.Catalog) (n vectorNews, err error) {
	err = hear(ctx, c, vectorNewsKey(c), &n)
	return n, err
}

func hear(ctx context.Context, c catalog.Catalog, key string, n any) error {
	text, err := c.Value(ctx, key)
	if err != nil || text == "" {
		return err
	}
	if err := json.Unmarshal([]byte(text), n); err != nil {
		return c.Note(fmt.Errorf("%s: %w", key, catalog.ErrDamaged))
	}
	return nil
}

func post(ctx context.Context, c catalog.Values, key string, n any) error {
	text, err := json.Marshal(n)
	if err != nil {
		return err
	}
	return c.SetValue(ctx, key, string(text))
}

// teller posts how far this process is with its duties.
type teller struct {
	ix *Index

	mu   sync.Mutex
	told map[*live.Follower]told
}

// told is what was posted last, and when.
type told struct {
	busy      time.Time // since when a run was seen under way
	state     State
	stateAt   time.Time
	vectors   vectorNews
	vectorsAt time.Time
}

// tellEvery is how often others are told at most how far this process is, while
// it goes on with the same.
const tellEvery = 500 * time.Millisecond

// tell posts what is new.
func (t *teller) tell(ctx context.Context) {
	_ = t.ix.guard("tell other processes", func() error { t.tellAll(ctx); return nil })
}

func (t *teller) tellAll(ctx context.Context) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for i, f := range t.ix.folders {
		c := t.ix.store.Follower(i)
		if c == nil || c.IsUnsaved() {
			continue
		}
		last := t.told[c]
		err := t.tellState(ctx, c, f.indexing, &last)
		if err == nil {
			err = t.tellVectors(ctx, c, f.embedding, &last)
		}
		if err != nil && ctx.Err() == nil && !errors.Is(err, catalog.ErrRefused) {
			t.ix.log.Warn("could not tell other processes how far this one is", "error", err)
		}
		t.told[c] = last
	}
}

func (t *teller) tellState(ctx context.Context, c *live.Follower, indexing *lease.Lease, last *told) error {
	leads := indexing.Held()
	since, _ := indexing.Since()
	s := t.ix.progress.own()
	switch {
	case s.Phase == Ready || last.stateAt.IsZero():
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
	return post(ctx, c, newsKey, news{Indexer{os.Getpid(), since}, s})
}

func (t *teller) tellVectors(ctx context.Context, c *live.Follower, embedding *lease.Lease, last *told) error {
	if t.ix.store.Builtin { // there is nothing to wait for
		return nil
	}
	embeds := embedding.Held()
	s := t.ix.progress.own()
	v := vectorNews{s.EmbedSince, s.EmbedDone, s.EmbedTotal, s.EmbedFailure, c.Through.Load()}
	if !embeds || v == last.vectors || time.Since(last.vectorsAt) < tellEvery && v.Through == last.vectors.Through {
		return nil
	}
	last.vectors, last.vectorsAt = v, time.Now()
	return post(ctx, c, vectorNewsKey(c), v)
}

// forget has everything told again.
func (t *teller) forget(c *live.Follower) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.told, c)
}

// tellingWhile does some work, and where no Run is under way lets others know
// how far it is. What it took of duties for that it gives back.
func (ix *Index) tellingWhile(ctx context.Context, work func() error) (err error) {
	if ix.kept.Load() {
		return work()
	}
	t := &teller{ix: ix, told: make(map[*live.Follower]told)}
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
	err = ix.guard("index and embed", work)
	close(done)
	<-stopped
	if len(t.told) > 0 || err != nil {
		t.tell(context.WithoutCancel(ctx))
	}
	return errors.Join(err, ix.releaseLeases())
}

// hearIndexer notes how far the indexer of a folder is.
func (ix *Index) hearIndexer(ctx context.Context, folder int, c *live.Follower) (Indexer, error) {
	n, err := newsOf(ctx, c)
	if err == nil {
		ix.folders[folder].indexing.Owner.Store(int64(n.Indexer.PID))
		ix.progress.hearIndexer(folder, &n.State)
	}
	return n.Indexer, err
}

// hearEmbedder notes how far the process is that embeds a folder, and takes
// over its vectors.
func (ix *Index) hearEmbedder(ctx context.Context, folder int, c *live.Follower) (embedder, error) {
	n, err := vectorNewsOf(ctx, c)
	if err != nil {
		return embedder{}, err
	}
	if _, err := ix.store.Follow(ctx, folder); err != nil {
		return embedder{}, err
	}
	e := embedder{n, n.Through < c.LastFollowed() && ix.store.CountBare(folder) > 0}
	ix.progress.hearEmbedder(folder, &e)
	return e, nil
}
