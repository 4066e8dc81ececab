package index

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
)

// pictured says what is in the last snapshot.
type pictured struct {
	change int64 // the last one
	bare   int   // chunks without a vector
}

// A snapshot is made again when this many changes and vectors, or this part of
// the documents, are not in it: to load one takes some 40 µs.
const (
	picturedLeast = 200
	picturedPart  = 20
)

// saveSnapshots makes the next start fast where the last snapshots are old.
func (ix *Index) saveSnapshots(ctx context.Context) {
	for i, f := range ix.folders {
		if c := ix.store.catalogue(i); c == nil || c.unsaved || !ix.leads(i) || !ix.store.snapshotDue(i, c) {
			continue
		}
		if err := ix.store.saveSnapshot(ctx, i); err != nil && ctx.Err() == nil {
			ix.log.Warn("the next start will be slower", "folder", f.Dir(), "error", err)
		}
	}
}

// snapshotDue tells whether the last snapshot of a folder is old.
func (st *store) snapshotDue(folder int, c *catalogue) bool {
	bare := len(st.bareIn(folder))
	c.order.Lock()
	defer c.order.Unlock()
	st.mu.RLock()
	defer st.mu.RUnlock()
	missing := int(c.followed-c.pictured.change) + max(0, c.pictured.bare-bare)
	return missing >= max(picturedLeast, len(st.documents)/picturedPart)
}

// saveSnapshot writes what a folder's catalogue is in memory beside it.
func (st *store) saveSnapshot(ctx context.Context, folder int) error {
	c := st.catalogue(folder)
	p, err := st.picture(ctx, folder, c)
	if err != nil {
		return err
	}
	if err := writeSnapshot(c.file+snapshotSuffix, p.write); err != nil {
		return fmt.Errorf("save a snapshot of the index: %w", err)
	}
	c.order.Lock()
	defer c.order.Unlock()
	c.pictured = pictured{p.head.change, p.bare()}
	return c.forgetChanges(ctx, p.head.change)
}

// picture is a moment of one folder in memory. Its slots count its own chunks.
type picture struct {
	head      snapshotHead
	documents []*document
	chunks    []chunk
	vectors   [][]float32
	lengths   []uint32
	terms     []string
	sizes     []uint8     // see vocabulary
	lists     [][]posting // of terms
	trigrams  map[trigram][]int32
}

// picture copies what a snapshot is made of, so that it can be written while
// the index goes on.
func (st *store) picture(ctx context.Context, folder int, c *catalogue) (*picture, error) {
	c.order.Lock()
	defer c.order.Unlock()
	id, err := c.meta(ctx, "id")
	if err != nil {
		return nil, err
	}
	model, err := c.modelName(ctx)
	if err != nil {
		return nil, err
	}
	st.mu.RLock()
	defer st.mu.RUnlock()
	p := &picture{head: snapshotHead{catalogue: id, model: model, change: c.followed, vector: c.followedVector, dimensions: st.vectors.dimensions}}
	places := p.copyChunks(st, folder)
	p.copyPostings(st.postings, places)
	h := &p.head
	h.documents, h.chunks, h.terms, h.trigrams = len(p.documents), len(p.chunks), len(p.terms), len(p.trigrams)
	return p, nil
}

// copyChunks takes the documents of a folder in the order of their rows, and
// returns where the chunk at each slot went.
func (p *picture) copyChunks(st *store, folder int) (places []int32) {
	for at, d := range st.documents {
		if at.folder == folder {
			p.documents = append(p.documents, d)
		}
	}
	slices.SortFunc(p.documents, func(a, b *document) int { return cmp.Compare(a.id, b.id) })
	places = make([]int32, len(st.chunks))
	for i := range places {
		places[i] = -1
	}
	for _, d := range p.documents {
		for _, s := range d.slots {
			places[s] = int32(len(p.chunks))
			p.chunks = append(p.chunks, st.chunks[s])
			p.vectors = append(p.vectors, st.vectors.at(s))
			p.lengths = append(p.lengths, st.postings.lengths[s])
		}
	}
	return places
}

// copyPostings takes the terms that occur in chunks that have a place.
func (p *picture) copyPostings(from *postings, places []int32) {
	ids := make([]int32, len(from.lists))
	for id, list := range from.lists {
		ids[id] = -1
		copied := make([]posting, 0, len(list))
		for _, e := range list {
			if place := places[e.slot()]; place >= 0 {
				copied = append(copied, e.at(slot(place)))
			}
		}
		if len(copied) == 0 {
			continue
		}
		ids[id] = int32(len(p.terms))
		p.terms = append(p.terms, from.terms.names[id])
		p.sizes = append(p.sizes, from.words.sizes[id])
		p.lists = append(p.lists, copied)
	}
	p.trigrams = make(map[trigram][]int32, len(from.words.trigrams))
	for g, list := range from.words.trigrams {
		copied := make([]int32, 0, len(list))
		for _, id := range list {
			if ids[id] >= 0 {
				copied = append(copied, ids[id])
			}
		}
		if len(copied) > 0 {
			p.trigrams[g] = copied
		}
	}
}

func (p *picture) bare() int {
	n := 0
	for _, vec := range p.vectors {
		if vec == nil {
			n++
		}
	}
	return n
}

// write gives the sections in their order.
func (p *picture) write(section func([]byte) error) error {
	documents := p.encodeDocuments()
	chunks, headings := p.encodeChunks()
	p.head.headings = headings
	for _, blob := range [][]byte{
		p.head.encode(), documents, chunks, p.encodeTerms(), encodeNumbers(p.lists...), encodeNumbers(p.table()), encodeNumbers(p.lengths),
		p.encodeTrigrams(), p.encodePresence(),
	} {
		if err := section(blob); err != nil {
			return err
		}
	}
	var piece []byte
	for vectors := range slices.Chunk(p.vectors, pieceChunks) {
		piece = piece[:0]
		for _, vec := range vectors {
			piece = appendFloats(piece, vec)
		}
		if err := section(piece); err != nil {
			return err
		}
	}
	return nil
}

// withText puts the strings of a section before its numbers.
func withText(text *strings.Builder, numbers []byte) []byte {
	out := make([]byte, 0, binary.MaxVarintLen64+text.Len()+len(numbers))
	return append(appendBytes(out, []byte(text.String())), numbers...)
}

func (p *picture) encodeDocuments() []byte {
	var text strings.Builder
	var out []byte
	for _, d := range p.documents {
		for _, n := range []int64{d.id, d.size, nanoseconds(d.modified), nanoseconds(d.readAt), int64(len(d.slots))} {
			out = binary.AppendVarint(out, n)
		}
		out = append(append(out, d.hash[:]...), d.textHash[:]...)
		for _, s := range []string{d.path, d.title, d.mime, d.textMIME, d.encoding, d.note, d.skip} {
			out = binary.AppendUvarint(out, uint64(len(s)))
			text.WriteString(s)
		}
	}
	return withText(&text, out)
}

// encodeChunks writes the ranges and keys of the chunks. A heading path has a
// number, and stands where it is first used; 0 is the empty one.
func (p *picture) encodeChunks() (blob []byte, headings int) {
	var text strings.Builder
	var out []byte
	numbers := map[string]int{"": 0} // of heading paths
	for _, c := range p.chunks {
		for _, n := range []int{c.span.StartByte, c.span.EndByte - c.span.StartByte, c.span.StartLine, c.span.EndLine - c.span.StartLine} {
			out = binary.AppendUvarint(out, uint64(n))
		}
		out = append(out, c.key[:]...)
		path := strings.Join(c.heading, "\x00")
		number, known := numbers[path]
		if !known {
			number = len(numbers)
			numbers[path] = number
		}
		out = binary.AppendUvarint(out, uint64(number))
		if known {
			continue
		}
		out = binary.AppendUvarint(out, uint64(len(c.heading)))
		for _, h := range c.heading {
			out = binary.AppendUvarint(out, uint64(len(h)))
			text.WriteString(h)
		}
	}
	return withText(&text, out), len(numbers)
}

// encodeTerms writes the terms with the lengths of their lists.
func (p *picture) encodeTerms() []byte {
	var text strings.Builder
	var out []byte
	for i, term := range p.terms {
		for _, n := range []int{len(term), int(p.sizes[i]), len(p.lists[i])} {
			out = binary.AppendUvarint(out, uint64(n))
		}
		text.WriteString(term)
	}
	return withText(&text, out)
}

// table is what finds the terms.
func (p *picture) table() []int32 {
	t := termTable{names: p.terms}
	t.arrange()
	return t.slots
}

// encodeNumbers writes 32-bit numbers.
func encodeNumbers[T ~uint32 | ~int32](lists ...[]T) []byte {
	var out []byte
	for _, list := range lists {
		for _, n := range list {
			out = binary.LittleEndian.AppendUint32(out, uint32(n))
		}
	}
	return out
}

// encodePresence tells with a byte each which chunks have a vector.
func (p *picture) encodePresence() []byte {
	out := make([]byte, len(p.vectors))
	for i, vec := range p.vectors {
		if vec != nil {
			out[i] = 1
		}
	}
	return out
}

func (p *picture) encodeTrigrams() []byte {
	var out []byte
	for g, ids := range p.trigrams {
		for _, r := range g {
			out = binary.AppendUvarint(out, uint64(r))
		}
		out = binary.AppendUvarint(out, uint64(len(ids)))
		for _, id := range ids {
			out = binary.LittleEndian.AppendUint32(out, uint32(id))
		}
	}
	return out
}
