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
func (r *Recovery) ReopenLibrary(ctx context.Context, folder int, why error) error {
	old := r.Store.Follower(folder)
	if isRecent(&old.LastReplaceAttempt, reachEvery) {
		return why
	}
	if err := r.Turn.Acquire(ctx, 1); err != nil {
		return err
	}
	defer r.Turn.Release(1)
	if r.Store.Follower(folder) != old { // another call was faster
		return nil
	}
	r.Fresh.SetFollowError(why) // reported now, because loading may take long
	old.LastReplaceAttempt.Store(time.Now().UnixNano())
	c, err := r.openCatalog(ctx, folder)
	if err == nil {
		err = r.Comparer.AgreeOnPath(ctx, folder, c.Catalog)
	}
	if errors.Is(err, catalog.ErrLibraryNotFound) {
		return why
	}
	if err != nil {
		return fmt.Errorf("%w: %w", why, err)
	}
	old.SetRetired(true)
	r.Fresh.RestartFolder(folder)
	r.Fresh.RecordIndexLost()
	if err := r.Store.ReplaceCatalog(ctx, folder, c.Catalog); err != nil {
		return fmt.Errorf("%w: %w", why, err)
	}
	r.Embedding.Wake()
	r.Log.Warn("the library is read again", "folder", r.Folders[folder].Dir(), "reason", why)
	return r.Embedding.RecordHost(ctx, folder, c.Values())
}
