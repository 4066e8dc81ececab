package recovery

import (
	"context"
	"errors"
	"fmt"
	"time"

	"vademecum/index/catalog"
)

// A database that keeps the index may be away, not be ready for this program, or take no
// changes for a while. A server goes on by itself when that is over.

// ReopenLibrary opens the library of a folder again that is gone from the database: that was
// restored, or somebody has removed the library and may have made it again. Until it is
// there the error is why, and it is looked for from time to time.
func (r *Recovery) ReopenLibrary(ctx context.Context, folder int, why error) error {
	old := r.Store.Follower(folder)
	if isRecent(&old.Tried, reachEvery) {
		return why
	}
	if err := r.Turn.Acquire(ctx, 1); err != nil {
		return err
	}
	defer r.Turn.Release(1)
	if r.Store.Follower(folder) != old { // another call was faster
		return nil
	}
	r.Fresh.SetFollowError(why) // it may take long to load
	old.Tried.Store(time.Now().UnixNano())
	c, err := r.openCatalog(ctx, folder)
	if err == nil {
		err = r.Comparer.AgreeOnPath(ctx, folder, c.Catalog)
	}
	if errors.Is(err, catalog.ErrAbsent) {
		return why
	}
	if err != nil {
		return fmt.Errorf("%w: %w", why, err)
	}
	old.SetRetired(true)
	r.Fresh.RestartFolder(folder)
	r.Fresh.RecordLoss()
	if err := r.Store.ReplaceCatalog(ctx, folder, c.Catalog); err != nil {
		return fmt.Errorf("%w: %w", why, err)
	}
	r.Embedding.Wake()
	r.Log.Warn("the library is read again", "folder", r.Folders[folder].Dir(), "reason", why)
	return r.Embedding.RecordHost(ctx, folder, c.Values())
}
