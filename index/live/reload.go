package live

import (
	"context"

	"vademecum/index/catalog"
)

// unlock ends a change of what is in memory. A panic may have left that half
// changed: then it is torn, and is to be loaded again.
func (st *Store) unlock() {
	defer st.Mu.Unlock()
	st.written++
	if p := recover(); p != nil {
		st.torn = true
		panic(p)
	}
}

// IsTorn tells whether what is in memory may be half changed.
func (st *Store) IsTorn() bool {
	st.Mu.RLock()
	defer st.Mu.RUnlock()
	return st.torn
}

// Reload makes memory anew from the catalogues and the texts that clients sent.
func (st *Store) Reload(ctx context.Context, texts []catalog.Entry) error {
	fresh := NewStore(len(st.Followers), st.Embedder)
	fresh.refusals, fresh.heads = st.refusals, st.heads
	for folder := range st.Followers {
		c := st.Follower(folder)
		if c == nil {
			continue
		}
		c.Order.Lock() // until fresh takes the place of what there was: nothing is followed meanwhile
		defer c.Order.Unlock()
		if err := fresh.loadInOrder(ctx, folder, c); err != nil {
			return err
		}
	}
	for _, t := range texts {
		if err := fresh.PutText(ctx, t); err != nil {
			return err
		}
	}
	st.Mu.Lock()
	defer st.unlock()
	st.Memory, st.texts, st.torn = fresh.Memory, fresh.texts, false
	return nil
}
