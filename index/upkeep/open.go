package upkeep

import (
	"context"
	"errors"

	"vademecum/index/catalog/sqlite"
)

// open opens the catalogue of a folder. Where the disk takes none, it is kept
// in memory.
func (k *Keeper) open(ctx context.Context, folder int) (*sqlite.Catalog, error) {
	c, err := k.openSaved(ctx, folder)
	if err == nil || errors.Is(err, sqlite.ErrForeign) || errors.Is(err, sqlite.ErrClaimed) {
		return c, err
	}
	return k.inMemory(ctx, folder, err)
}

func (k *Keeper) openSaved(ctx context.Context, folder int) (*sqlite.Catalog, error) {
	return sqlite.Open(ctx, k.folders[folder].Index, k.embedder.Model())
}

// renew opens a new catalogue in the place of a damaged one that is closed.
func (k *Keeper) renew(ctx context.Context, folder int, damaged *sqlite.Catalog) (*sqlite.Catalog, error) {
	c, err := sqlite.Renew(ctx, k.folders[folder].Index, k.embedder.Model(), damaged)
	if err == nil {
		return c, nil
	}
	return k.inMemory(ctx, folder, err)
}

// inMemory opens a catalogue that is not saved, and says why.
func (k *Keeper) inMemory(ctx context.Context, folder int, why error) (*sqlite.Catalog, error) {
	if ctx.Err() != nil {
		return nil, why
	}
	f := k.folders[folder]
	if err := errors.Join(f.Indexing.Release(), f.Embedding.Release()); err != nil { // others may have the file
		return nil, errors.Join(why, err)
	}
	c, err := sqlite.OpenInMemory(ctx, f.Index, k.embedder.Model(), why)
	if err != nil {
		return nil, errors.Join(why, err)
	}
	k.log.Warn("the index is kept in memory and is lost at the end: name a place for it with --index", "folder", f.Dir(), "reason", why)
	return c, nil
}
