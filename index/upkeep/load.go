package upkeep

import (
	"cmp"
	"context"
	"errors"
	"time"

	"vademecum/embed"
	"vademecum/index/catalog"
	"vademecum/index/roots"
	"vademecum/internal/panics"
)

// Load opens the catalogues and brings them into memory. What they hold can
// be searched when it returns. It is called once.
func (k *Keeper) Load(ctx context.Context) error {
	err := k.guard.Catch("load the index", func() error { return k.load(ctx) })
	k.fresh.EndLoading(err)
	return err
}

// reachEvery is how often a server tries to reach a database that is away when it
// starts, readyEvery one that does not let it in or has not its tables: too many wrong
// passwords may shut out who gives them.
const (
	reachEvery = time.Second
	readyEvery = 3 * time.Second
)

// loadPatiently is Load for a server: a database that is away will be back, what is
// wrong with it will be put right, and somebody may yet make a library.
func (k *Keeper) loadPatiently(ctx context.Context) (err error) {
	defer func() { k.fresh.EndLoading(err) }()
	for told := false; ; told = true {
		err = k.guard.Catch("load the index", func() error { return k.load(ctx) })
		pause := reachEvery
		switch {
		case errors.Is(err, catalog.ErrUnreachable), errors.Is(err, catalog.ErrAbsent):
		case errors.Is(err, catalog.ErrUnready), errors.Is(err, catalog.ErrNoWrites):
			pause = readyEvery
		default:
			k.fresh.KeepsUp(nil)
			if told && err == nil {
				k.log.Warn("the index is loaded now")
			}
			for _, model := range k.Unused() {
				k.log.Warn("the library is indexed with a model whose vectors this server does not use: give it the same --embed", "model", model)
			}
			return err
		}
		k.fresh.KeepsUp(err)
		if !told {
			k.log.Warn("the index cannot be loaded yet, it is tried again", "every", pause, "error", err)
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(pause):
		}
	}
}

func (k *Keeper) load(ctx context.Context) error {
	for i := range k.folders {
		if k.store.Follower(i) != nil {
			continue
		}
		if err := k.loadFolder(ctx, i); err != nil {
			if catalog.IsOfDatabase(err) {
				k.store.Unload(i) // it is loaded anew then
			}
			return err
		}
	}
	k.slack.made.Store(true)
	k.fresh.Load()
	return nil
}

// loadFolder loads one catalogue. Damage may show only when it is read. One that
// causes a panic is as good as damaged.
func (k *Keeper) loadFolder(ctx context.Context, folder int) error {
	c, err := k.open(ctx, folder)
	if err != nil {
		return err
	}
	if err := k.comparer.AgreeOnPlace(ctx, folder, c.Catalog); err != nil {
		return err
	}
	err = k.guard.Catch("load the index of a folder", func() error { return k.loadCatalogue(ctx, folder, c) })
	for range 2 { // what takes the place of a damaged one may be refused
		if !isRepairable(c, err) {
			break
		}
		if c, err = k.repairUnloaded(ctx, folder, c, err); err == nil {
			err = k.loadCatalogue(ctx, folder, c)
		}
	}
	if err != nil {
		return err
	}
	if err := k.Embedding.TellHost(ctx, folder, c.Values()); err != nil {
		salvaged, failed := k.salvage(ctx) // nothing else is under way yet
		if !salvaged {
			return errors.Join(err, failed)
		}
	}
	if c.Before != "" && !k.store.Model.Free {
		k.log.Warn("another embedding model than before: passages are found by words until they have its vectors",
			"folder", k.folders[folder].Dir(), "before", c.Before, "now", k.store.Embedder.Model())
	}
	if c.Kept != "" && embed.IsStored(c.Kept) && !k.store.Model.IsStored() {
		k.models.Store(folder, c.Kept)
	}
	if c.Rebuilt != "" {
		k.log.Warn("the index is built again", "folder", k.folders[folder].Dir(), "reason", c.Rebuilt)
	}
	return nil
}

func (k *Keeper) loadCatalogue(ctx context.Context, folder int, c roots.Opened) error {
	if _, err := k.store.Load(ctx, folder, c.Catalog); err != nil {
		return err
	}
	return k.comparer.RecallDirectory(ctx, folder, c.Catalog)
}

// isRepairable tells whether another catalogue may take the place of one that could not
// be loaded. One that causes a panic is as good as damaged.
func isRepairable(c roots.Opened, why error) bool {
	return errors.Is(why, catalog.ErrDamaged) || (panics.Is(why) || errors.Is(why, catalog.ErrRefused)) && !c.Health().IsUnsaved()
}

// repairUnloaded opens a catalogue in the place of one that could not be loaded.
func (k *Keeper) repairUnloaded(ctx context.Context, folder int, old roots.Opened, why error) (roots.Opened, error) {
	if panics.Is(why) {
		_ = old.Health().Note(catalog.ErrDamaged)
	}
	_ = old.Health().Note(why)
	k.store.Unload(folder)
	if err := k.reload(ctx); err != nil {
		return old, err
	}
	r, err := k.folders[folder].Home.Repair(ctx, k.store.Embedder.Model(), old.Catalog, k.comparer.HasFilesOf(ctx, folder))
	_ = old.Close() // it cannot tidy up what is damaged, or where nothing can be written
	if err != nil || r.Catalog == nil {
		return old, cmp.Or(err, why)
	}
	k.tellUnsaved(folder, r.Opened)
	if r.Unsaved == nil && r.Health().IsUnsaved() {
		k.log.Warn(r.Done, "folder", k.folders[folder].Dir(), "reason", r.Why)
	}
	return r.Opened, nil
}

// Close gives up what is being read apart, and waits for that.
func (k *Keeper) Close() { k.apart.close() }
