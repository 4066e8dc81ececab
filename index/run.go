package index

import (
	"context"
	"path"
	"sync"
	"time"
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
	return max(unwatchedSweep, min(sweepEvery, 20*time.Duration(ix.scanTime.Load())))
}

// lookEvery is how often a process looks for what others have committed and
// asked for, and whether one of them is gone.
const lookEvery = 200 * time.Millisecond

// Run loads the index, brings it up to date and keeps it so until ctx ends:
// the file system's events say where to look, the scan decides. Of folders
// that another process indexes it follows what that one commits. The error is
// why the index cannot be used at all; nil when ctx ended.
func (ix *Index) Run(ctx context.Context) error {
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
	k := &keeper{ix: ix, dirty: make(map[area]bool), signal: make(chan struct{}, 1), duties: make([]duty, len(ix.folders))}
	defer k.group.Wait()
	defer stop()
	k.look(ctx)
	k.group.Go(func() { ix.keepEmbedded(ctx) })
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
		}
	}
}

// keeper gathers what must be looked at again.
type keeper struct {
	ix      *Index
	group   sync.WaitGroup
	duties  []duty    // by folder
	told    State     // what other processes were told last
	telling time.Time // when

	mu     sync.Mutex
	dirty  map[area]bool
	signal chan struct{}
}

// work brings up to date what is dirty.
func (k *keeper) work(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-k.signal:
			if areas := k.take(); len(areas) > 0 {
				k.sync(ctx, areas)
			}
		}
	}
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
