package upkeep

import (
	"context"
	"errors"

	"vademecum/index/catalog"
	"vademecum/index/catalog/sqlite"
	"vademecum/index/roots"
)

// open opens the catalogue of a folder. Where the disk takes none, it is kept
// in memory.
func (k *Keeper) open(ctx context.Context, folder int) (roots.Opened, error) {
	c, err := k.openSaved(ctx, folder)
	if err == nil || errors.Is(err, sqlite.ErrForeign) || errors.Is(err, sqlite.ErrClaimed) {
		return c, err
	}
	return k.inMemory(ctx, folder, err)
}

func (k *Keeper) openSaved(ctx context.Context, folder int) (roots.Opened, error) {
	c, err := k.folders[folder].Home.Open(ctx, k.store.Embedder.Model())
	if !errors.Is(err, catalog.ErrUnreachable) { // what says no was reached
		k.progress.Reach()
	}
	return c, err
}

// renew opens a new catalogue in the place of a damaged one that is closed.
func (k *Keeper) renew(ctx context.Context, folder int, damaged roots.Opened) (roots.Opened, error) {
	c, err := k.folders[folder].Home.Renew(ctx, k.store.Embedder.Model(), damaged.Catalog, k.hasFilesOf(ctx, folder, damaged.Catalog))
	if err == nil {
		return c, nil
	}
	return k.inMemory(ctx, folder, err)
}

// inMemory opens a catalogue that is not saved, and says why.
func (k *Keeper) inMemory(ctx context.Context, folder int, why error) (roots.Opened, error) {
	if ctx.Err() != nil {
		return roots.Opened{}, why
	}
	f := k.folders[folder]
	if err := f.ReleaseDuties(); err != nil { // others may have the file
		return roots.Opened{}, errors.Join(why, err)
	}
	c, err := f.Home.InMemory(ctx, k.store.Embedder.Model(), why)
	if err != nil {
		if !errors.Is(err, why) {
			err = errors.Join(why, err)
		}
		return c, err
	}
	k.log.Warn("the index is kept in memory and is lost at the end: name a place for it with --index", "folder", f.Dir(), "reason", why)
	return c, nil
}
