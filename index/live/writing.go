package live

import (
	"context"
	"fmt"

	"vademecum/docs/text"
	"vademecum/index/catalog"
	"vademecum/index/lexical"
	"vademecum/index/rank"
	"vademecum/index/search"
	"vademecum/index/vector"
)

// Put saves documents of a folder in one commit and makes them searchable in place
// of those that were at their paths, with the vectors of their chunks that are known.
func (st *Store) Put(ctx context.Context, folder int, entries ...catalog.Entry) error {
	known, err := st.known(ctx, folder, entries)
	if err != nil {
		return err
	}
	c := st.Follower(folder)
	if err := st.putInOrder(ctx, folder, c, entries, known); err != nil {
		return err
	}
	_ = c.Tidy(ctx) // what was committed stays, and after the next commit it is tried again
	return nil
}

// putInOrder is Put with the vectors that are known.
func (st *Store) putInOrder(ctx context.Context, folder int, c *Follower, entries []catalog.Entry, known map[catalog.Key][]float32) error {
	c.Order.Lock()
	defer c.Order.Unlock()
	done, err := c.Put(ctx, entries...)
	if err != nil {
		return err
	}
	for i, e := range entries {
		e.ID = done.IDs[i]
		if st.heads {
			e.Chunks, e.Run = nil, done.Runs[i]
		}
		if err := st.take(folder, c, e.Record, known); err != nil {
			return err
		}
	}
	if st.heads && !st.Model.Free {
		_ = st.lookAtFresh(ctx, folder, c) // they are saved; who follows next looks again
	}
	c.advance(done)
	return nil
}

// PutText makes a text searchable that a client sent.
func (st *Store) PutText(ctx context.Context, e catalog.Entry) error {
	known, err := st.known(ctx, search.NoFolder, []catalog.Entry{e})
	if err != nil {
		return err
	}
	st.Mu.Lock()
	defer st.unlock()
	return st.insert(search.NoFolder, nil, e.Record, &e.Body, known)
}

// forgetText drops a text that a client sent when the same comes from a file.
func (st *Store) forgetText(hash [32]byte) {
	if !st.texts[hash] {
		return
	}
	for d := range st.Documents {
		if d.Folder == search.NoFolder && d.TextHash == hash {
			st.Forget(d.At())
			return
		}
	}
}

// insert replaces a document in memory by one of a catalogue.
func (st *Store) insert(folder int, source *Follower, r catalog.Record, body *text.Body, vectors map[catalog.Key][]float32) error {
	at := search.Location{Folder: folder, Path: r.Path}
	st.Forget(at)
	st.share(&r)
	if !st.heads {
		r.Run = lexical.Run{} // the chunks have slots here
	}
	made := search.DocumentOf(&r, st.common(search.CommonOf(&r, folder, source.id())))
	d := &made
	d.Body = body
	if n := len(r.Chunks); n > 0 {
		d.Slots = make([]rank.Slot, 0, n)
	}
	if n := int(d.Run.Count); st.elsewhere < manyChunks && st.elsewhere+n >= manyChunks {
		collectOften(growthOfHeads)
	}
	st.elsewhere += int(d.Run.Count)
	for i, cr := range r.Chunks {
		s, err := st.newSlot()
		if err != nil {
			return fmt.Errorf("%s: %w", r.Path, err)
		}
		c := search.Chunk{Document: d, Number: i, Span: cr.Span, Heading: cr.Heading, Key: cr.Key, Wording: cr.Wording, Mark: cr.Mark}
		if err := st.Postings.Put(s, cr.Terms); err != nil {
			return fmt.Errorf("%s: %w", r.Path, err)
		}
		if vec := vectors[cr.Key]; vector.Fits(st.Vectors, vec) {
			if err := st.Vectors.Put(s, vec); err != nil {
				return fmt.Errorf("%s: %w", r.Path, err)
			}
		} else {
			c.Bare = true
			st.Bare++
			st.incomplete[d]++
		}
		st.Chunks[s], st.begins[s] = c, beginning(c.Wording)
		d.Slots = append(d.Slots, s)
	}
	st.put(d)
	if d.Run.Count > 0 && !st.Model.Free {
		st.lacking.fresh[d] = true
	}
	if folder == search.NoFolder {
		st.texts[r.TextHash] = true
	}
	return nil
}

// chunkAt is the chunk at a slot, a free one when memory has become smaller.
func (m *Memory) chunkAt(s rank.Slot) *search.Chunk {
	if int(s) >= len(m.Chunks) {
		return &search.Chunk{}
	}
	return &m.Chunks[s]
}

var errFull = fmt.Errorf("the index is full: it holds %d chunks", lexical.MaxSlots)

func (st *Store) newSlot() (rank.Slot, error) {
	if n := len(st.free); n > 0 {
		s := st.free[n-1]
		st.free = st.free[:n-1]
		return s, nil
	}
	if len(st.Chunks) == lexical.MaxSlots {
		return 0, errFull
	}
	st.Chunks, st.begins = append(st.Chunks, search.Chunk{}), append(st.begins, 0)
	if len(st.Chunks) == manyChunks {
		collectOften(growth)
	}
	return rank.Slot(len(st.Chunks) - 1), nil
}

// Drop removes documents of a folder from disk, in one commit, and from memory.
func (st *Store) Drop(ctx context.Context, folder int, paths ...string) error {
	c := st.Follower(folder)
	c.Order.Lock()
	defer c.Order.Unlock()
	done, err := c.Remove(ctx, paths...)
	if err != nil {
		return err
	}
	for _, path := range paths { // questions are answered between two of them
		st.forgetAt(search.Location{Folder: folder, Path: path})
	}
	c.advance(done)
	return nil
}

func (st *Store) forgetAt(at search.Location) {
	st.Mu.Lock()
	defer st.unlock()
	st.Forget(at)
}

// Forget removes a document from memory.
func (st *Store) Forget(at search.Location) {
	d := st.At(at)
	if d == nil {
		return
	}
	st.displace(at)
	if d.Run.Count > 0 {
		st.setBare(d, nil)
	}
	delete(st.incomplete, d)
	if at.Folder == search.NoFolder {
		delete(st.texts, d.TextHash)
	}
	if d.Run.Count > 0 {
		st.elsewhere -= int(d.Run.Count)
		return
	}
	for _, s := range d.Slots {
		st.Postings.Delete(s)
		st.Vectors.Delete(s)
		if st.Chunks[s].Bare {
			st.Bare--
		}
		st.Chunks[s] = search.Chunk{}
	}
	st.free = append(st.free, st.Postings.Compact()...)
}

// Touch notes on disk and in memory that files were found as they were.
func (st *Store) Touch(ctx context.Context, folder int, touched []catalog.Record) error {
	if len(touched) == 0 {
		return nil
	}
	c := st.Follower(folder)
	c.Order.Lock()
	defer c.Order.Unlock()
	done, err := c.Touch(ctx, touched)
	if err != nil {
		return err
	}
	st.Touched(folder, touched)
	c.advance(done)
	return nil
}

// Touched is touch in memory.
func (st *Store) Touched(folder int, touched []catalog.Record) {
	st.Mu.Lock()
	defer st.unlock()
	for _, r := range touched {
		if d := st.At(search.Location{Folder: folder, Path: r.Path}); d != nil && d.ID == r.ID {
			next := *d
			next.SetFile(&r)
			st.replace(search.Location{Folder: folder, Path: r.Path}, &next)
		}
	}
}

// replace swaps the record of a document whose chunks stay: documents that
// were handed out are never changed.
func (st *Store) replace(at search.Location, d *search.Document) {
	old := st.At(at)
	if n := st.incomplete[old]; n > 0 {
		delete(st.incomplete, old)
		st.incomplete[d] = n
	}
	st.moveLacking(old, d)
	st.renew(d)
	if d.Run.Count > 0 {
		return
	}
	for _, s := range d.Slots {
		st.Chunks[s].Document = d
	}
}
