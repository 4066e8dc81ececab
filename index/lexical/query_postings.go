package lexical

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"sync"

	"vademecum/index/lexical/analysis"
)

// QueryPostings collects those parts of an index stored elsewhere, such as in a database, that some
// queries need: the lists of their terms and of spelling variants of these, and the collection
// statistics. From these it builds an Index that gives the queries the same scores as an index of
// the whole collection.
//
// The lists are fetched in three steps, because each determines the next: first those of Terms and
// TrigramListNames, then the words of SimilarTermIDs, and then the lists of ExpansionTerms.
type QueryPostings struct {
	questions []analysis.Question
	libraries []*CorpusStats
	lists     map[string]*sortedLists  // by term
	grams     []map[string][]listPiece // by library and list name
	words     map[string]bool          // words similar to those of the queries
	wanted    *SlotRenumbering
	window    uint32 // number of slots for which EachSlotWindow builds an index at a time
	*postingBuffers
}

// sortedLists holds the lists of a term from several segments, sorted by slot.
type sortedLists struct {
	pieces []listPiece
	live   int // number of postings of live chunks
}

// listPiece is the list of a term in one segment of a library.
type listPiece struct {
	StoredList
	of    *CorpusStats   // nil for a list of word numbers
	marks []readPosition // positions from which it can be read, in order; empty until it is read
}

// postingBuffers holds memory for the postings of a query. It is reused, because megabytes of
// garbage would make the collector scan the whole heap of a server.
type postingBuffers struct {
	blocks   [][]byte // memory of lists; only the last block has room
	postings []posting
	lengths  []uint32
	buffer   [256]slotPosting
}

var rooms = sync.Pool{New: func() any { return new(postingBuffers) }}

// blockBytes is the size of a block of lists; spareBlocks is a pool of unused blocks.
const blockBytes = 1 << 20

var spareBlocks = make(chan []byte, 4)

// clone returns a copy of a list, in a block or, if it is large, in memory of its own.
func (r *postingBuffers) clone(list []byte) []byte {
	if len(list) > blockBytes/2 {
		return slices.Clone(list)
	}
	last := len(r.blocks) - 1
	if last < 0 || len(r.blocks[last])+len(list) > blockBytes {
		block := []byte(nil)
		select {
		case block = <-spareBlocks:
		default:
			block = make([]byte, 0, blockBytes)
		}
		r.blocks, last = append(r.blocks, block), last+1
	}
	first := len(r.blocks[last])
	r.blocks[last] = append(r.blocks[last], list...)
	return r.blocks[last][first:]
}

// free returns the blocks to the pool.
func (r *postingBuffers) free() {
	for _, block := range r.blocks {
		select {
		case spareBlocks <- block[:0]:
		default:
		}
	}
	r.blocks = r.blocks[:0]
}

// CorpusStats holds the collection statistics of a library.
type CorpusStats struct {
	Chunks              int
	Terms               uint64      // number of terms in all chunks
	AssignedSlots       uint32      // number of slots assigned so far
	AssignedWordNumbers uint32      // number of word numbers assigned so far
	DeletedSlots        []SlotRange // slots of deleted chunks that are still in lists

	base uint32 // first slot of the library among the slots of all libraries
	gone *slotSet
}

// CountDeleted returns the number of deleted chunks that are still in lists.
func (w *CorpusStats) CountDeleted() (n int) {
	for _, r := range w.DeletedSlots {
		n += int(r.Count)
	}
	return n
}

// NewQueryPostings returns empty QueryPostings for queries on libraries.
func NewQueryPostings(questions []analysis.Question, libraries []*CorpusStats) *QueryPostings {
	e := &QueryPostings{questions: questions, libraries: libraries, lists: make(map[string]*sortedLists), words: make(map[string]bool), window: windowSlots, postingBuffers: rooms.Get().(*postingBuffers)}
	base := uint32(0)
	for _, w := range libraries {
		w.base, w.gone = base, newSlotSet(w.DeletedSlots)
		base += w.AssignedSlots
		e.grams = append(e.grams, make(map[string][]listPiece))
	}
	e.wanted = &SlotRenumbering{end: base, words: make([]uint64, base/64+1), before: make([]uint32, base/64+1)}
	return e
}

// Release returns the memory of the postings to a pool. The indexes built from them must not be
// used afterwards.
func (e *QueryPostings) Release() {
	e.free()
	rooms.Put(e.postingBuffers)
	e.postingBuffers = nil
}

// GlobalSlot converts a slot of one library to a slot among those of all libraries.
func (e *QueryPostings) GlobalSlot(library int, slot uint32) uint32 {
	return e.libraries[library].base + slot
}

// Terms returns the terms whose lists the queries need.
func Terms(questions []analysis.Question) []string {
	all := make(map[string]bool)
	for _, q := range questions {
		for _, weights := range []map[string]float64{q.ContentTerms, q.OtherSpellings, q.SupportingTerms, q.NameTerms} {
			for t := range weights {
				all[t] = true
			}
		}
		for _, forms := range []map[string][]string{q.EquivalentTerms, q.FallbackTerms} {
			for _, t := range slices.Concat(slices.Collect(maps.Values(forms))...) {
				all[t] = true
			}
		}
		for t := range q.NameTerms {
			addNameTerms(all, t)
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// addNameTerms adds to the set the term t in each of the fields of names.
func addNameTerms(to map[string]bool, t string) {
	t = analysis.TrimLeadingZeros(t)
	for f := analysis.HeadingField; f <= analysis.MaxNameField; f++ {
		to[string(f)+t] = true
	}
}

// TrigramListNames returns the names of the lists of those trigrams that the words of queries contain.
func TrigramListNames(questions []analysis.Question) []string {
	all := make(map[string]bool)
	for _, q := range questions {
		for t := range q.ContentTerms {
			for _, g := range trigramsOf(t) {
				all[g.listName()] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// Add adds the list of a term in one segment of a library, given by its index in libraries. The lists of
// a term in several segments must be added in the order of their slots. Add does not retain the bytes.
func (e *QueryPostings) Add(library int, term string, list StoredList) (err error) {
	p := listPiece{StoredList: StoredList{PostingCount: list.PostingCount, Bytes: e.clone(list.Bytes)}}
	if strings.HasPrefix(term, trigramMark) {
		e.grams[library][term] = append(e.grams[library][term], p)
		return nil
	}
	p.of = e.libraries[library]
	live := p.PostingCount
	if p.of.gone != nil {
		live = 0
		err = e.eachPosting(p, func(some []slotPosting) { live += len(some) })
	}
	if err != nil || live == 0 {
		return err
	}
	if e.lists[term] == nil {
		e.lists[term] = &sortedLists{}
	}
	g := e.lists[term]
	g.pieces, g.live = append(g.pieces, p), g.live+live
	return nil
}

// newReader returns a reader of the piece.
func (p listPiece) newReader() (*listReader, error) {
	r, err := p.readerWithout(nil)
	if err == nil && p.of != nil {
		r.gone, r.slots = p.of.gone, p.of.AssignedSlots
	}
	return r, err
}

// eachPosting calls f with the postings of a piece, several at a time.
func (e *QueryPostings) eachPosting(p listPiece, f func([]slotPosting)) error {
	r, err := p.newReader()
	if err != nil {
		return err
	}
	for {
		some, err := r.readNext(e.buffer[:])
		if err != nil || len(some) == 0 {
			return err
		}
		f(some)
	}
}

// HasTerm reports whether any chunk contains a term. The lists of the term must have been added.
func (e *QueryPostings) HasTerm(term string) bool { return e.liveChunkCount(term) > 0 }

// liveChunkCount returns the number of chunks that contain a term whose lists were added.
func (e *QueryPostings) liveChunkCount(term string) int {
	if g := e.lists[term]; g != nil {
		return g.live
	}
	return 0
}

// wordsToExpand returns the words of a query to expand, like Index.wordsToExpand.
func (e *QueryPostings) wordsToExpand(q analysis.Question) []string {
	words := slices.DeleteFunc(slices.Sorted(maps.Keys(q.ContentTerms)), func(t string) bool { return !mayHaveSimilar(t) })
	if len(words) <= mostKindred {
		return words
	}
	live := 0
	for _, w := range e.libraries {
		live += w.Chunks
	}
	worth := func(t string) float64 { return q.ContentTerms[t] * idfOf(live, e.liveChunkCount(t)) }
	slices.SortStableFunc(words, func(a, b string) int { return cmp.Compare(worth(b), worth(a)) })
	return words[:mostKindred]
}

// addCompoundTerms finds the compounds of a part among some words, and adds their terms and those
// of their other parts.
func addCompoundTerms(to map[string]bool, part analysis.CompoundPart, words []string) {
	if part.CommonPrefix == "" {
		return
	}
	for _, w := range words {
		if !strings.Contains(w, part.CommonPrefix) {
			continue
		}
		compounds := part.CompoundsWith(w, analysis.AllCompoundLanguages)
		for _, c := range compounds {
			to[c.StemTerm] = true
			for _, rest := range c.RemainderTerms {
				to[rest] = true
			}
		}
		if len(compounds) > 0 {
			addNameTerms(to, w)
		}
	}
}

// ExpansionTerms returns further terms, besides those of Terms, whose lists are needed for the given similar
// words:
// the words themselves, and also their terms in the fields of names if they may replace a word that
// occurs nowhere or are compounds of a word of the query.
func (e *QueryPostings) ExpansionTerms(words []string) []string {
	all := make(map[string]bool)
	for _, w := range words {
		e.words[w], all[w] = true, true
	}
	for _, q := range e.questions {
		for t, forms := range q.EquivalentTerms {
			for _, form := range forms {
				if analysis.IsDateTerm(t) && e.HasTerm(form) {
					addNameTerms(all, form)
				}
			}
		}
		for _, t := range e.wordsToExpand(q) {
			addCompoundTerms(all, analysis.CompoundPartOf(t, q.EquivalentTerms[t]), words)
			if e.HasTerm(t) {
				continue
			}
			for _, w := range words {
				if isProbableCorrection(t, w) || isDerived(t, w) {
					addNameTerms(all, w)
				}
			}
		}
	}
	for _, t := range Terms(e.questions) {
		delete(all, t)
	}
	return slices.Sorted(maps.Keys(all))
}
