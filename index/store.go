package index

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"vademecum/index/catalog"

	"vademecum/docs/text"
	"vademecum/embed"
	"vademecum/index/lexical"
	"vademecum/index/rank"
	"vademecum/index/vector"
)

// store keeps and searches documents: on disk one catalogue for each folder,
// in memory the postings, the vectors and where each chunk is. Ranking is over
// all folders at once.
type store struct {
	catalogues []*follower // by folder; nil when not opened
	builtin    bool        // the vectors are those of the built-in embedding: they are made, not saved
	refusals   *refusals

	mu      sync.RWMutex // guards all below
	torn    bool         // a panic may have left it half changed: see reload
	written uint64       // how often it was changed
	*memory
	texts map[[32]byte]bool // text hashes of the documents in noFolder
}

// memory is what can be searched.
type memory struct {
	documents  map[location]*document
	decomposed map[location][]string // paths of documents that are not composed, by the place that is; sorted
	chunks     []chunk               // by slot
	free       []rank.Slot
	postings   *lexical.Index
	vectors    vector.Index
	bare       int               // chunks without a vector
	incomplete map[*document]int // how many of each document
}

func newMemory() *memory {
	return &memory{
		documents:  make(map[location]*document),
		decomposed: make(map[location][]string),
		postings:   lexical.New(),
		vectors:    vector.NewChromem(),
		incomplete: make(map[*document]int),
	}
}

// location is a folder's number and the path in it. Texts that a client sent
// are in the folder noFolder.
type location struct {
	folder int
	path   string
}

const noFolder = -1

// document is a document in memory: its record without chunks and text.
type document struct {
	catalog.Record
	folder int
	slots  []rank.Slot // of its chunks, in order
	source *follower   // that its id is of; nil in noFolder
	body   text.Body   // of a document in noFolder, which no catalogue keeps
}

// chunk is where the text at a slot comes from.
type chunk struct {
	document *document // nil when the slot is free
	number   int       // of the chunk in its document, from 0
	span     text.Span
	heading  []string
	key      catalog.Key
	wording  rank.Wording
	bare     bool // it has no vector
}

func newStore(folders int, builtin bool) *store {
	return &store{
		builtin:    builtin,
		refusals:   newRefusals(),
		catalogues: make([]*follower, folders),
		memory:     newMemory(),
		texts:      make(map[[32]byte]bool),
	}
}

func (st *store) close() error {
	var errs []error
	for _, c := range st.catalogues {
		if c != nil {
			errs = append(errs, c.Close())
		}
	}
	return errors.Join(errs...)
}

// catalogue is that of a folder, nil while it is not loaded.
func (st *store) catalogue(folder int) *follower {
	st.mu.RLock()
	defer st.mu.RUnlock()
	return st.catalogues[folder]
}

// unload forgets all documents of a folder, in memory only.
func (st *store) unload(folder int) {
	if !st.isTorn() { // else all is to be loaded again
		st.forgetFolder(folder)
	}
	st.mu.Lock()
	defer st.unlock()
	st.catalogues[folder] = nil
}

// put saves a document and makes it searchable in place of the one that was
// at its path, with the vectors of its chunks that are known.
func (st *store) put(ctx context.Context, folder int, r catalog.Record, body text.Body) error {
	known, err := st.known(ctx, folder, r.Chunks, body.Text)
	if err != nil {
		return err
	}
	if folder == noFolder {
		st.mu.Lock()
		defer st.unlock()
		return st.insert(folder, nil, r, body, known)
	}
	c := st.catalogue(folder)
	c.order.Lock()
	defer c.order.Unlock()
	done, err := c.Put(ctx, r, body)
	if err != nil {
		return err
	}
	c.advance(done)
	r.ID = done.ID
	st.mu.Lock()
	defer st.unlock()
	st.forgetText(r.TextHash)
	return st.insert(folder, c, r, text.Body{}, known)
}

// forgetText drops a text that a client sent when the same comes from a file.
func (st *store) forgetText(hash [32]byte) {
	if !st.texts[hash] {
		return
	}
	for at, d := range st.documents {
		if at.folder == noFolder && d.TextHash == hash {
			st.forget(at)
			return
		}
	}
}

// insert replaces a document in memory by one of a catalogue.
func (st *store) insert(folder int, source *follower, r catalog.Record, body text.Body, vectors map[catalog.Key][]float32) error {
	at := location{folder, r.Path}
	st.forget(at)
	d := &document{Record: r, folder: folder, source: source, body: body, slots: make([]rank.Slot, 0, len(r.Chunks))}
	d.Chunks = nil
	for i, cr := range r.Chunks {
		s, err := st.newSlot()
		if err != nil {
			return fmt.Errorf("%s: %w", r.Path, err)
		}
		c := chunk{document: d, number: i, span: cr.Span, heading: cr.Heading, key: cr.Key, wording: cr.Wording}
		if err := st.postings.Put(s, cr.Terms); err != nil {
			return fmt.Errorf("%s: %w", r.Path, err)
		}
		if vec := vectors[cr.Key]; vector.Fits(st.vectors, vec) {
			if err := st.vectors.Put(s, vec); err != nil {
				return fmt.Errorf("%s: %w", r.Path, err)
			}
		} else {
			c.bare = true
			st.bare++
			st.incomplete[d]++
		}
		st.chunks[s] = c
		d.slots = append(d.slots, s)
	}
	st.place(at, d)
	if folder == noFolder {
		st.texts[r.TextHash] = true
	}
	return nil
}

// chunkAt is the chunk at a slot, a free one when memory has become smaller.
func (m *memory) chunkAt(s rank.Slot) *chunk {
	if int(s) >= len(m.chunks) {
		return &chunk{}
	}
	return &m.chunks[s]
}

var errFull = fmt.Errorf("the index is full: it holds %d chunks", lexical.MaxSlots)

func (st *store) newSlot() (rank.Slot, error) {
	if n := len(st.free); n > 0 {
		s := st.free[n-1]
		st.free = st.free[:n-1]
		return s, nil
	}
	if len(st.chunks) == lexical.MaxSlots {
		return 0, errFull
	}
	st.chunks = append(st.chunks, chunk{})
	if len(st.chunks) == manyChunks {
		collectOften()
	}
	return rank.Slot(len(st.chunks) - 1), nil
}

// manyChunks is from when on memory is worth more than the time that it takes
// to collect garbage: by default Go lets it grow to twice what is in use.
const manyChunks = 100_000

func collectOften() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(30)
	}
}

// drop removes the document at a location from disk and memory.
func (st *store) drop(ctx context.Context, at location) error {
	if at.folder != noFolder {
		c := st.catalogue(at.folder)
		c.order.Lock()
		defer c.order.Unlock()
		done, err := c.Remove(ctx, at.path)
		if err != nil {
			return err
		}
		c.advance(done)
	}
	st.mu.Lock()
	defer st.unlock()
	st.forget(at)
	return nil
}

// forget removes a document from memory.
func (st *store) forget(at location) {
	d, ok := st.documents[at]
	if !ok {
		return
	}
	st.displace(at)
	delete(st.incomplete, d)
	if at.folder == noFolder {
		delete(st.texts, d.TextHash)
	}
	for _, s := range d.slots {
		st.postings.Delete(s)
		st.vectors.Delete(s)
		if st.chunks[s].bare {
			st.bare--
		}
		st.chunks[s] = chunk{}
	}
	st.free = append(st.free, st.postings.Compact()...)
}

// touch notes on disk and in memory that files were found as they were.
func (st *store) touch(ctx context.Context, folder int, touched []catalog.Record) error {
	if len(touched) == 0 {
		return nil
	}
	c := st.catalogue(folder)
	c.order.Lock()
	defer c.order.Unlock()
	done, err := c.Touch(ctx, touched)
	if err != nil {
		return err
	}
	c.advance(done)
	st.touched(folder, touched)
	return nil
}

// touched is touch in memory.
func (st *store) touched(folder int, touched []catalog.Record) {
	st.mu.Lock()
	defer st.unlock()
	for _, r := range touched {
		if d, ok := st.documents[location{folder, r.Path}]; ok && d.ID == r.ID {
			next := *d
			next.Size, next.Modified, next.Changed, next.ReadAt = r.Size, r.Modified, r.Changed, r.ReadAt
			st.replace(location{folder, r.Path}, &next)
		}
	}
}

// replace swaps the record of a document whose chunks stay: documents that
// were handed out are never changed.
func (st *store) replace(at location, d *document) {
	old := st.documents[at]
	if n := st.incomplete[old]; n > 0 {
		delete(st.incomplete, old)
		st.incomplete[d] = n
	}
	st.documents[at] = d
	for _, s := range d.slots {
		st.chunks[s].document = d
	}
}

// known makes the vectors of the chunks of a text, or finds those that a model
// gave before.
func (st *store) known(ctx context.Context, folder int, chunks []catalog.Chunk, text string) (map[catalog.Key][]float32, error) {
	if st.builtin {
		made := make(map[catalog.Key][]float32, len(chunks))
		for _, c := range chunks {
			made[c.Key] = embed.Vector(embeddingInput(text[c.Span.StartByte:c.Span.EndByte], c.Heading))
		}
		return made, nil
	}
	return st.saved(ctx, folder, keysOf(chunks))
}

func keysOf(chunks []catalog.Chunk) []catalog.Key {
	keys := make([]catalog.Key, len(chunks))
	for i, c := range chunks {
		keys[i] = c.Key
	}
	return keys
}

// saved finds the vectors of texts that a model gave before.
func (st *store) saved(ctx context.Context, folder int, keys []catalog.Key) (map[catalog.Key][]float32, error) {
	if folder == noFolder || st.builtin || len(keys) == 0 {
		return nil, nil
	}
	c := st.catalogue(folder)
	vectors, err := c.Vectors(ctx, keys)
	if err != nil {
		return nil, fmt.Errorf("look up vectors: %w", err)
	}
	return vectors, nil
}

// documentsIn copies the table of one folder's documents.
func (st *store) documentsIn(folder int) map[location]*document {
	st.mu.RLock()
	defer st.mu.RUnlock()
	all := make(map[location]*document)
	for at, d := range st.documents {
		if at.folder == folder {
			all[at] = d
		}
	}
	return all
}

// all lists the documents, in no order.
func (st *store) all() []*document {
	st.mu.RLock()
	defer st.mu.RUnlock()
	return slices.AppendSeq(make([]*document, 0, len(st.documents)), maps.Values(st.documents))
}

// document finds one by its location.
func (st *store) document(at location) (*document, bool) {
	st.mu.RLock()
	defer st.mu.RUnlock()
	d, ok := st.documents[at]
	return d, ok
}

// any tells whether there is a searchable document that ok says yes of.
func (st *store) any(ok func(*document) bool) bool {
	st.mu.RLock()
	defer st.mu.RUnlock()
	for _, d := range st.documents {
		if d.Skip == "" && ok(d) {
			return true
		}
	}
	return false
}

// isAny tells whether one of the documents that are meant is searchable.
func (st *store) isAny(meant map[location]bool) bool {
	st.mu.RLock()
	defer st.mu.RUnlock()
	for at := range meant {
		if d := st.documents[at]; d != nil && d.Skip == "" {
			return true
		}
	}
	return false
}

// body is the whole text of a document; ok is false when it has been replaced
// meanwhile.
func (st *store) body(ctx context.Context, d *document) (body text.Body, ok bool, err error) {
	if d.folder == noFolder {
		return d.body, true, nil
	}
	body, ok, err = d.source.Body(ctx, d.ID, d.TextHash)
	if err != nil && d.source.IsRetired() {
		return text.Body{}, false, nil
	}
	if err != nil {
		return text.Body{}, false, fmt.Errorf("read the text of %s: %w", d.Path, err)
	}
	if ok && !st.fits(d, body.Text) {
		return text.Body{}, false, fmt.Errorf("the passages of %s: %w", d.Path, d.source.Note(catalog.ErrDamaged))
	}
	return body, ok, nil
}

// fits tells whether the passages of a document lie in its text: they may come
// from a snapshot.
func (st *store) fits(d *document, text string) bool {
	st.mu.RLock()
	defer st.mu.RUnlock()
	return !slices.ContainsFunc(d.slots, func(s rank.Slot) bool {
		c := st.chunkAt(s)
		return c.document == d && c.span.EndByte > len(text)
	})
}

// prune drops vectors that nothing has used for a long time.
func (st *store) prune(ctx context.Context, folder int) error {
	c := st.catalogue(folder)
	if st.builtin {
		return c.DropBuiltin(ctx)
	}
	due, err := c.PruneDue(ctx)
	if err != nil || !due {
		return err
	}
	return c.Prune(ctx, st.keysIn(folder), time.Now())
}

// keysIn is the set of the texts of a folder's chunks.
func (st *store) keysIn(folder int) map[catalog.Key]bool {
	st.mu.RLock()
	defer st.mu.RUnlock()
	used := make(map[catalog.Key]bool)
	for _, ch := range st.chunks {
		if ch.document != nil && ch.document.folder == folder {
			used[ch.key] = true
		}
	}
	return used
}

// countDocuments counts those that are searchable.
func (st *store) countDocuments() int {
	st.mu.RLock()
	defer st.mu.RUnlock()
	n := 0
	for _, d := range st.documents {
		if d.Skip == "" {
			n++
		}
	}
	return n
}

// countChunks counts those that are searchable, and of them the bare ones. Every
// answer asks.
func (st *store) countChunks() (all, bare int) {
	st.mu.RLock()
	defer st.mu.RUnlock()
	return st.postings.Len(), st.bare
}
