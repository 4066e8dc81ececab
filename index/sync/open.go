package sync

import (
	"context"
	"errors"

	"vademecum/index/catalog"
	"vademecum/index/roots"
)

// openCatalog opens the catalogue of a folder, and logs if it cannot be saved.
func (r *Recovery) openCatalog(ctx context.Context, folder int) (roots.OpenedCatalog, error) {
	c, err := r.Folders[folder].Storage.Open(ctx, r.Store.Embedder.Model())
	if !errors.Is(err, catalog.ErrUnreachable) {
		// any other error shows that the storage was reached
		r.Fresh.SetStorageReachable()
	}
	r.logUnsaved(folder, c)
	return c, err
}

func (r *Recovery) logUnsaved(folder int, c roots.OpenedCatalog) {
	if c.UnsavedReason != nil {
		r.Log.Warn("the index is kept in memory and is lost at the end: name a place for it with --index", "folder", r.Folders[folder].Dir(), "reason", c.UnsavedReason)
	}
}
