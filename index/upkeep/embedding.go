package upkeep

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"vademecum/index/live"
	"vademecum/index/search"
)

// A document can be found by its words as soon as it is saved. Its chunks are
// bare until the embedding model has given them vectors, in a pass of its own:
// a model that is slow or away holds nobody up.

// Embed gives vectors to the chunks that have none, which ends what began with
// Sync. What was done stays when it fails; the error is that of the model, or
// of ctx. Where another process embeds it waits for that one.
func (k *Keeper) Embed(ctx context.Context) error {
	return k.tellingWhile(ctx, func() error {
		err := k.embedOrWait(ctx)
		if err == nil && k.patience == 0 {
			k.settle(ctx)
		}
		return err
	})
}

func (k *Keeper) embedOrWait(ctx context.Context) error {
	tick := time.NewTicker(askEvery)
	defer tick.Stop()
	for began := time.Now(); ; {
		embed := k.embedOnAndOn
		if k.patience > 0 {
			embed = k.embed
		}
		if err := embed(ctx); err != nil {
			return err
		}
		due, err := k.awaitsVectors(ctx)
		if err != nil || !due || k.patience > 0 && time.Since(began) > k.patience {
			return err
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// fruitless is how many passes in a row may bring no vector, after one that did.
const fruitless = 3

// embedOnAndOn goes on after a failure as long as vectors come: a service may be
// away for a moment, or take so many texts a minute.
func (k *Keeper) embedOnAndOn(ctx context.Context) error {
	left, wait := 0, firstRetry
	for {
		_, before := k.store.CountChunks()
		err := k.embed(ctx)
		_, after := k.store.CountChunks()
		if after < before {
			left, wait = fruitless, firstRetry
		}
		if err == nil || ctx.Err() != nil || left == 0 {
			return err
		}
		left--
		k.log.Warn("the embedding model fails, going on", "error", err, "in", wait)
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return ctx.Err()
		}
		wait = min(2*wait, lastRetry)
	}
}

// awaitsVectors takes over what other processes have embedded, and tells
// whether there is more to come.
func (k *Keeper) awaitsVectors(ctx context.Context) (bool, error) {
	for i := range k.folders {
		if k.peers.Embeds(i) {
			continue
		}
		e, err := k.peers.HearEmbedder(ctx, i, k.store.Follower(i))
		if err == nil && e.Due && e.Failure != "" {
			err = errors.New(e.Failure)
		}
		if err != nil || e.Due {
			return e.Due, err
		}
	}
	return false, nil
}

// pending lists the documents with chunks that this process is to embed.
func (k *Keeper) pending() []*search.Document {
	return slices.DeleteFunc(k.store.Pending(), func(d *search.Document) bool { return !k.peers.Embeds(d.Folder) })
}

// hasPending tells whether there are chunks to embed, but for those of folders
// that another process embeds.
func (k *Keeper) hasPending() bool {
	others := k.progress.EmbeddedByOthers()
	return slices.ContainsFunc(k.store.Pending(), func(d *search.Document) bool { return !others[d.Folder] })
}

// embed does so for what this process embeds.
func (k *Keeper) embed(ctx context.Context) error {
	if err := k.progress.WaitLoaded(ctx); err != nil {
		return err
	}
	k.embedding.Lock() // one pass at a time
	defer k.embedding.Unlock()
	defer k.saveSnapshots(ctx)
	err := k.guard("embed", func() error { return k.embedPending(ctx) })
	if err != nil && ctx.Err() == nil {
		if salvaged, _ := k.salvageInTurn(ctx); salvaged {
			err = k.guard("embed", func() error { return k.embedPending(ctx) })
		}
	}
	if ctx.Err() != nil {
		k.progress.Embedded(nil) // given up, not failed
	} else {
		k.progress.Embedded(err)
	}
	if err != nil {
		return err
	}
	return k.guard("drop unused vectors", func() error { return k.prune(ctx) })
}

func (k *Keeper) embedPending(ctx context.Context) error {
	tried := make(map[*search.Document]bool)
	for {
		through := k.lastFollowed()
		pending := slices.DeleteFunc(k.pending(), func(d *search.Document) bool { return tried[d] })
		if len(pending) == 0 {
			for c, change := range through {
				c.Through.Store(change)
			}
			return nil
		}
		k.progress.Embed(k.store.CountPending(pending))
		if err := k.embedDocuments(ctx, pending); err != nil {
			return err
		}
		for _, d := range pending {
			tried[d] = true // one that is changed meanwhile is another document
		}
	}
}

// prune drops vectors that nothing has used for a long time.
func (k *Keeper) prune(ctx context.Context) error {
	for i, f := range k.folders {
		if !k.peers.Embeds(i) {
			continue
		}
		if err := k.store.Prune(ctx, i); err != nil {
			return fmt.Errorf("drop unused vectors of %s: %w", f.Dir(), err)
		}
	}
	return nil
}

// lastFollowed is what each catalogue holds in memory now.
func (k *Keeper) lastFollowed() map[*live.Follower]int64 {
	all := make(map[*live.Follower]int64)
	for i := range k.folders {
		if c := k.store.Follower(i); c != nil {
			all[c] = c.LastFollowed()
		}
	}
	return all
}

// How long to leave a model alone that did not answer.
const (
	firstRetry = 5 * time.Second
	lastRetry  = 20 * time.Second // the embedder itself knows how long to send nothing
)

// wantVectors wakes keepEmbedded.
func (k *Keeper) wantVectors() {
	select {
	case k.bare <- struct{}{}:
	default:
	}
}

// recovered has keepEmbedded go on at once: the model answers again.
func (k *Keeper) recovered() {
	select {
	case k.answers <- struct{}{}:
	default:
	}
}

// keepEmbedded embeds whenever there is something to embed, until ctx ends. A
// model that fails is left alone for longer and longer. It calls through after
// each pass. What was embedded is indexed beside it.
func (k *Keeper) keepEmbedded(ctx context.Context, through func(context.Context)) {
	var indexing sync.WaitGroup
	defer indexing.Wait()
	wait, said := firstRetry, ""
	for {
		select {
		case <-ctx.Done():
			return
		case <-k.bare:
		}
		for {
			err := k.embed(ctx)
			through(ctx)
			if err == nil || ctx.Err() != nil {
				wait, said = firstRetry, ""
				indexing.Go(func() { k.settle(ctx) })
				break
			}
			level := slog.LevelWarn
			if err.Error() == said {
				level = slog.LevelDebug // once is enough
			}
			said = err.Error()
			k.log.Log(ctx, level, "some passages have no vector yet, they are found by their words only", "error", err, "next try", wait)
			select {
			case <-ctx.Done():
				return
			case <-time.After(wait):
			case <-k.answers:
			}
			wait = min(2*wait, lastRetry)
		}
	}
}
