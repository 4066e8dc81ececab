package lexical

import (
	"cmp"
	"maps"
	"slices"

	"vademecum/index/blob"
	"vademecum/index/lexical/analysis"
)

// SimilarTermIDs returns the numbers of those words of a library that share enough trigrams with words of
// the queries to be spelling variants or compounds of them.
func (e *QueryPostings) SimilarTermIDs(library int) ([]uint32, error) {
	found := make(map[uint32]bool)
	c := wordComparison{of: e, grams: e.grams[library], words: make([]trigramOverlap, e.libraries[library].AssignedWordNumbers)}
	for _, q := range e.questions {
		for _, word := range e.wordsToExpand(q) {
			if err := c.compareWord(word, analysis.CompoundPartOf(word, q.EquivalentTerms[word]).CommonPrefix); err != nil {
				return nil, err
			}
			for _, l := range c.alike {
				found[l.number] = true
			}
			for _, number := range c.holding {
				found[number] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(found)), nil
}

// wordComparison compares words of queries, one after the other, with the words of a library.
type wordComparison struct {
	of      *QueryPostings
	grams   map[string][]listPiece
	words   []trigramOverlap // by word number; zero between two comparisons
	touched []uint32
	alike   []wordLikeness // the words most similar to the current word
	holding []uint32       // the shortest words that may contain its root
}

// trigramOverlap counts the trigrams of a word, those shared with the compared word, and those in
// the root of the latter.
type trigramOverlap struct{ size, shared, ofRoot uint8 }

type wordLikeness struct {
	number     uint32
	similarity float64
}

// mostAlike is the number of similar words that are fetched. It exceeds mostSimilar because all
// chunks with some of them may have been deleted.
const mostAlike = mostSimilar + mostSimilar/4

// compareWord finds the words similar to a word, and those that may be compounds with its root.
func (c *wordComparison) compareWord(word, root string) error {
	grams, ofRoot := trigramsOf(word), innerTrigrams(root)
	for _, g := range grams {
		if err := c.countTrigram(g, slices.Contains(ofRoot, g)); err != nil {
			return err
		}
	}
	c.listHolding(len(ofRoot))
	c.alike = c.alike[:0]
	for _, number := range c.touched {
		w := c.words[number]
		c.words[number] = trigramOverlap{}
		similarity := 2 * float64(w.shared) / float64(len(grams)+int(w.size))
		if similarity >= leastKin && similarity < 1 {
			c.alike = append(c.alike, wordLikeness{number, similarity})
		}
	}
	c.touched = c.touched[:0]
	slices.SortFunc(c.alike, func(a, b wordLikeness) int { return cmp.Compare(b.similarity, a.similarity) })
	n := min(mostAlike, len(c.alike))
	for n > 0 && n < len(c.alike) && c.alike[n].similarity == c.alike[n-1].similarity {
		n++ // equally similar words are distinguished later by their names
	}
	c.alike = c.alike[:n]
	return nil
}

// listHolding lists the shortest words that have all root trigrams of the root, including all words
// as long as the last one.
func (c *wordComparison) listHolding(root int) {
	c.holding = c.holding[:0]
	if root == 0 {
		return
	}
	for _, number := range c.touched {
		if int(c.words[number].ofRoot) == root {
			c.holding = append(c.holding, number)
		}
	}
	size := func(number uint32) uint8 { return c.words[number].size }
	slices.SortFunc(c.holding, func(a, b uint32) int { return cmp.Compare(size(a), size(b)) })
	n := min(mostCompounds, len(c.holding))
	for n > 0 && n < len(c.holding) && size(c.holding[n]) == size(c.holding[n-1]) {
		n++
	}
	c.holding = c.holding[:n]
}

// countTrigram counts a trigram for the words that contain it; ofRoot reports whether it is in the
// root.
func (c *wordComparison) countTrigram(g trigram, ofRoot bool) error {
	var damaged error
	for _, p := range c.grams[g.listName()] {
		err := c.of.eachPosting(p, func(some []slotPosting) {
			if int(some[len(some)-1].slot()) >= len(c.words) {
				damaged = blob.ErrDamaged
				return
			}
			c.countPostings(some, ofRoot)
		})
		if err != nil || damaged != nil {
			return cmp.Or(err, damaged)
		}
	}
	return nil
}

func (c *wordComparison) countPostings(some []slotPosting, ofRoot bool) {
	for _, p := range some {
		w := &c.words[p.slot()]
		if w.shared == 0 {
			w.size = uint8(p.tf())
			c.touched = append(c.touched, p.slot())
		}
		w.shared++
		if ofRoot {
			w.ofRoot++
		}
	}
}
