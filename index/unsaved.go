package index

import (
	"context"
	"errors"
	"fmt"

	"vademecum/index/catalog"
	"vademecum/index/catalog/sqlite"
	"vademecum/index/live"
)

// A disk may take nothing from some moment on: it is full, read-only from then
// on, or fails. A catalogue on it goes over to memory with all that it holds,
// and back when the disk takes that.

// salvage has those catalogues go over to memory that the disk takes no more,
// and tells whether there were any. The caller holds the token of ix.syncing.
func (ix *Index) salvage(ctx context.Context) (bool, error) {
	any := false
	for i := range ix.folders {
		c := ix.store.Follower(i)
		if disk := onDisk(c); disk == nil || !disk.IsStranded() || disk.IsSuspect() {
			continue
		}
		if err := ix.goOver(ctx, i, c); err != nil {
			return any, err
		}
		any = true
	}
	return any, nil
}

// salvageInTurn is salvage for who does not hold the token.
func (ix *Index) salvageInTurn(ctx context.Context) (bool, error) {
	select {
	case ix.syncing <- struct{}{}:
		defer func() { <-ix.syncing }()
	case <-ctx.Done():
		return false, ctx.Err()
	}
	return ix.salvage(ctx)
}

// goOver keeps a folder's catalogue in memory from now on. What cannot be read
// of it any more is made again from the folder.
func (ix *Index) goOver(ctx context.Context, folder int, old *live.Follower) error {
	why, dir := onDisk(old).Refusal(), ix.folders[folder].Dir()
	failure := fmt.Errorf("the disk took no more of the index, which was kept in memory: %w", why)
	if err := keepFailure(ctx, old, runFailure, failure); err != nil { // it may be too full for that too
		ix.log.Debug("could not note why the index is kept in memory", "error", err)
	}
	if err := ix.store.GoOver(ctx, folder, old, func(ctx context.Context) (catalog.Catalog, int64, error) { return onDisk(old).CopyToMemory(ctx) }); err != nil {
		ix.log.Debug("could not read all of the index", "error", err)
		c, err := sqlite.OpenInMemory(ctx, ix.folders[folder].index, ix.embedder.Model(), why)
		if err != nil {
			return errors.Join(why, err)
		}
		old.Retire(true)
		if err := ix.bequeath(ctx, folder, old, c); err != nil {
			return errors.Join(err, c.Close())
		}
		ix.progress.restart(folder)
		if err := ix.store.Exchange(ctx, folder, c); err != nil {
			return err
		}
	}
	_ = old.Close() // it cannot tidy up where nothing can be written
	// Others find out by themselves what the disk takes of them.
	err := errors.Join(ix.folders[folder].indexing.Release(), ix.folders[folder].embedding.Release())
	ix.log.Warn("the index is kept in memory until the disk takes it again, and else is lost at the end", "folder", dir, "reason", why)
	ix.wantVectors()
	return err
}
