package index

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
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
func (ix *Index) Embed(ctx context.Context) error {
	return ix.tellingWhile(ctx, func() error { return ix.embedOrWait(ctx) })
}

func (ix *Index) embedOrWait(ctx context.Context) error {
	tick := time.NewTicker(askEvery)
	defer tick.Stop()
	for began := time.Now(); ; {
		embed := ix.embedOnAndOn
		if ix.patience > 0 {
			embed = ix.embed
		}
		if err := embed(ctx); err != nil {
			return err
		}
		due, err := ix.awaitsVectors(ctx)
		if err != nil || !due || ix.patience > 0 && time.Since(began) > ix.patience {
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
func (ix *Index) embedOnAndOn(ctx context.Context) error {
	left, wait := 0, firstRetry
	for {
		_, before := ix.store.CountChunks()
		err := ix.embed(ctx)
		_, after := ix.store.CountChunks()
		if after < before {
			left, wait = fruitless, firstRetry
		}
		if err == nil || ctx.Err() != nil || left == 0 {
			return err
		}
		left--
		ix.log.Warn("the embedding model fails, going on", "error", err, "in", wait)
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
func (ix *Index) awaitsVectors(ctx context.Context) (bool, error) {
	for i := range ix.folders {
		if ix.embeds(i) {
			continue
		}
		e, err := ix.hearEmbedder(ctx, i, ix.store.Follower(i))
		if err == nil && e.due && e.Failure != "" {
			err = errors.New(e.Failure)
		}
		if err != nil || e.due {
			return e.due, err
		}
	}
	return false, nil
}

// pending lists the documents with chunks that this process is to embed.
func (ix *Index) pending() []*search.Document {
	return slices.DeleteFunc(ix.store.Pending(), func(d *search.Document) bool { return !ix.embeds(d.Folder) })
}

// hasPending tells whether there are chunks to embed, but for those of folders
// that another process embeds.
func (ix *Index) hasPending() bool {
	others := ix.progress.embeddedByOthers()
	return slices.ContainsFunc(ix.store.Pending(), func(d *search.Document) bool { return !others[d.Folder] })
}

// embed does so for what this process embeds.
func (ix *Index) embed(ctx context.Context) error {
	if err := ix.waitLoaded(ctx); err != nil {
		return err
	}
	ix.embedding.Lock() // one pass at a time
	defer ix.embedding.Unlock()
	defer ix.saveSnapshots(ctx)
	err := ix.guard("embed", func() error { return ix.embedPending(ctx) })
	if err != nil && ctx.Err() == nil {
		if salvaged, _ := ix.salvageInTurn(ctx); salvaged {
			err = ix.guard("embed", func() error { return ix.embedPending(ctx) })
		}
	}
	if ctx.Err() != nil {
		ix.progress.embedded(nil) // given up, not failed
	} else {
		ix.progress.embedded(err)
	}
	if err != nil {
		return err
	}
	return ix.guard("drop unused vectors", func() error { return ix.prune(ctx) })
}

func (ix *Index) embedPending(ctx context.Context) error {
	tried := make(map[*search.Document]bool)
	for {
		through := ix.lastFollowed()
		pending := slices.DeleteFunc(ix.pending(), func(d *search.Document) bool { return tried[d] })
		if len(pending) == 0 {
			for c, change := range through {
				c.Through.Store(change)
			}
			return nil
		}
		ix.progress.embed(ix.store.CountPending(pending))
		if err := ix.embedDocuments(ctx, pending); err != nil {
			return err
		}
		for _, d := range pending {
			tried[d] = true // one that is changed meanwhile is another document
		}
	}
}

// prune drops vectors that nothing has used for a long time.
func (ix *Index) prune(ctx context.Context) error {
	for i, f := range ix.folders {
		if !ix.embeds(i) {
			continue
		}
		if err := ix.store.Prune(ctx, i); err != nil {
			return fmt.Errorf("drop unused vectors of %s: %w", f.Dir(), err)
		}
	}
	return nil
}

// lastFollowed is what each catalogue holds in memory now.
func (ix *Index) lastFollowed() map[*live.Follower]int64 {
	all := make(map[*live.Follower]int64)
	for i := range ix.folders {
		if c := ix.store.Follower(i); c != nil {
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
func (ix *Index) wantVectors() {
	select {
	case ix.bare <- struct{}{}:
	default:
	}
}

// recovered has keepEmbedded go on at once: the model answers again.
func (ix *Index) recovered() {
	select {
	case ix.answers <- struct{}{}:
	default:
	}
}

// keepEmbedded embeds whenever there is something to embed, until ctx ends. A
// model that fails is left alone for longer and longer. It calls through after
// each pass.
func (ix *Index) keepEmbedded(ctx context.Context, through func(context.Context)) {
	wait, said := firstRetry, ""
	for {
		select {
		case <-ctx.Done():
			return
		case <-ix.bare:
		}
		for {
			err := ix.embed(ctx)
			through(ctx)
			if err == nil || ctx.Err() != nil {
				wait, said = firstRetry, ""
				break
			}
			level := slog.LevelWarn
			if err.Error() == said {
				level = slog.LevelDebug // once is enough
			}
			said = err.Error()
			ix.log.Log(ctx, level, "some passages have no vector yet, they are found by their words only", "error", err, "next try", wait)
			select {
			case <-ctx.Done():
				return
			case <-time.After(wait):
			case <-ix.answers:
			}
			wait = min(2*wait, lastRetry)
		}
	}
}
