package index

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"vademecum/embed"
)

// A document can be found by its words as soon as it is saved. Its chunks are
// bare until the embedding model has given them vectors, in a pass of its own:
// a model that is slow or away holds nobody up.

// wanted is a chunk that needs a vector.
type wanted struct {
	slot  slot
	key   textKey
	input string
}

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
		if err := ix.embed(ctx); err != nil {
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

// awaitsVectors takes over what other processes have embedded, and tells
// whether there is more to come.
func (ix *Index) awaitsVectors(ctx context.Context) (bool, error) {
	for i := range ix.folders {
		if ix.embeds(i) {
			continue
		}
		e, err := ix.hearEmbedder(ctx, i, ix.store.catalogue(i))
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
func (ix *Index) pending() []*document {
	return slices.DeleteFunc(ix.store.pending(ix.refused), func(d *document) bool { return !ix.embeds(d.folder) })
}

// hasPending tells whether there are chunks to embed, but for those of folders
// that another process embeds.
func (ix *Index) hasPending() bool {
	others := ix.progress.embeddedByOthers()
	return slices.ContainsFunc(ix.store.pending(ix.refused), func(d *document) bool { return !others[d.folder] })
}

// embed does so for what this process embeds.
func (ix *Index) embed(ctx context.Context) error {
	if err := ix.waitLoaded(ctx); err != nil {
		return err
	}
	ix.embedding.Lock() // one pass at a time
	defer ix.embedding.Unlock()
	defer ix.saveSnapshots(ctx)
	tried := make(map[*document]bool)
	for {
		through := ix.lastFollowed()
		pending := slices.DeleteFunc(ix.pending(), func(d *document) bool { return tried[d] })
		if len(pending) == 0 {
			for c, change := range through {
				c.through.Store(change)
			}
			return ix.prune(ctx)
		}
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
		if err := ix.store.prune(ctx, i); err != nil {
			return fmt.Errorf("drop unused vectors of %s: %w", f.Dir(), err)
		}
	}
	return nil
}

// lastFollowed is what each catalogue holds in memory now.
func (ix *Index) lastFollowed() map[*catalogue]int64 {
	all := make(map[*catalogue]int64)
	for i := range ix.folders {
		if c := ix.store.catalogue(i); c != nil {
			all[c] = c.lastFollowed()
		}
	}
	return all
}

func (ix *Index) embedDocuments(ctx context.Context, pending []*document) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	feed := make(chan *document)
	var group sync.WaitGroup
	for range min(workers(), len(pending)) {
		group.Go(func() {
			if err := ix.embedFeed(ctx, feed); err != nil {
				cancel(err)
			}
		})
	}
	offer(ctx, feed, pending)
	group.Wait()
	return context.Cause(ctx)
}

// embedFeed gathers the bare chunks of documents into batches.
func (ix *Index) embedFeed(ctx context.Context, feed <-chan *document) error {
	var batch []wanted
	folder := noFolder
	for d := range feed {
		if d.folder != folder {
			if err := ix.embedBatches(ctx, folder, batch, 1); err != nil {
				return err
			}
			batch, folder = nil, d.folder
		}
		body, ok, err := ix.store.body(ctx, d)
		if err != nil {
			return err
		}
		if !ok { // another process has put another document in its place
			if _, err := ix.store.follow(ctx, d.folder); err != nil {
				return err
			}
			continue
		}
		batch = append(batch, ix.store.bareOf(d, body.Text, ix.refused)...)
		done := len(batch) / batchChunks * batchChunks
		if err := ix.embedBatches(ctx, folder, batch[:done], batchChunks); err != nil {
			return err
		}
		batch = slices.Clone(batch[done:])
	}
	return ix.embedBatches(ctx, folder, batch, 1)
}

// embedBatches embeds a batch after the other; least is the size of the
// smallest.
func (ix *Index) embedBatches(ctx context.Context, folder int, batch []wanted, least int) error {
	for len(batch) >= least && len(batch) > 0 {
		n := min(len(batch), batchChunks)
		if err := ix.embedBatch(ctx, folder, batch[:n]); err != nil {
			return err
		}
		batch = batch[n:]
	}
	return nil
}

// embedBatch looks for vectors from before and asks the model for the rest.
func (ix *Index) embedBatch(ctx context.Context, folder int, batch []wanted) error {
	keys := make([]textKey, len(batch))
	for i, w := range batch {
		keys[i] = w.key
	}
	vectors, err := ix.store.knownKeys(ctx, folder, keys)
	if err != nil {
		return err
	}
	if err := ix.store.attach(ctx, batch, vectors); err != nil {
		return err
	}
	var missing []wanted
	asked := make(map[textKey]bool)
	for _, w := range batch {
		if vectors[w.key] == nil && !asked[w.key] {
			asked[w.key] = true
			missing = append(missing, w)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	fresh := make(map[textKey][]float32, len(missing))
	err = ix.ask(ctx, missing, fresh)
	if saved := ix.store.saveVectors(ctx, folder, fresh); saved != nil {
		return saved
	}
	if attached := ix.store.attach(ctx, batch, fresh); attached != nil {
		return attached
	}
	ix.progress.changed()
	return err
}

// probe is a text that no model refuses.
const probe = "note"

// ask embeds texts into fresh. When the model refuses them but is there, it
// asks for halves, until the text that it refuses is alone; that one is not
// asked for again.
func (ix *Index) ask(ctx context.Context, missing []wanted, fresh map[textKey][]float32) error {
	inputs := make([]string, len(missing))
	for i, w := range missing {
		inputs[i] = w.input
	}
	vectors, err := ix.embedder.Embed(ctx, embed.Passage, inputs)
	if err == nil {
		for i, w := range missing {
			fresh[w.key] = vectors[i]
		}
		return nil
	}
	if _, down := ix.embedder.Embed(ctx, embed.Passage, []string{probe}); down != nil {
		return err
	}
	if len(missing) == 1 {
		ix.refused.add(missing[0].key)
		ix.log.Warn("the embedding model refuses a passage, which is found by its words only", "error", err)
		return nil
	}
	half := len(missing) / 2
	if err := ix.ask(ctx, missing[:half], fresh); err != nil {
		return err
	}
	return ix.ask(ctx, missing[half:], fresh)
}

// keySet is a set of keys that several goroutines use.
type keySet struct {
	mu   sync.Mutex
	keys map[textKey]bool
}

func (s *keySet) add(k textKey) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.keys == nil {
		s.keys = make(map[textKey]bool)
	}
	s.keys[k] = true
}

func (s *keySet) has(k textKey) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.keys[k]
}

// How long to leave a model alone that did not answer.
const (
	firstRetry = 5 * time.Second
	lastRetry  = 10 * time.Minute
)

// wantVectors wakes keepEmbedded.
func (ix *Index) wantVectors() {
	select {
	case ix.bare <- struct{}{}:
	default:
	}
}

// keepEmbedded embeds whenever there is something to embed, until ctx ends. A
// model that fails is left alone for longer and longer. It calls through after
// each pass.
func (ix *Index) keepEmbedded(ctx context.Context, through func(context.Context)) {
	wait := firstRetry
	for {
		select {
		case <-ctx.Done():
			return
		case <-ix.bare:
		}
		for {
			ix.progress.embed()
			err := ix.embed(ctx)
			ix.progress.embedded(err)
			through(ctx)
			if err == nil || ctx.Err() != nil {
				wait = firstRetry
				break
			}
			ix.log.Warn("some passages have no vector yet, they are found by their words only", "error", err, "next try", wait)
			select {
			case <-ctx.Done():
				return
			case <-time.After(wait):
			}
			wait = min(2*wait, lastRetry)
		}
	}
}
