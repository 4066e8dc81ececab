package index

import (
	"context"
	"errors"
	"os"
)

// open opens the catalogue of a folder. Where the disk takes none, it is kept
// in memory.
func (ix *Index) open(ctx context.Context, folder int) (*catalogue, error) {
	c, err := ix.openSaved(ctx, folder)
	if err == nil || errors.Is(err, errForeign) || errors.Is(err, errClaimed) {
		return c, err
	}
	return ix.inMemory(ctx, folder, err)
}

func (ix *Index) openSaved(ctx context.Context, folder int) (*catalogue, error) {
	c, err := openCatalogue(ctx, ix.folders[folder].index, ix.embedder.Model())
	return ix.entitle(folder, c), err
}

// entitle has a catalogue change no documents when another process has become
// the indexer meanwhile, and wait for other writers no longer than this process would.
func (ix *Index) entitle(folder int, c *catalogue) *catalogue {
	if c == nil {
		return nil
	}
	c.overtaken = ix.folders[folder].indexing.isLost
	if ix.patience > 0 {
		c.patience = min(c.patience, ix.patience)
	}
	return c
}

// renew opens a new catalogue in the place of a damaged one that is closed.
func (ix *Index) renew(ctx context.Context, folder int, damaged os.FileInfo) (*catalogue, error) {
	c, err := renew(ctx, ix.folders[folder].index, ix.embedder.Model(), damaged)
	if err == nil {
		return ix.entitle(folder, c), nil
	}
	return ix.inMemory(ctx, folder, err)
}

// inMemory opens a catalogue that is not saved, and says why.
func (ix *Index) inMemory(ctx context.Context, folder int, why error) (*catalogue, error) {
	if ctx.Err() != nil {
		return nil, why
	}
	f := ix.folders[folder]
	if err := errors.Join(f.indexing.release(), f.embedding.release()); err != nil { // others may have the file
		return nil, errors.Join(why, err)
	}
	c, err := openInMemory(ctx, f.index, ix.embedder.Model())
	if err != nil {
		return nil, errors.Join(why, err)
	}
	c.why = why
	ix.log.Warn("the index is kept in memory and is lost at the end: name a place for it with --index", "folder", f.Dir(), "reason", why)
	return c, nil
}
