package index

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"vademecum/docs/text"
)

// follow takes over what another process has committed to a folder's
// catalogue and tells whether there was anything.
func (st *store) follow(ctx context.Context, folder int) (bool, error) {
	c := st.catalogue(folder)
	if c == nil { // it is still being loaded
		return false, nil
	}
	c.order.Lock()
	defer c.order.Unlock()
	if c.retired.Load() {
		return false, nil
	}
	changed, err := c.changed(ctx)
	if err != nil || !changed {
		return false, c.note(err)
	}
	return true, c.note(st.catchUp(ctx, folder, c))
}

// lastFollowed is the last change that is in memory.
func (c *catalogue) lastFollowed() int64 {
	c.order.Lock()
	defer c.order.Unlock()
	return c.followed
}

// catchUp brings a folder in memory up to date with its catalogue: what is new
// comes before what it replaces goes, so that no document is ever missing.
func (st *store) catchUp(ctx context.Context, folder int, c *catalogue) error {
	last := int64(0)
	err := c.moment(ctx, func(now querier) error {
		if err := c.checkFormat(ctx, now); err != nil {
			return err
		}
		rows, number, complete, err := changesSince(ctx, now, c.followed)
		if err == nil && !complete {
			rows, err = st.allRows(ctx, folder, now)
		}
		if err != nil {
			return err
		}
		last = number
		have := st.byRow(folder, rows)
		for some := range slices.Chunk(slices.Sorted(maps.Keys(have)), catchUpRows) {
			found, err := readRecords(ctx, now, some)
			if err != nil {
				return err
			}
			if err := st.takeOver(ctx, folder, c, have, found); err != nil {
				return err
			}
		}
		st.forgetRows(have)
		return nil
	})
	if err != nil {
		return fmt.Errorf("read what changed in %s: %w", c.file, err)
	}
	if c.followed != last {
		c.foreign.Store(true)
	}
	c.followed = last
	return st.takeVectors(ctx, folder, c)
}

// catchUpRows is how many documents are read at once, for the sake of memory.
const catchUpRows = 500

// allRows lists the documents that are in memory and those that are in the
// catalogue.
func (st *store) allRows(ctx context.Context, folder int, now querier) ([]int64, error) {
	rows, err := documentRows(ctx, now)
	if err != nil {
		return nil, err
	}
	for _, d := range st.documentsIn(folder) {
		rows = append(rows, d.id)
	}
	return rows, nil
}

// readRecords reads those rows that are there.
func readRecords(ctx context.Context, now querier, rows []int64) ([]record, error) {
	var found []record
	for _, row := range rows {
		r, err := readRecord(ctx, now, row)
		if err != nil {
			return nil, err
		}
		if r.id != 0 {
			found = append(found, r)
		}
	}
	return found, nil
}

// takeOver brings documents up to date with what was found of their rows, and
// takes these out of those looked for.
func (st *store) takeOver(ctx context.Context, folder int, c *catalogue, have map[int64]*document, found []record) error {
	for _, r := range found {
		if have[r.id] != nil {
			st.touched(folder, []record{r})
		} else if err := st.take(ctx, folder, c, r); err != nil {
			return err
		}
		delete(have, r.id)
	}
	return nil
}

// forgetRows removes documents whose rows are gone.
func (st *store) forgetRows(gone map[int64]*document) {
	for _, d := range gone {
		if d != nil {
			st.forgetRow(d)
		}
	}
}

// byRow finds the documents of rows in memory, nil for those that are not.
func (st *store) byRow(folder int, rows []int64) map[int64]*document {
	found := make(map[int64]*document, len(rows))
	for _, row := range rows {
		found[row] = nil
	}
	if len(rows) == 0 {
		return found
	}
	st.mu.RLock()
	defer st.mu.RUnlock()
	for _, d := range st.documents {
		if d.folder != folder {
			continue
		}
		if _, ok := found[d.id]; ok {
			found[d.id] = d
		}
	}
	return found
}

// forgetRow removes a document from memory, unless another is in its place.
func (st *store) forgetRow(d *document) {
	st.mu.Lock()
	defer st.unlock()
	at := location{d.folder, d.path}
	if now := st.documents[at]; now != nil && now.id == d.id {
		st.forget(at)
	}
}

// take brings one document into memory.
func (st *store) take(ctx context.Context, folder int, c *catalogue, r record) error {
	vectors, err := st.saved(ctx, folder, keysOf(r.chunks))
	if err != nil {
		return err
	}
	st.mu.Lock()
	defer st.unlock()
	st.forgetText(r.textHash)
	return st.insert(folder, c, r, text.Body{}, vectors)
}

// takeVectors gives vectors to the chunks that lack them: those that another
// process has saved, or else the built-in ones.
func (st *store) takeVectors(ctx context.Context, folder int, c *catalogue) error {
	if st.builtin {
		return st.makeVectors(ctx, folder)
	}
	bare := st.bareIn(folder)
	if len(bare) == 0 {
		return nil
	}
	if err := st.takeRefusals(ctx, folder, c); err != nil {
		return fmt.Errorf("read what the model refuses: %w", err)
	}
	last, err := c.lastVector(ctx)
	if err != nil || last == c.followedVector {
		return err
	}
	vectors, err := c.vectorsSince(ctx, c.followedVector)
	if err == nil && st.outgrown(vectors) {
		bare = st.bareIn(folder)
		vectors, err = c.vectorsSince(ctx, 0)
	}
	if err != nil {
		return fmt.Errorf("read vectors of %s: %w", c.file, err)
	}
	if err := st.attach(bare, vectors); err != nil {
		return err
	}
	c.followedVector = last
	return nil
}

// outgrown tells whether vectors have another length than those in memory,
// which are forgotten then: another process has made all of them anew.
func (st *store) outgrown(vectors map[textKey][]float32) bool {
	st.mu.Lock()
	defer st.unlock()
	for _, vec := range vectors {
		if st.vectors.Dimensions() == 0 || len(vec) == st.vectors.Dimensions() {
			return false
		}
		st.forgetVectors()
		return true
	}
	return false
}
