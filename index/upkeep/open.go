package upkeep

import (
	"context"
	"errors"

	"vademecum/index/catalog"
	"vademecum/index/roots"
)

// open opens the catalogue of a folder, and says where it is not saved.
func (k *Keeper) open(ctx context.Context, folder int) (roots.Opened, error) {
	c, err := k.folders[folder].Home.Open(ctx, k.store.Embedder.Model())
	if !errors.Is(err, catalog.ErrUnreachable) { // what says no was reached
		k.fresh.Reach()
	}
	k.tellUnsaved(folder, c)
	return c, err
}

func (k *Keeper) tellUnsaved(folder int, c roots.Opened) {
	if c.Unsaved != nil {
		k.log.Warn("the index is kept in memory and is lost at the end: name a place for it with --index", "folder", k.folders[folder].Dir(), "reason", c.Unsaved)
	}
}
