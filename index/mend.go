package index

import (
	"context"
	"errors"
	"fmt"
)

// IsDamaged tells whether an error says that the index on disk is damaged. The
// next Sync, or a Run under way, builds it again.
func IsDamaged(err error) bool { return isDamaged(err) }

// mend opens those catalogues again that were found damaged, or whose file is
// gone or another.
func (ix *Index) mend(ctx context.Context) error {
	for i, f := range ix.folders {
		c := ix.store.catalogue(i)
		if c == nil || !c.suspect.Load() && !c.isReplaced() {
			continue
		}
		if err := ix.reopen(ctx, i, c); err != nil {
			return fmt.Errorf("open the index of %s again: %w", f.Dir(), err)
		}
		ix.log.Warn("the index is built again", "folder", f.Dir(), "reason", "its file was damaged or replaced")
	}
	return nil
}

// reopen takes a new catalogue in the place of one that is damaged or gone.
func (ix *Index) reopen(ctx context.Context, folder int, old *catalogue) error {
	select {
	case ix.syncing <- struct{}{}:
		defer func() { <-ix.syncing }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if ix.store.catalogue(folder) != old { // another call was faster
		return nil
	}
	ix.progress.restart()
	old.retired.Store(true)
	c, err := ix.successor(ctx, folder, old)
	if err != nil {
		old.retired.Store(false)
		return err
	}
	if err := ix.store.exchange(ctx, folder, c); err != nil {
		return errors.Join(err, c.close())
	}
	ix.wantVectors()
	return old.close()
}

// successor opens the catalogue that follows one, with the vectors of that.
func (ix *Index) successor(ctx context.Context, folder int, old *catalogue) (*catalogue, error) {
	at := ix.folders[folder].index
	if old.suspect.Load() && !old.isReplaced() {
		if err := old.close(); err != nil { // no system renames an open file but ours
			return nil, err
		}
		return renew(ctx, at, ix.embedder.Model())
	}
	c, err := ix.open(ctx, folder)
	if err != nil {
		return nil, err
	}
	if _, err := c.rescue(ctx, old.write); err != nil {
		return nil, errors.Join(err, c.close())
	}
	return c, nil
}

// exchange forgets a folder and loads what its new catalogue holds.
func (st *store) exchange(ctx context.Context, folder int, c *catalogue) error {
	st.mu.Lock()
	for at := range st.documents {
		if at.folder != folder {
			continue
		}
		if err := st.forget(ctx, at); err != nil {
			st.mu.Unlock()
			return err
		}
	}
	st.catalogues[folder] = c
	st.mu.Unlock()
	return st.load(ctx, folder, c)
}

// note remembers that an error shows damage.
func (c *catalogue) note(err error) error {
	if isDamaged(err) && !c.retired.Load() {
		c.suspect.Store(true)
	}
	return err
}
