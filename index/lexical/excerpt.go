package lexical

import (
	"cmp"
	"maps"
	"math/bits"
	"slices"
	"strings"
	"sync"

	"vademecum/index/blob"
	"vademecum/index/rank"
)

// Excerpt gathers what some questions need of an index that is kept elsewhere: the
// lists of their terms, of the words that are written like these, and how much there
// is of all. Of that it makes an Index which scores these questions as one of
// everything would.
//
// The lists are asked for in three steps, as each tells what else there is to ask for:
// those of Terms and Trigrams, the words of Alike, and those of Kin.
type Excerpt struct {
	questions []Question
	libraries []*Whole
	lists     map[string][]placed // by term, slots counted over all libraries
	grams     []map[string]StoredList
	words     map[string]bool // that are written like those of the questions
	also      []uint32        // slots that no list has
}

// Whole is how much there is in a library, of which lists are added.
type Whole struct {
	Chunks int
	Terms  uint64 // in all chunks
	Slots  uint32 // that were given out
	Words  uint32 // numbers of words that were
	Gone   []Run  // slots of chunks that are gone, but still in lists

	base uint32 // of its slots among those of all libraries
	gone *slotSet
}

// NewExcerpt gathers for some questions what libraries have.
func NewExcerpt(questions []Question, libraries []*Whole) *Excerpt {
	e := &Excerpt{questions: questions, libraries: libraries, lists: make(map[string][]placed), words: make(map[string]bool)}
	base := uint32(0)
	for _, w := range libraries {
		w.base, w.gone = base, newSlotSet(w.Gone)
		base += w.Slots
		e.grams = append(e.grams, make(map[string]StoredList))
	}
	return e
}

// Slot is the slot of a library among those of all.
func (e *Excerpt) Slot(library int, slot uint32) uint32 { return e.libraries[library].base + slot }

// Terms lists the terms of questions of which the lists are needed.
func Terms(questions []Question) []string {
	all := make(map[string]bool)
	for _, q := range questions {
		for _, weights := range []map[string]float64{q.content, q.seams, q.support, q.names} {
			for t := range weights {
				all[t] = true
			}
		}
		for t := range q.names {
			addNames(all, t)
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// addNames adds a term as names have it.
func addNames(to map[string]bool, t string) {
	t = withoutZeros(t)
	for f := headingField; f <= lastField; f++ {
		to[string(f)+t] = true
	}
}

// Trigrams lists the names of the lists of the trigrams of their words.
func Trigrams(questions []Question) []string {
	all := make(map[string]bool)
	for _, q := range questions {
		for t := range q.content {
			for _, g := range trigramsOf(t) {
				all[g.stored()] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// Add takes up a list of a library: one of several segments, in their order. It keeps
// none of the bytes.
func (e *Excerpt) Add(library int, term string, list StoredList) error {
	if strings.HasPrefix(term, trigramMark) {
		if _, twice := e.grams[library][term]; twice {
			merged, err := Merge(term, []StoredList{e.grams[library][term], list}, nil)
			e.grams[library][term] = merged
			return err
		}
		e.grams[library][term] = StoredList{list.Count, slices.Clone(list.Bytes)}
		return nil
	}
	of := e.libraries[library]
	before := len(e.lists[term])
	all, err := list.parse(slices.Grow(e.lists[term], list.Count), of.gone)
	if err != nil {
		return err
	}
	for i, p := range all[before:] {
		if p.slot() >= of.Slots {
			return blob.ErrDamaged
		}
		all[before+i] += placed(of.base) << 32
	}
	if len(all) > 0 {
		e.lists[term] = all
	}
	return nil
}

// Has tells whether a chunk has a term of which the lists were added.
func (e *Excerpt) Has(term string) bool { return len(e.lists[term]) > 0 }

// Alike lists the numbers of words of a library that may be written like those of
// the questions, as their trigrams tell: see vocabulary.like.
func (e *Excerpt) Alike(library int) ([]uint32, error) {
	found := make(map[uint32]bool)
	c := comparison{lists: e.grams[library], words: make([]compared, e.libraries[library].Words)}
	for _, q := range e.questions {
		for _, word := range e.telling(q) {
			if err := c.compare(word); err != nil {
				return nil, err
			}
			for _, l := range c.alike {
				found[l.number] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(found)), nil
}

// comparison compares one word after the other with those of a library.
type comparison struct {
	lists   map[string]StoredList
	words   []compared // by number; without any shared between two words
	touched []uint32
	list    []placed
	alike   []likeness // those that are most like the last word
}

// compared is how many trigrams a word has, and how many of them the other has too.
type compared struct{ size, shared uint8 }

type likeness struct {
	number     uint32
	similarity float64
}

// mostAlike is how many words are asked for that are like one: all chunks that have
// one may be gone, and mostKin are to be left.
const mostAlike = mostKin + mostKin/4

func (c *comparison) compare(word string) error {
	grams := trigramsOf(word)
	for _, g := range grams {
		if err := c.share(g); err != nil {
			return err
		}
	}
	c.alike = c.alike[:0]
	for _, number := range c.touched {
		w := c.words[number]
		c.words[number] = compared{}
		similarity := 2 * float64(w.shared) / float64(len(grams)+int(w.size))
		if similarity >= leastKin && similarity < 1 {
			c.alike = append(c.alike, likeness{number, similarity})
		}
	}
	c.touched = c.touched[:0]
	slices.SortFunc(c.alike, func(a, b likeness) int { return cmp.Compare(b.similarity, a.similarity) })
	n := min(mostAlike, len(c.alike))
	for n > 0 && n < len(c.alike) && c.alike[n].similarity == c.alike[n-1].similarity {
		n++ // those that are as like as the last are told apart by their names
	}
	c.alike = c.alike[:n]
	return nil
}

// share counts a trigram for the words that have it.
func (c *comparison) share(g trigram) (err error) {
	if c.list, err = c.lists[g.stored()].parse(c.list[:0], nil); err != nil {
		return err
	}
	for _, p := range c.list {
		if int(p.slot()) >= len(c.words) {
			return blob.ErrDamaged
		}
		w := &c.words[p.slot()]
		if w.shared == 0 {
			w.size = uint8(p.tf())
			c.touched = append(c.touched, p.slot())
		}
		w.shared++
	}
	return nil
}

// telling is Index.telling of a question.
func (e *Excerpt) telling(q Question) []string {
	words := slices.DeleteFunc(slices.Sorted(maps.Keys(q.content)), func(t string) bool { return !mayHaveKin(t) })
	if len(words) <= mostKindred {
		return words
	}
	live := 0
	for _, w := range e.libraries {
		live += w.Chunks
	}
	worth := func(t string) float64 { return q.content[t] * idfOf(live, len(e.lists[t])) }
	slices.SortStableFunc(words, func(a, b string) int { return cmp.Compare(worth(b), worth(a)) })
	return words[:mostKindred]
}

// Kin lists the terms of which the lists are needed for such words beside those of
// Terms: each of them, and where one may stand for a word that occurs nowhere, as
// names have it.
func (e *Excerpt) Kin(words []string) []string {
	all := make(map[string]bool)
	for _, w := range words {
		e.words[w], all[w] = true, true
	}
	for _, q := range e.questions {
		for _, t := range e.telling(q) {
			if _, known := e.lists[t]; known {
				continue
			}
			for _, w := range words {
				if isMeant(t, w) || isDerived(t, w) {
					addNames(all, w)
				}
			}
		}
	}
	for _, t := range Terms(e.questions) {
		delete(all, t)
	}
	return slices.Sorted(maps.Keys(all))
}

// Include has the index know a slot that no list may have.
func (e *Excerpt) Include(slots ...uint32) { e.also = append(e.also, slots...) }

// excerptScratch is shared, as an excerpt is used once.
var excerptScratch sync.Pool

// Index makes the index, and tells which slots its own are. The excerpt is of no use
// after that.
func (e *Excerpt) Index() (*Index, *Numbering) {
	x := New()
	x.scratch, x.once = &excerptScratch, true
	end := uint32(0)
	for _, w := range e.libraries {
		x.live += w.Chunks
		x.total += w.Terms
		end += w.Slots
	}
	n := e.numbering(end)
	x.lengths = make([]uint32, len(n.slots)+1) // that of a slot of nothing is 0
	for _, term := range slices.Sorted(maps.Keys(e.lists)) {
		list := e.lists[term]
		mine := make([]posting, len(list))
		for i, p := range list {
			s := n.local(p.slot())
			mine[i] = newPosting(s, p.tf())
			x.lengths[s] = p.length()
		}
		x.lists.set(x.terms.add(term), mine)
		e.lists[term] = nil // a list of a common term takes megabytes
	}
	for id := range x.terms.numbers() {
		if e.words[x.terms.name(id)] {
			x.words.add(id)
		}
	}
	return x, n
}

// Numbering gives the slots that an excerpt has numbers without gaps.
type Numbering struct {
	words  []uint64 // a bit for each slot
	before []uint32 // slots before those of each word
	slots  []uint32 // by number
}

func (e *Excerpt) numbering(end uint32) *Numbering {
	n := &Numbering{words: make([]uint64, end/64+1), before: make([]uint32, end/64+1)}
	for _, list := range e.lists {
		for _, p := range list {
			n.words[p.slot()/64] |= 1 << (p.slot() % 64)
		}
	}
	for _, s := range e.also {
		n.words[s/64] |= 1 << (s % 64)
	}
	total := 0
	for i, w := range n.words {
		n.before[i] = uint32(total)
		total += bits.OnesCount64(w)
	}
	n.slots = make([]uint32, 0, total)
	for i, w := range n.words {
		for ; w != 0; w &= w - 1 {
			n.slots = append(n.slots, uint32(i*64+bits.TrailingZeros64(w)))
		}
	}
	return n
}

// local is the number of a slot that has one.
func (n *Numbering) local(slot uint32) rank.Slot {
	return rank.Slot(n.before[slot/64] + uint32(bits.OnesCount64(n.words[slot/64]&(1<<(slot%64)-1))))
}

// Of is the number of a slot, and else that of nothing.
func (n *Numbering) Of(slot uint32) rank.Slot {
	if int(slot/64) >= len(n.words) || n.words[slot/64]&(1<<(slot%64)) == 0 {
		return rank.Slot(len(n.slots))
	}
	return n.local(slot)
}

// Slots are those that have numbers, in their order.
func (n *Numbering) Slots() []uint32 { return n.slots }
