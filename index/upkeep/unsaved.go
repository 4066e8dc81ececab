package upkeep

import (
	"context"
	"errors"
	"fmt"

	"vademecum/index/catalog"
	"vademecum/index/live"
)

// A disk may take nothing from some moment on: it is full, read-only from then
// on, or fails. A catalogue on it goes over to memory with all that it holds,
// and back when the disk takes that.

// salvage has those catalogues go over to memory that the disk takes no more,
// and tells whether there were any. The caller holds the token of k.syncing.
func (k *Keeper) salvage(ctx context.Context) (bool, error) {
	any := false
	for i := range k.folders {
		c := k.store.Follower(i)
		if disk := onDisk(c); disk == nil || !disk.IsStranded() || disk.IsSuspect() {
			continue
		}
		if err := k.goOver(ctx, i, c); err != nil {
			return any, err
		}
		any = true
	}
	return any, nil
}

// salvageInTurn is salvage for who does not hold the token.
func (k *Keeper) salvageInTurn(ctx context.Context) (bool, error) {
	select {
	case k.syncing <- struct{}{}:
		defer func() { <-k.syncing }()
	case <-ctx.Done():
		return false, ctx.Err()
	}
	return k.salvage(ctx)
}

// goOver keeps a folder's catalogue in memory from now on. What cannot be read
// of it any more is made again from the folder.
func (k *Keeper) goOver(ctx context.Context, folder int, old *live.Follower) error {
	why, dir := onDisk(old).Refusal(), k.folders[folder].Dir()
	failure := fmt.Errorf("the disk took no more of the index, which was kept in memory: %w", why)
	if err := keepFailure(ctx, old, runFailure, failure); err != nil { // it may be too full for that too
		k.log.Debug("could not note why the index is kept in memory", "error", err)
	}
	if err := k.store.GoOver(ctx, folder, old, func(ctx context.Context) (catalog.Catalog, int64, error) { return onDisk(old).CopyToMemory(ctx) }); err != nil {
		k.log.Debug("could not read all of the index", "error", err)
		c, err := k.folders[folder].Home.InMemory(ctx, k.store.Embedder.Model(), why)
		if err != nil {
			return errors.Join(why, err)
		}
		old.Retire(true)
		if err := k.bequeath(ctx, folder, old, c.Catalog); err != nil {
			return errors.Join(err, c.Close())
		}
		k.progress.Restart(folder)
		if err := k.store.Exchange(ctx, folder, c.Catalog); err != nil {
			return err
		}
	}
	_ = old.Close() // it cannot tidy up where nothing can be written
	// Others find out by themselves what the disk takes of them.
	err := k.folders[folder].ReleaseDuties()
	k.log.Warn("the index is kept in memory until the disk takes it again, and else is lost at the end", "folder", dir, "reason", why)
	k.Embedding.Wake()
	return err
}
