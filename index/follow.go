package index

import (
	"context"

	"vademecum/docs"
)

// follow takes over what another process has committed to a folder's
// catalogue and tells whether there was anything.
func (st *store) follow(ctx context.Context, folder int) (bool, error) {
	st.mu.RLock()
	c := st.catalogues[folder]
	st.mu.RUnlock()
	if c == nil { // it is still being loaded
		return false, nil
	}
	c.order.Lock()
	defer c.order.Unlock()
	changed, err := c.changed(ctx)
	if err != nil || !changed {
		return false, err
	}
	ids, err := c.ids(ctx)
	if err != nil {
		return false, err
	}
	for at, d := range st.snapshot(folder) {
		if ids[d.id] == at.path {
			delete(ids, d.id)
			continue
		}
		st.mu.Lock()
		err := st.forget(ctx, at)
		st.mu.Unlock()
		if err != nil {
			return false, err
		}
	}
	for id := range ids {
		if err := st.take(ctx, folder, id); err != nil {
			return false, err
		}
	}
	return true, nil
}

// take loads one document from its catalogue, if it is still there.
func (st *store) take(ctx context.Context, folder int, id int64) error {
	r, err := st.catalogues[folder].record(ctx, id)
	if err != nil || r.id == 0 {
		return err
	}
	vectors, err := st.known(ctx, folder, r.chunks)
	if err != nil {
		return err
	}
	st.mu.Lock()
	defer st.mu.Unlock()
	if err := st.forgetText(ctx, r.textHash); err != nil {
		return err
	}
	return st.insert(ctx, folder, r, docs.Body{}, vectors)
}
