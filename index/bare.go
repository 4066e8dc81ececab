package index

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"vademecum/index/catalog"

	"vademecum/embed"
	"vademecum/index/rank"
	"vademecum/index/vector"
)

// pending lists the documents with bare chunks that are to be embedded, in the
// order in which they came.
func (st *store) pending() []*document {
	st.mu.RLock()
	defer st.mu.RUnlock()
	var all []*document
	for d := range st.incomplete {
		if slices.ContainsFunc(d.slots, func(s rank.Slot) bool { return st.chunks[s].bare && !st.refusals.has(st.chunks[s]) }) {
			all = append(all, d)
		}
	}
	slices.SortFunc(all, func(a, b *document) int { return cmp.Or(cmp.Compare(a.folder, b.folder), cmp.Compare(a.ID, b.ID)) })
	return all
}

// countPending is how many chunks of documents are to be embedded.
func (st *store) countPending(pending []*document) int {
	st.mu.RLock()
	defer st.mu.RUnlock()
	total := 0
	for _, d := range pending {
		for _, s := range d.slots {
			if c := st.chunkAt(s); c.document == d && c.bare && !st.refusals.has(*c) {
				total++
			}
		}
	}
	return total
}

// bareIn lists the chunks of a folder that have no vector.
func (st *store) bareIn(folder int) []wanted {
	st.mu.RLock()
	defer st.mu.RUnlock()
	var all []wanted
	for d := range st.incomplete {
		if d.folder != folder {
			continue
		}
		for _, s := range d.slots {
			if c := st.chunks[s]; c.bare {
				all = append(all, wanted{slot: s, key: c.key})
			}
		}
	}
	return all
}

// countBare is how many chunks of a folder have no vector.
func (st *store) countBare(folder int) int {
	st.mu.RLock()
	defer st.mu.RUnlock()
	total := 0
	for d, n := range st.incomplete {
		if d.folder == folder {
			total += n
		}
	}
	return total
}

// countIn counts the chunks of a folder, and those that have a vector.
func (st *store) countIn(folder int) (chunks, vectors int) {
	st.mu.RLock()
	defer st.mu.RUnlock()
	for at, d := range st.documents {
		if at.folder == folder {
			chunks, vectors = chunks+len(d.slots), vectors+len(d.slots)-st.incomplete[d]
		}
	}
	return chunks, vectors
}

// bareOf lists the chunks of a document that are to be embedded.
func (st *store) bareOf(d *document, text string) []wanted {
	st.mu.RLock()
	defer st.mu.RUnlock()
	var all []wanted
	for _, s := range d.slots {
		c := st.chunkAt(s)
		if c.document == d && c.bare && !st.refusals.has(*c) {
			all = append(all, wanted{s, c.key, embeddingInput(text[c.span.StartByte:c.span.EndByte], c.heading)})
		}
	}
	return all
}

// makeVectors gives the chunks of a folder that have none the vectors of the
// built-in embedding, several documents at a time.
func (st *store) makeVectors(ctx context.Context, folder int) error {
	for some := range slices.Chunk(st.pending(), catalog.PageRows) {
		var steps []func() error
		for _, d := range some {
			if d.folder == folder {
				steps = append(steps, func() error { return st.makeVectorsOf(ctx, d) })
			}
		}
		if err := allOf(steps); err != nil {
			return err
		}
	}
	return nil
}

// makeVectorsOf leaves a document alone in whose place another process has put
// another one: that is to come.
func (st *store) makeVectorsOf(ctx context.Context, d *document) error {
	body, ok, err := st.body(ctx, d)
	if err != nil || !ok {
		return err
	}
	bare := st.bareOf(d, body.Text)
	made := make(map[catalog.Key][]float32, len(bare))
	for _, w := range bare {
		made[w.key] = embed.Vector(w.input)
	}
	return st.attach(bare, made)
}

// saveVectors keeps what the embedding model gave.
func (st *store) saveVectors(ctx context.Context, folder int, fresh map[catalog.Key][]float32) error {
	if folder == noFolder || len(fresh) == 0 {
		return nil
	}
	c := st.catalogue(folder)
	if err := c.SaveVectors(ctx, fresh); err != nil {
		return fmt.Errorf("save vectors: %w", err)
	}
	return nil
}

// attach gives vectors to those of the chunks that are still there.
func (st *store) attach(chunks []wanted, vectors map[catalog.Key][]float32) error {
	st.mu.Lock()
	defer st.unlock()
	for _, w := range chunks {
		c, vec := st.chunkAt(w.slot), vectors[w.key]
		if !vector.Fits(st.vectors, vec) || c.document == nil || c.key != w.key || !c.bare {
			continue
		}
		if err := st.vectors.Put(w.slot, vec); err != nil {
			return err
		}
		c.bare = false
		st.bare--
		if st.incomplete[c.document]--; st.incomplete[c.document] == 0 {
			delete(st.incomplete, c.document)
		}
	}
	return nil
}

// isOther tells whether vec has another length than the vectors held.
func (st *store) isOther(vec []float32) bool {
	st.mu.RLock()
	defer st.mu.RUnlock()
	return st.vectors.Dimensions() != 0 && len(vec) != st.vectors.Dimensions()
}

// dropVectors forgets all vectors, on disk too, if vec has another length.
func (st *store) dropVectors(ctx context.Context, vec []float32) error {
	st.mu.Lock()
	defer st.unlock()
	if st.vectors.Dimensions() == 0 || len(vec) == st.vectors.Dimensions() { // somebody was faster
		return nil
	}
	for _, c := range st.catalogues {
		if c == nil {
			continue
		}
		if err := c.DropVectors(ctx); err != nil {
			return fmt.Errorf("drop the vectors of another model: %w", err)
		}
	}
	st.forgetVectors()
	return nil
}

// forgetVectors makes all chunks bare.
func (st *store) forgetVectors() {
	st.vectors, st.bare = vector.NewChromem(), st.postings.Len()
	for _, d := range st.documents {
		for _, s := range d.slots {
			st.chunks[s].bare = true
		}
		if len(d.slots) > 0 {
			st.incomplete[d] = len(d.slots)
		}
	}
}
