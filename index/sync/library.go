package sync

import (
	"context"
	"errors"
	"fmt"
	"time"

	"vademecum/index/catalog"
)

// A database that stores the index may be unreachable, not ready for this program, or accept no
// changes for a while. A server continues automatically when that is over.

// ReopenLibrary reopens the library of a folder after it disappeared from the database: the
// database was restored, or the library was removed and perhaps recreated. Until the library exists
// again, it returns why, and retries from time to time.
func (s *Syncer) ReopenLibrary(ctx context.Context, folder int, why error) error {
	old := s.Store.Follower(folder)
	if isRecent(&old.LastReplaceAttempt, reachEvery) {
		return why
	}
	if err := s.turn.Acquire(ctx, 1); err != nil {
		return err
	}
	defer s.turn.Release(1)
	if s.Store.Follower(folder) != old { // another call was faster
		return nil
	}
	s.Fresh.SetFollowError(why) // reported now, because loading may take long
	old.LastReplaceAttempt.Store(time.Now().UnixNano())
	c, err := s.openCatalog(ctx, folder)
	if err == nil {
		err = s.AgreeOnPath(ctx, folder, c.Catalog)
	}
	if errors.Is(err, catalog.ErrLibraryNotFound) {
		return why
	}
	if err != nil {
		return fmt.Errorf("%w: %w", why, err)
	}
	old.SetRetired(true)
	s.Fresh.RestartFolder(folder)
	s.Fresh.RecordIndexLost()
	if err := s.Store.ReplaceCatalog(ctx, folder, c.Catalog); err != nil {
		return fmt.Errorf("%w: %w", why, err)
	}
	s.Embedding.Wake()
	s.Log.Warn("the library is read again", "folder", s.Folders[folder].Dir(), "reason", why)
	return s.Embedding.RecordHost(ctx, folder, c.Values())
}
