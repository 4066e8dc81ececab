package index

import (
	"context"
	"errors"
	"fmt"

	"vademecum/index/catalog/sqlite"
)

// A disk may take nothing from some moment on: it is full, read-only from then
// on, or fails. A catalogue on it goes over to memory with all that it holds,
// and back when the disk takes that.

// salvage has those catalogues go over to memory that the disk takes no more,
// and tells whether there were any. The caller holds the token of ix.syncing.
func (ix *Index) salvage(ctx context.Context) (bool, error) {
	any := false
	for i := range ix.folders {
		c := ix.store.catalogue(i)
		if c == nil || !c.IsStranded() || c.IsSuspect() {
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
func (ix *Index) goOver(ctx context.Context, folder int, old *follower) error {
	why, dir := old.Refusal(), ix.folders[folder].Dir()
	failure := fmt.Errorf("the disk took no more of the index, which was kept in memory: %w", why)
	if err := old.keepFailure(ctx, runFailure, failure); err != nil { // it may be too full for that too
		ix.log.Debug("could not note why the index is kept in memory", "error", err)
	}
	if err := ix.store.goOver(ctx, folder, old); err != nil {
		ix.log.Debug("could not read all of the index", "error", err)
		c, err := sqlite.OpenInMemory(ctx, ix.folders[folder].index, ix.embedder.Model(), why)
		if err != nil {
			return errors.Join(why, err)
		}
		old.retire(true)
		if err := ix.bequeath(ctx, folder, old, c); err != nil {
			return errors.Join(err, c.Close())
		}
		ix.progress.restart(folder)
		if err := ix.store.exchange(ctx, folder, c); err != nil {
			return err
		}
	}
	_ = old.Close() // it cannot tidy up where nothing can be written
	// Others find out by themselves what the disk takes of them.
	err := errors.Join(ix.folders[folder].indexing.release(), ix.folders[folder].embedding.release())
	ix.log.Warn("the index is kept in memory until the disk takes it again, and else is lost at the end", "folder", dir, "reason", why)
	ix.wantVectors()
	return err
}

// goOver puts a copy in memory in the place of a catalogue. Nothing that can be
// searched changes.
func (st *store) goOver(ctx context.Context, folder int, old *follower) error {
	old.order.Lock()
	defer old.order.Unlock()
	c, last, err := old.CopyToMemory(ctx)
	if err != nil {
		return err
	}
	f, err := newFollower(ctx, c)
	if err == nil {
		f.followedVector, err = c.LastVector(ctx)
	}
	if err == nil && last != old.followed { // others have written what is not in memory yet: all is compared
		f.followed = -1
		f.order.Lock()
		defer f.order.Unlock()
		err = st.catchUp(ctx, folder, f)
	}
	if err != nil {
		return errors.Join(err, c.Close())
	}
	old.Catalog.Retire(true)
	st.mu.Lock()
	defer st.unlock()
	st.catalogues[folder] = f
	for at, d := range st.documents {
		if at.folder == folder {
			next := *d
			next.source = f
			st.replace(at, &next)
		}
	}
	return nil
}
