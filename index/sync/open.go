package sync

import (
	"context"
	"errors"

	"vademecum/index/catalog"
	"vademecum/index/roots"
)

// openCatalog opens the catalogue of a folder, and logs if it cannot be saved.
func (s *Syncer) openCatalog(ctx context.Context, folder int) (roots.OpenedCatalog, error) {
	c, err := s.Folders[folder].Storage.Open(ctx, s.Store.Embedder.Model())
	if !errors.Is(err, catalog.ErrUnreachable) {
		// any other error shows that the storage was reached
		s.Fresh.SetStorageReachable()
	}
	s.logUnsaved(folder, c)
	return c, err
}

func (s *Syncer) logUnsaved(folder int, c roots.OpenedCatalog) {
	if c.UnsavedReason != nil {
		s.Log.Warn("the index is kept in memory and is lost at the end: name a place for it with --index", "folder", s.Folders[folder].Dir(), "reason", c.UnsavedReason)
	}
}
