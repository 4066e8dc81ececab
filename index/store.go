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
	record
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
	key      textKey
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
			errs = append(errs, c.close())
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
func (st *store) put(ctx context.Context, folder int, r record, body text.Body) error {
	known, err := st.known(ctx, folder, r.chunks, body.Text)
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
	done, err := c.put(ctx, r, body)
	if err != nil {
		return err
	}
	c.advance(done)
	r.id = done.id
	st.mu.Lock()
	defer st.unlock()
	st.forgetText(r.textHash)
	return st.insert(folder, c, r, text.Body{}, known)
}

// forgetText drops a text that a client sent when the same comes from a file.
func (st *store) forgetText(hash [32]byte) {
	if !st.texts[hash] {
		return
	}
	for at, d := range st.documents {
		if at.folder == noFolder && d.textHash == hash {
			st.forget(at)
			return
		}
	}
}

// insert replaces a document in memory by one of a catalogue.
func (st *store) insert(folder int, source *follower, r record, body text.Body, vectors map[textKey][]float32) error {
	at := location{folder, r.path}
	st.forget(at)
	d := &document{record: r, folder: folder, source: source, body: body, slots: make([]rank.Slot, 0, len(r.chunks))}
	d.chunks = nil
	for i, cr := range r.chunks {
		s, err := st.newSlot()
		if err != nil {
			return fmt.Errorf("%s: %w", r.path, err)
		}
		c := chunk{document: d, number: i, span: cr.span, heading: cr.heading, key: cr.key, wording: cr.wording}
		if err := st.postings.Put(s, cr.terms); err != nil {
			return fmt.Errorf("%s: %w", r.path, err)
		}
		if vec := vectors[cr.key]; vector.Fits(st.vectors, vec) {
			if err := st.vectors.Put(s, vec); err != nil {
				return fmt.Errorf("%s: %w", r.path, err)
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
		st.texts[r.textHash] = true
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
		done, err := c.remove(ctx, at.path)
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
		delete(st.texts, d.textHash)
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
func (st *store) touch(ctx context.Context, folder int, touched []record) error {
	if len(touched) == 0 {
		return nil
	}
	c := st.catalogue(folder)
	c.order.Lock()
	defer c.order.Unlock()
	done, err := c.touch(ctx, touched)
	if err != nil {
		return err
	}
	c.advance(done)
	st.touched(folder, touched)
	return nil
}

// touched is touch in memory.
func (st *store) touched(folder int, touched []record) {
	st.mu.Lock()
	defer st.unlock()
	for _, r := range touched {
		if d, ok := st.documents[location{folder, r.path}]; ok && d.id == r.id {
			next := *d
			next.size, next.modified, next.changed, next.readAt = r.size, r.modified, r.changed, r.readAt
			st.replace(location{folder, r.path}, &next)
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
func (st *store) known(ctx context.Context, folder int, chunks []chunkRecord, text string) (map[textKey][]float32, error) {
	if st.builtin {
		made := make(map[textKey][]float32, len(chunks))
		for _, c := range chunks {
			made[c.key] = embed.Vector(embeddingInput(text[c.span.StartByte:c.span.EndByte], c.heading))
		}
		return made, nil
	}
	return st.saved(ctx, folder, keysOf(chunks))
}

func keysOf(chunks []chunkRecord) []textKey {
	keys := make([]textKey, len(chunks))
	for i, c := range chunks {
		keys[i] = c.key
	}
	return keys
}

// saved finds the vectors of texts that a model gave before.
func (st *store) saved(ctx context.Context, folder int, keys []textKey) (map[textKey][]float32, error) {
	if folder == noFolder || st.builtin || len(keys) == 0 {
		return nil, nil
	}
	c := st.catalogue(folder)
	vectors, err := c.vectors(ctx, keys)
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
		if d.skip == "" && ok(d) {
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
		if d := st.documents[at]; d != nil && d.skip == "" {
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
	body, ok, err = d.source.body(ctx, d.id, d.textHash)
	if err != nil && d.source.retired.Load() {
		return text.Body{}, false, nil
	}
	if err != nil {
		return text.Body{}, false, fmt.Errorf("read the text of %s: %w", d.path, err)
	}
	if ok && !st.fits(d, body.Text) {
		return text.Body{}, false, fmt.Errorf("the passages of %s: %w", d.path, d.source.note(errDamaged))
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
		return c.dropBuiltin(ctx)
	}
	due, err := c.pruneDue(ctx)
	if err != nil || !due {
		return err
	}
	return c.prune(ctx, st.keysIn(folder), time.Now())
}

// keysIn is the set of the texts of a folder's chunks.
func (st *store) keysIn(folder int) map[textKey]bool {
	st.mu.RLock()
	defer st.mu.RUnlock()
	used := make(map[textKey]bool)
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
		if d.skip == "" {
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
