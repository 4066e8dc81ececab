package index

import (
	"context"
	"errors"
	"maps"
	"path"
	"sync"
	"time"

	"vademecum/docs"
	"vademecum/index/live"
)

// keeper keeps an index up to date: it fulfils the duties of this process, follows
// others, and gathers what must be looked at again.
type keeper struct {
	ix     *Index
	group  sync.WaitGroup
	duties []duty // by folder
	teller

	mu     sync.Mutex
	dirty  map[area]bool
	signal chan struct{}
}

func newKeeper(ix *Index) *keeper {
	return &keeper{
		ix:     ix,
		duties: make([]duty, len(ix.folders)),
		teller: teller{ix: ix, told: make(map[*live.Follower]told)},
		dirty:  make(map[area]bool),
		signal: make(chan struct{}, 1),
	}
}

// look takes over what other processes committed, the duties of those that are
// gone, and what they ask for.
func (k *keeper) look(ctx context.Context) {
	err := k.ix.guard("build the index again", func() error { return k.ix.mend(ctx, mendPause) })
	if err != nil && ctx.Err() == nil {
		k.ix.log.Error("could not build the index again", "error", err)
		k.ix.progress.keepsUp(err)
		return
	}
	var faults []error
	for i := range k.ix.folders {
		faults = append(faults, k.ix.guard("follow another process", func() error { return k.follow(ctx, i) }))
	}
	k.ix.progress.keepsUp(errors.Join(faults...))
	k.tell(ctx)
}

// follow looks at one folder. The error is why it cannot be followed.
func (k *keeper) follow(ctx context.Context, folder int) error {
	_, err := k.ix.store.Follow(ctx, folder)
	d, c := &k.duties[folder], k.ix.store.Follower(folder)
	if err != nil && ctx.Err() == nil {
		k.ix.log.Warn("could not read what another process indexed", "error", err)
		d.version = 0
	}
	if d.of != c {
		k.begin(folder, c)
	}
	k.assign(ctx, folder)
	if c.Foreign.Swap(false) && d.leads && k.ix.folders[folder].indexing.Why() == nil {
		k.add(area{folder: folder, base: "."}) // who had the duty before may have committed what it read long ago
	}
	version := c.LastSeen()
	if version == d.version {
		return err
	}
	d.version = version
	k.ix.progress.signal()
	if d.leads {
		k.answer(ctx, folder, c)
	}
	if heard := k.hear(ctx, folder, c); heard != nil && ctx.Err() == nil {
		k.ix.log.Warn("could not read how far another process is", "error", heard)
	}
	return err
}

// hear notes how far those are that have the duties that this process has not.
func (k *keeper) hear(ctx context.Context, folder int, c *live.Follower) (err error) {
	d := k.duties[folder]
	if d.leads {
		k.ix.progress.hearIndexer(folder, nil)
	} else {
		_, err = k.ix.hearIndexer(ctx, folder, c)
	}
	if d.embeds {
		k.ix.progress.hearEmbedder(folder, nil)
		if k.ix.store.CountBare(folder) > 0 { // another process may have indexed something
			k.ix.wantVectors()
		}
		return err
	}
	_, vectors := k.ix.hearEmbedder(ctx, folder, c)
	return errors.Join(err, vectors)
}

// work brings up to date what is dirty.
func (k *keeper) work(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-k.signal:
			if areas := k.take(); len(areas) > 0 {
				_ = k.ix.guard("bring the index up to date", func() error { k.sync(ctx, areas); return nil })
			}
		}
	}
}

func (k *keeper) add(areas ...area) {
	k.note(areas)
	k.wake()
}

func (k *keeper) wake() {
	select {
	case k.signal <- struct{}{}:
	default:
	}
}

func (k *keeper) note(areas []area) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, a := range areas {
		k.dirty[a] = true
	}
}

// take empties the set, but for folders that do not answer, and leaves out areas
// that lie in others.
func (k *keeper) take() []area {
	silent := k.silent()
	k.mu.Lock()
	defer k.mu.Unlock()
	var areas []area
	for a := range k.dirty {
		if !silent[a.folder] && !k.isCovered(a) {
			areas = append(areas, a)
		}
	}
	maps.DeleteFunc(k.dirty, func(a area, _ bool) bool { return !silent[a.folder] })
	return areas
}

func (k *keeper) silent() map[int]bool {
	silent := make(map[int]bool)
	for i, f := range k.ix.folders {
		silent[i] = f.Silent() > 0
	}
	return silent
}

// resume has files be read that were put off, where this process reads them.
func (k *keeper) resume() {
	for _, at := range k.ix.restless.due(time.Now()) {
		if k.duties[at.Folder].leads {
			k.add(area{folder: at.Folder, base: at.Path})
		}
	}
}

// remind has what was left be looked at when folders answer again.
func (k *keeper) remind() {
	silent := k.silent()
	k.mu.Lock()
	defer k.mu.Unlock()
	for a := range k.dirty {
		if !silent[a.folder] {
			k.wake()
			return
		}
	}
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
	if areas, _ = k.ix.split(areas); len(areas) == 0 { // another has taken over meanwhile
		return
	}
	r, err := k.ix.sync(ctx, areas, false)
	r.finish()
	report := r.report
	switch {
	case ctx.Err() != nil:
	case errors.Is(err, docs.ErrSilent):
		k.note(areas)
		k.ix.log.Warn("a folder does not answer, it is looked at again when it does", "error", err)
	case err != nil:
		k.ix.log.Error("could not bring the index up to date", "error", err)
	case report.Indexed+report.Removed > 0:
		k.ix.log.Info("indexed", "documents", report.Indexed, "removed", report.Removed, "skipped", len(report.Skipped), "total", report.Total)
	}
}
