package index

import (
	"context"
	"errors"

	"vademecum/index/catalog/sqlite"
)

// open opens the catalogue of a folder. Where the disk takes none, it is kept
// in memory.
func (ix *Index) open(ctx context.Context, folder int) (*sqlite.Catalog, error) {
	c, err := ix.openSaved(ctx, folder)
	if err == nil || errors.Is(err, sqlite.ErrForeign) || errors.Is(err, sqlite.ErrClaimed) {
		return c, err
	}
	return ix.inMemory(ctx, folder, err)
}

func (ix *Index) openSaved(ctx context.Context, folder int) (*sqlite.Catalog, error) {
	return sqlite.Open(ctx, ix.folders[folder].index, ix.embedder.Model())
}

// renew opens a new catalogue in the place of a damaged one that is closed.
func (ix *Index) renew(ctx context.Context, folder int, damaged *sqlite.Catalog) (*sqlite.Catalog, error) {
	c, err := sqlite.Renew(ctx, ix.folders[folder].index, ix.embedder.Model(), damaged)
	if err == nil {
		return c, nil
	}
	return ix.inMemory(ctx, folder, err)
}

// inMemory opens a catalogue that is not saved, and says why.
func (ix *Index) inMemory(ctx context.Context, folder int, why error) (*sqlite.Catalog, error) {
	if ctx.Err() != nil {
		return nil, why
	}
	f := ix.folders[folder]
	if err := errors.Join(f.indexing.Release(), f.embedding.Release()); err != nil { // others may have the file
		return nil, errors.Join(why, err)
	}
	c, err := sqlite.OpenInMemory(ctx, f.index, ix.embedder.Model(), why)
	if err != nil {
		return nil, errors.Join(why, err)
	}
	ix.log.Warn("the index is kept in memory and is lost at the end: name a place for it with --index", "folder", f.Dir(), "reason", why)
	return c, nil
}
