// Package live holds in memory what can be searched: the documents, postings and
// vectors of several folders. It follows their catalogues, is found again in a
// snapshot, and answers with chunks, ranked by words and by vectors and fused. It
// knows catalogues by their contract alone, and no folder, no process and no words
// for people.
package live

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"vademecum/docs/text"
	"vademecum/embed"
	"vademecum/index/catalog"
	"vademecum/index/lexical"
	"vademecum/index/rank"
	"vademecum/index/search"
	"vademecum/index/vector"
)

// Store keeps and searches documents: on disk one catalogue for each folder,
// in memory the postings, the vectors and where each chunk is. Ranking is over
// all folders at once.
type Store struct {
	Followers []*Follower // by folder; nil when not opened
	Builtin   bool        // the vectors are those of the built-in embedding: they are made, not saved
	refusals  *refusals
	saving    sync.Mutex // held while a snapshot is written, or what others left of theirs is removed

	Mu      sync.RWMutex // guards all below
	torn    bool         // a panic may have left it half changed: see reload
	written uint64       // how often it was changed
	pauses  []func()     // end the pauses in which no garbage is collected
	*Memory
	texts map[[32]byte]bool // text hashes of the documents in NoFolder
}

// Memory is what can be searched. Its fields are of this package, and of tests that
// look for contradictions while they hold Mu.
type Memory struct {
	Documents   map[search.Location]*search.Document
	Decomposed  map[search.Location][]string // paths of documents that are not composed, by the place that is; sorted
	Chunks      []search.Chunk               // by slot
	begins      []uint16                     // how the wording of each begins: see beginning
	free        []rank.Slot
	Postings    *lexical.Index
	Vectors     vector.Index
	Bare        int                      // chunks without a vector
	incomplete  map[*search.Document]int // how many of each document
	numbering                            // of the documents, for what they say of themselves
	directories map[directory]int        // searchable documents
}

func newMemory(p vector.Precision) *Memory {
	return &Memory{
		Documents:   make(map[search.Location]*search.Document),
		Decomposed:  make(map[search.Location][]string),
		Postings:    lexical.New(),
		Vectors:     vector.New(p),
		incomplete:  make(map[*search.Document]int),
		numbering:   newNumbering(0),
		directories: make(map[directory]int),
	}
}

// NewStore makes a Store of so many folders, of which nothing is loaded yet.
func NewStore(folders int, builtin bool) *Store {
	return &Store{
		Builtin:   builtin,
		refusals:  newRefusals(),
		Followers: make([]*Follower, folders),
		Memory:    newMemory(precision(builtin)),
		texts:     make(map[[32]byte]bool),
	}
}

// precision is what many vectors are kept in: 4 bits do for those of the built-in
// embedding, which are a tenth of a score. With these alone three of four collections
// and the real folders rank as with floats, and of the fourth one question in 248 has
// its passage a place lower.
func precision(builtin bool) vector.Precision {
	if builtin {
		return vector.In4Bits
	}
	return vector.In16Bits
}

// Close closes the catalogues.
func (st *Store) Close() error {
	var errs []error
	for _, c := range st.Followers {
		if c != nil {
			errs = append(errs, c.Close())
		}
	}
	return errors.Join(errs...)
}

// Follower is that of a folder, nil while it is not loaded.
func (st *Store) Follower(folder int) *Follower {
	st.Mu.RLock()
	defer st.Mu.RUnlock()
	return st.Followers[folder]
}

// Unload forgets all documents of a folder, in memory only.
func (st *Store) Unload(folder int) {
	if !st.IsTorn() { // else all is to be loaded again
		st.forgetFolder(folder)
	}
	st.Mu.Lock()
	defer st.unlock()
	st.Followers[folder] = nil
}

// Put saves documents of a folder in one commit and makes them searchable in place
// of those that were at their paths, with the vectors of their chunks that are known.
func (st *Store) Put(ctx context.Context, folder int, entries ...catalog.Entry) error {
	known, err := st.known(ctx, folder, entries)
	if err != nil {
		return err
	}
	c := st.Follower(folder)
	c.Order.Lock()
	defer c.Order.Unlock()
	done, err := c.Put(ctx, entries...)
	if err != nil {
		return err
	}
	c.advance(done)
	for i, e := range entries {
		e.ID = done.IDs[i]
		if err := st.take(folder, c, e.Record, known); err != nil {
			return err
		}
	}
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
	for at, d := range st.Documents {
		if at.Folder == search.NoFolder && d.TextHash == hash {
			st.Forget(at)
			return
		}
	}
}

// insert replaces a document in memory by one of a catalogue.
func (st *Store) insert(folder int, source *Follower, r catalog.Record, body *text.Body, vectors map[catalog.Key][]float32) error {
	at := search.Location{Folder: folder, Path: r.Path}
	st.Forget(at)
	st.share(&r.Meta)
	d := &search.Document{Record: r, Folder: folder, Source: source.id(), Body: body, Slots: make([]rank.Slot, 0, len(r.Chunks))}
	d.Chunks = nil
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
	st.place(at, d)
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
		collectOften()
	}
	return rank.Slot(len(st.Chunks) - 1), nil
}

// Drop removes the document at a location from disk and memory.
func (st *Store) Drop(ctx context.Context, at search.Location) error {
	if at.Folder != search.NoFolder {
		c := st.Follower(at.Folder)
		c.Order.Lock()
		defer c.Order.Unlock()
		done, err := c.Remove(ctx, at.Path)
		if err != nil {
			return err
		}
		c.advance(done)
	}
	st.Mu.Lock()
	defer st.unlock()
	st.Forget(at)
	return nil
}

// Forget removes a document from memory.
func (st *Store) Forget(at search.Location) {
	d, ok := st.Documents[at]
	if !ok {
		return
	}
	st.displace(at)
	delete(st.incomplete, d)
	if at.Folder == search.NoFolder {
		delete(st.texts, d.TextHash)
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
	c.advance(done)
	st.Touched(folder, touched)
	return nil
}

// Touched is touch in memory.
func (st *Store) Touched(folder int, touched []catalog.Record) {
	st.Mu.Lock()
	defer st.unlock()
	for _, r := range touched {
		if d, ok := st.Documents[search.Location{Folder: folder, Path: r.Path}]; ok && d.ID == r.ID {
			next := *d
			next.Size, next.Modified, next.Changed, next.ReadAt = r.Size, r.Modified, r.Changed, r.ReadAt
			st.replace(search.Location{Folder: folder, Path: r.Path}, &next)
		}
	}
}

// replace swaps the record of a document whose chunks stay: documents that
// were handed out are never changed.
func (st *Store) replace(at search.Location, d *search.Document) {
	old := st.Documents[at]
	if n := st.incomplete[old]; n > 0 {
		delete(st.incomplete, old)
		st.incomplete[d] = n
	}
	st.Documents[at] = d
	st.renew(d)
	for _, s := range d.Slots {
		st.Chunks[s].Document = d
	}
}

// known makes the vectors of the chunks of documents, or finds those that a model
// gave before.
func (st *Store) known(ctx context.Context, folder int, entries []catalog.Entry) (map[catalog.Key][]float32, error) {
	if !st.Builtin {
		var keys []catalog.Key
		for _, e := range entries {
			keys = append(keys, KeysOf(e.Chunks)...)
		}
		return st.Saved(ctx, folder, keys)
	}
	made := make(map[catalog.Key][]float32)
	for _, e := range entries {
		for _, c := range e.Chunks {
			made[c.Key] = embed.Vector(catalog.EmbeddingInput(e.Body.Text[c.Span.StartByte:c.Span.EndByte], c.Heading))
		}
	}
	return made, nil
}

// KeysOf lists the texts of chunks that are embedded.
func KeysOf(chunks []catalog.Chunk) []catalog.Key {
	keys := make([]catalog.Key, len(chunks))
	for i, c := range chunks {
		keys[i] = c.Key
	}
	return keys
}

// Saved finds the vectors of texts that a model gave before.
func (st *Store) Saved(ctx context.Context, folder int, keys []catalog.Key) (map[catalog.Key][]float32, error) {
	if folder == search.NoFolder || st.Builtin || len(keys) == 0 {
		return nil, nil
	}
	c := st.Follower(folder)
	vectors, err := c.Vectors(ctx, keys)
	if err != nil {
		return nil, fmt.Errorf("look up vectors: %w", err)
	}
	return vectors, nil
}

// DocumentsIn lists the documents of one folder, those of which the path is in, in no
// order.
func (st *Store) DocumentsIn(folder int, in func(path string) bool) []*search.Document {
	st.Mu.RLock()
	defer st.Mu.RUnlock()
	var found []*search.Document
	for _, n := range st.numbered {
		if d := n.document; d != nil && d.Folder == folder && in(d.Path) {
			found = append(found, d)
		}
	}
	return found
}

// Anywhere is all paths of a folder, for DocumentsIn.
func Anywhere(string) bool { return true }

// All lists the documents, in no order.
func (st *Store) All() []*search.Document {
	st.Mu.RLock()
	defer st.Mu.RUnlock()
	return slices.AppendSeq(make([]*search.Document, 0, len(st.Documents)), maps.Values(st.Documents))
}

// Document finds one by its location.
func (st *Store) Document(at search.Location) (*search.Document, bool) {
	st.Mu.RLock()
	defer st.Mu.RUnlock()
	d, ok := st.Documents[at]
	return d, ok
}

// Any tells whether there is a searchable document that ok says yes of.
func (st *Store) Any(ok func(*search.Document) bool) bool {
	st.Mu.RLock()
	defer st.Mu.RUnlock()
	for _, d := range st.Documents {
		if d.Skip == "" && ok(d) {
			return true
		}
	}
	return false
}

// IsAny tells whether one of the documents that are meant is searchable.
func (st *Store) IsAny(meant search.Filter) bool {
	st.Mu.RLock()
	defer st.Mu.RUnlock()
	for d := range st.admitted(meant) {
		if d.Skip == "" {
			return true
		}
	}
	return false
}

// Body is the whole text of a document; ok is false when it has been replaced
// meanwhile.
func (st *Store) Body(ctx context.Context, d *search.Document) (body text.Body, ok bool, err error) {
	bodies, err := st.Bodies(ctx, []*search.Document{d})
	body, ok = bodies[d]
	return body, ok, err
}

// Bodies are the whole texts of documents, without those of documents that have been
// replaced meanwhile.
func (st *Store) Bodies(ctx context.Context, of []*search.Document) (map[*search.Document]text.Body, error) {
	found := make(map[*search.Document]text.Body, len(of))
	saved := make(map[int][]*search.Document) // by folder
	for _, d := range of {
		if d.Folder == search.NoFolder {
			found[d] = *d.Body
		} else {
			saved[d.Folder] = append(saved[d.Folder], d)
		}
	}
	for folder, documents := range saved {
		if err := st.addBodies(ctx, st.Follower(folder), documents, found); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// addBodies adds the texts of documents of one folder.
func (st *Store) addBodies(ctx context.Context, source *Follower, of []*search.Document, found map[*search.Document]text.Body) error {
	if source == nil {
		return nil
	}
	hashes := make(map[int64][32]byte, len(of))
	for _, d := range of {
		if d.Source == source.number {
			hashes[d.ID] = d.TextHash
		}
	}
	bodies, err := source.Bodies(ctx, hashes)
	if err != nil && source.IsRetired() {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read the texts of documents: %w", err)
	}
	for _, d := range of {
		body, ok := bodies[d.ID]
		if !ok || d.Source != source.number {
			continue
		}
		if !st.fits(d, body.Text) {
			return fmt.Errorf("the passages of %s: %w", d.Path, source.Note(catalog.ErrDamaged))
		}
		found[d] = body
	}
	return nil
}

// fits tells whether the passages of a document lie in its text: they may come
// from a snapshot.
func (st *Store) fits(d *search.Document, text string) bool {
	st.Mu.RLock()
	defer st.Mu.RUnlock()
	return !slices.ContainsFunc(d.Slots, func(s rank.Slot) bool {
		c := st.chunkAt(s)
		return c.Document == d && c.Span.EndByte > len(text)
	})
}

// Prune drops vectors that nothing has used for a long time.
func (st *Store) Prune(ctx context.Context, folder int) error {
	c := st.Follower(folder)
	if st.Builtin {
		return c.DropBuiltin(ctx)
	}
	due, err := c.PruneDue(ctx)
	if err != nil || !due {
		return err
	}
	return c.Prune(ctx, st.keysIn(folder), time.Now())
}

// keysIn is the set of the texts of a folder's chunks.
func (st *Store) keysIn(folder int) map[catalog.Key]bool {
	st.Mu.RLock()
	defer st.Mu.RUnlock()
	used := make(map[catalog.Key]bool)
	for _, ch := range st.Chunks {
		if ch.Document != nil && ch.Document.Folder == folder {
			used[ch.Key] = true
		}
	}
	return used
}

// Written is another number whenever memory has changed.
func (st *Store) Written() uint64 {
	st.Mu.RLock()
	defer st.Mu.RUnlock()
	return st.written
}

// CountDocuments counts those that are searchable.
func (st *Store) CountDocuments() int {
	st.Mu.RLock()
	defer st.Mu.RUnlock()
	n := 0
	for _, d := range st.Documents {
		if d.Skip == "" {
			n++
		}
	}
	return n
}

// CountChunks counts those that are searchable, and of them the bare ones. Every
// answer asks.
func (st *Store) CountChunks() (all, bare int) {
	st.Mu.RLock()
	defer st.Mu.RUnlock()
	return st.Postings.Len(), st.Bare
}

// TextHashes collects the hashes of all texts that are searchable, and counts
// those that clients sent, and their bytes.
func (st *Store) TextHashes() (have map[[32]byte]bool, held, size int) {
	st.Mu.RLock()
	defer st.Mu.RUnlock()
	have = make(map[[32]byte]bool, len(st.Documents))
	for at, d := range st.Documents {
		if d.Skip == "" {
			have[d.TextHash] = true
		}
		if at.Folder == search.NoFolder {
			held, size = held+1, size+int(d.Size)
		}
	}
	return have, held, size
}
