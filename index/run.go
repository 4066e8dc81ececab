package index

import (
	"context"
	"errors"
	"fmt"
	"path"
	"sync"
	"time"

	"vademecum/docs"
)

// sweepEvery is how often the folders are scanned although nothing was heard
// of them: events get lost on network drives and in sleep.
const sweepEvery = time.Minute

// followEvery is how often an idle index looks for what another process has
// committed to its catalogue.
const followEvery = time.Second

// Run loads the index, brings it up to date and keeps it so until ctx ends:
// the file system's events say where to look, the scan decides. The error is
// why the index cannot be used at all; nil when ctx ended.
func (ix *Index) Run(ctx context.Context) error {
	if err := ix.Load(ctx); err != nil {
		if ctx.Err() != nil {
			return nil
		}
		ix.progress.fail(err)
		return err
	}
	k := &keeper{ix: ix, dirty: make(map[area]bool), signal: make(chan struct{}, 1)}
	defer k.watch(ctx)()
	embedding, stop := context.WithCancel(ctx)
	var group sync.WaitGroup
	group.Go(func() { ix.keepEmbedded(embedding) })
	defer group.Wait()
	defer stop()
	ix.wantVectors()
	k.add(ix.everything()...)
	sweep := time.NewTicker(sweepEvery)
	defer sweep.Stop()
	follow := time.NewTicker(followEvery)
	defer follow.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-sweep.C:
			k.add(ix.everything()...)
		case <-follow.C:
			ix.followAll(ctx)
		case <-k.signal:
			if areas := k.take(); len(areas) > 0 {
				k.sync(ctx, areas)
			}
		}
	}
}

// followAll takes over what other processes committed.
func (ix *Index) followAll(ctx context.Context) {
	for i := range ix.folders {
		changed, err := ix.store.follow(ctx, i)
		if err != nil && ctx.Err() == nil {
			ix.log.Warn("could not read what another process indexed", "error", err)
		}
		if changed {
			ix.wantVectors()
			ix.progress.signal()
		}
	}
}

// keeper gathers what must be looked at again.
type keeper struct {
	ix     *Index
	mu     sync.Mutex
	dirty  map[area]bool
	signal chan struct{}
}

func (k *keeper) add(areas ...area) {
	k.mu.Lock()
	for _, a := range areas {
		k.dirty[a] = true
	}
	k.mu.Unlock()
	select {
	case k.signal <- struct{}{}:
	default:
	}
}

// take empties the set and leaves out areas that lie in others.
func (k *keeper) take() []area {
	k.mu.Lock()
	defer k.mu.Unlock()
	var areas []area
	for a := range k.dirty {
		if !k.isCovered(a) {
			areas = append(areas, a)
		}
	}
	clear(k.dirty)
	return areas
}

func (k *keeper) isCovered(a area) bool {
	for base := a.base; base != "."; {
		base = path.Dir(base)
		if k.dirty[area{folder: a.folder, base: base}] {
			return true
		}
	}
	return false
}

func (k *keeper) sync(ctx context.Context, areas []area) {
	r, err := k.ix.sync(ctx, areas, false)
	r.finish()
	report := r.report
	switch {
	case ctx.Err() != nil:
	case err != nil:
		k.ix.log.Error("could not bring the index up to date", "error", err)
	case report.Indexed+report.Removed > 0:
		k.ix.log.Info("indexed", "documents", report.Indexed, "removed", report.Removed, "skipped", len(report.Skipped), "total", report.Total)
	}
}

// watch starts a watcher on each folder and returns what stops them all.
func (k *keeper) watch(ctx context.Context) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var group sync.WaitGroup
	for i, f := range k.ix.folders {
		w, err := f.Watch()
		if err != nil {
			k.ix.log.Warn("cannot watch the folder, it is scanned from time to time", "folder", f.Dir(), "every", sweepEvery, "error", err)
			continue
		}
		if why := w.Incomplete(); why != "" {
			k.ix.log.Warn("not all of the folder is watched, it is scanned from time to time", "folder", f.Dir(), "every", sweepEvery, "reason", why)
		}
		group.Go(func() {
			defer w.Close()
			if err := k.listen(ctx, i, w); err != nil {
				k.ix.log.Warn("stopped watching the folder", "folder", f.Dir(), "error", err)
			}
		})
	}
	return func() { cancel(); group.Wait() }
}

func (k *keeper) listen(ctx context.Context, folder int, w *docs.Watcher) error {
	err := w.Run(ctx, func(paths []string) {
		areas := make([]area, len(paths))
		for i, p := range paths {
			areas[i] = area{folder: folder, base: p}
		}
		k.add(areas...)
	})
	if errors.Is(err, context.Canceled) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("watch: %w", err)
	}
	return nil
}
