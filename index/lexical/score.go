package lexical

import (
	"cmp"
	"context"
	"iter"
	"math"
	"sync"

	"vademecum/index/lexical/analysis"
	"vademecum/index/rank"
)

// The usual parameters of BM25 (Robertson and Zaragoza, "The Probabilistic Relevance Framework",
// 2009).
const (
	bm25K1 = 1.2
	bm25B  = 0.5
)

// In a short query every word matters: a passage with all words is better than a short one in which
// a single word is frequent. Therefore a part of the score, which decreases with each further word
// and is 0 from coverageWords+1 words on, is multiplied by the share of the query's words in the
// passage. On 162 queries on eleven real folders, a part of 0.5 gave 3 more the right passage
// first. Without the limit it costs 0.004 on SciFact and 0.004 on medical Chinese, where no passage
// has all words of a query. With a limit of seven words, SciFact loses 0.002, and none of the 162
// gains.
//
// A word counts by the square of its weight, because the rarest word is the subject of the query,
// and two frequent ones do not make up for it. On 195 queries on twelve folders, squares and 0.7
// give 1 more the right passage first; with 1, code loses 0.003.
const (
	coveragePart  = 0.7
	coverageWords = 5
)

// heldWords is the maximum number of words of a query for which the words in each chunk are
// recorded, see WordSet.
const heldWords = 8

// Scores holds the scores of all chunks for one query. It is valid until the index changes. The
// scores of rare terms are summed up in advance; frequent terms are looked up in their lists.
type Scores struct {
	FullMatchScore float64     // score of a chunk of average length with each word of the query once
	Expansions     []Expansion // words similar to words of the query, or compounds of them, that count too
	coverage       float64     // share of the score that is multiplied by the coverage of the query

	x        *Index
	shares   []float64 // share of the query of each word; empty for a long query
	by       saturation
	frequent []weightedTerm    // frequent terms, in the order in which they are summed
	rare     []weightedTerm    // terms that are not frequent
	weighed  *WeightedQuestion // the weighed query
	own      WeightedQuestion  // the weighed query, unless the caller supplied it
	words    *slotSums         // by chunk, sum of the scores for rare terms; negative if none of them suffices to find the chunk
	held     *slotSums         // rare words of each chunk as a WordSet; nil if shares is empty
	// by chunk, how much of its sum in the field words is the score for the name that the query
	// contains
	named    *slotSums
	headings *slotSums // scores of headings, by chunk
	names    *slotSums // scores of document names, by the first chunk of each document
	folders  *slotSums // scores of folder names, by the first chunk of each document
}

// Score scores all chunks for a query. Release must be called on the result.
//
// The words of the query are scored by BM25, and so are, with a lower weight, similar words. Words
// similar to one that occurs only add to the score of chunks found otherwise; words similar to one
// that occurs nowhere also find chunks.
func (x *Index) Score(ctx context.Context, q analysis.Question) (*Scores, error) {
	sc := x.newScores()
	if err := x.weighQuestion(ctx, q, &sc.own); err != nil {
		x.Release(sc)
		return nil, err
	}
	return sc, x.scoreInto(ctx, sc, &sc.own)
}

// TermFormsWithWeights yields the terms of the query that find chunks, with their weights: for each word its own
// term and the other forms.
func (sc *Scores) TermFormsWithWeights() iter.Seq2[[]string, float64] {
	return func(yield func([]string, float64) bool) {
		for i := range sc.weighed.terms {
			t := &sc.weighed.terms[i]
			if t.touches && !yield(append([]string{t.term}, sc.weighed.written[t.term]...), t.weight) {
				return
			}
		}
	}
}

// Statistics returns the statistics of the terms of the query.
func (sc *Scores) Statistics() analysis.Statistics {
	w := sc.weighed
	all := analysis.Statistics{
		TermWeights: make(map[string]float64, len(w.terms)), UnseenTermIDF: idfOf(sc.x.live, 0), AverageChunkTerms: sc.x.averageLength(),
		NameWeights: make(map[string]float64, len(w.names)), TotalNameWeight: w.inNames,
	}
	for i := range w.terms {
		t := &w.terms[i]
		all.TermWeights[t.term] = t.weight
		if t.presence > 0 {
			if all.NamePresenceScores == nil {
				all.NamePresenceScores = make(map[string]float64)
			}
			all.NamePresenceScores[t.term] = t.presence
		}
	}
	for _, t := range w.names {
		all.NameWeights[string(t.inField[1:])] = float64(t.weight)
	}
	return all
}

// ScoreWeighted scores all chunks for a query whose terms were weighed before, possibly in another
// index. Release must be called on the result.
func (x *Index) ScoreWeighted(ctx context.Context, w *WeightedQuestion) (*Scores, error) {
	sc := x.newScores()
	return sc, x.scoreInto(ctx, sc, w)
}

// scoreInto scores all chunks for a query. It releases sc if it fails.
func (x *Index) scoreInto(ctx context.Context, sc *Scores, w *WeightedQuestion) error {
	sc.weighed, sc.FullMatchScore, sc.Expansions, sc.by = w, w.fair, w.kin.all, newSaturation(cmp.Or(w.average, x.averageLength()))
	sc.words, sc.named, sc.headings, sc.names, sc.folders = x.newSlotSums(), x.newSlotSums(), x.newSlotSums(), x.newSlotSums(), x.newSlotSums()
	if len(w.shares) > 0 {
		sc.coverage, sc.shares, sc.held = w.coverage, w.shares, x.newSlotSums()
	}
	for _, t := range w.terms {
		sc.rare = append(sc.rare, t)
		forms := x.chunksWithFormsOnly(t.id, t.forms)
		compounds := x.chunksWithCompoundsOnly(&t, forms)
		t.id = noTerm
		if t.list = forms; len(forms) > 0 {
			sc.rare = append(sc.rare, t)
		}
		if t.list = compounds; len(compounds) > 0 {
			t.weight, t.presence = t.weight*compoundPart, t.presence*compoundPart
			sc.rare = append(sc.rare, t)
		}
	}
	x.separateFrequent(sc)
	for i := range sc.rare {
		if err := ctx.Err(); err != nil {
			x.Release(sc)
			return err
		}
		sc.addRareTerm(&sc.rare[i])
	}
	x.scoreNames(sc, w.names, w.inNames)
	return nil
}

// scored is a pool of released Scores.
var scored sync.Pool

// newScores returns empty Scores.
func (x *Index) newScores() *Scores {
	sc, ok := scored.Get().(*Scores)
	if !ok {
		sc = &Scores{own: WeightedQuestion{kin: newSimilarTerms()}}
	}
	sc.x = x
	return sc
}

// separateFrequent separates the frequent terms from the rare ones, unless the frequent ones weigh
// more: then too many chunks without rare terms may be among the best, and summing up all terms
// takes less time.
func (x *Index) separateFrequent(sc *Scores) {
	frequent, others := 0.0, 0.0
	for i := range sc.rare {
		t := &sc.rare[i]
		if x.isLookedUp(t) {
			frequent += t.weight
		} else if t.touches {
			others += t.weight
		}
	}
	if frequent > others {
		return
	}
	rare := sc.rare[:0]
	for _, t := range sc.rare {
		if !x.isLookedUp(&t) {
			rare = append(rare, t)
			continue
		}
		t.chunks = x.frequentOf(t.id, sc.by)
		sc.frequent = append(sc.frequent, t)
	}
	clear(sc.rare[len(rare):])
	sc.rare = rare
}

// isLookedUp reports whether the list of a term is so long that its frequency may be looked up for
// candidates only. A list that was merged for this query is always read as a whole.
func (x *Index) isLookedUp(t *weightedTerm) bool {
	return t.id != noTerm && x.isFrequent(x.listLength(t.id))
}

// maxScoreInBlock returns the maximum that a frequent term adds to the score of a chunk in a block.
func (t *weightedTerm) maxScoreInBlock(block int) termScore {
	most := t.chunks.maxScoreInBlock(block)
	if most == 0 {
		return termScore{}
	}
	return termScore{t.weight * most, t.share}
}

// addRareTerm adds the scores of a rare term to the sums of the chunks that contain it. Some terms do
// not suffice to find a chunk, but add to its score once another term finds it. As a frequent term
// may do that later, the sum of a chunk that contains only such terms is stored with a minus sign.
func (sc *Scores) addRareTerm(t *weightedTerm) {
	r := postingReader{plain: t.list}
	if t.id != noTerm {
		r = sc.x.reader(t.id)
	}
	var buffer [postingBlock]posting
	for some := r.next(&buffer); len(some) > 0; some = r.next(&buffer) {
		sc.addPostings(t, some)
		if t.presence > 0 {
			sc.addPresence(t, some)
		}
	}
}

// addPresence adds what chunks score for containing the name in the query.
func (sc *Scores) addPresence(t *weightedTerm, some []posting) {
	for _, e := range some {
		if s := e.slot(); sc.x.lengths[s] != 0 {
			sc.words.value[s] += float32(t.presence)
			sc.named.add(s, float32(t.presence))
		}
	}
}

func (sc *Scores) addPostings(t *weightedTerm, some []posting) {
	mayBeFound := len(sc.frequent) > 0 && sc.frequent[0].touches
	value, lengths := sc.words.value, sc.x.lengths
	for _, e := range some {
		s := e.slot()
		before, length := value[s], lengths[s]
		if length == 0 || before == 0 && !t.touches && !mayBeFound {
			continue
		}
		if before == 0 {
			sc.words.touched = append(sc.words.touched, s)
		}
		more := float32(t.weight * sc.by.termWeight(e.tf(), length))
		if before > 0 || t.touches {
			value[s] = before + more
		} else {
			value[s] = before - more
		}
	}
	if t.held == 0 {
		return
	}
	for _, e := range some {
		if s := e.slot(); lengths[s] != 0 {
			sc.held.add(s, t.held)
		}
	}
}

// saturation computes the BM25 weight of a term from its frequency in a chunk.
type saturation struct{ base, slope float64 }

func (x *Index) saturation() saturation {
	return newSaturation(x.averageLength())
}

func newSaturation(averageLength float64) saturation {
	return saturation{bm25K1 * (1 - bm25B), bm25K1 * bm25B / averageLength}
}

// averageLength returns the average length of the live chunks.
func (x *Index) averageLength() float64 { return float64(x.total) / float64(max(x.live, 1)) }

func (b saturation) termWeight(tf float64, length uint32) float64 {
	return tf * (bm25K1 + 1) / (tf + b.base + b.slope*float64(length))
}

// Release returns the memory of sc to a pool. sc must not be used afterwards.
func (x *Index) Release(sc *Scores) {
	for _, t := range []*slotSums{sc.words, sc.named, sc.held, sc.headings, sc.names, sc.folders} {
		if t != nil {
			x.recycleSums(t)
		}
	}
	sc.own.clear()
	clear(sc.frequent)
	clear(sc.rare)
	*sc = Scores{own: sc.own, frequent: sc.frequent[:0], rare: sc.rare[:0]}
	scored.Put(sc)
}

// ScoreAt returns the score of a chunk by its words, or 0 if no term matched.
func (sc *Scores) ScoreAt(s rank.Slot) float64 { return sc.totalScore(sc.fullScore(s)) }

// WordScore returns the score of a chunk by its words, without the effects of coverage and of a name, so
// that it can be compared with FullMatchScore.
func (sc *Scores) WordScore(s rank.Slot) float64 { return sc.fullScore(s).words - sc.named.at(s) }

// termScore is the score of a chunk for some terms, and their share of the query.
type termScore struct{ words, share float64 }

func (g termScore) plus(other termScore) termScore {
	return termScore{g.words + other.words, g.share + other.share}
}

func (g termScore) minus(other termScore) termScore {
	return termScore{g.words - other.words, g.share - other.share}
}

// totalScore combines the score and the share into the final score.
func (sc *Scores) totalScore(g termScore) float64 {
	return g.words * (1 - sc.coverage + sc.coverage*min(1, g.share))
}

// rareTermScore returns the score of a chunk for its rare terms. found reports whether any of them
// finds the chunk.
func (sc *Scores) rareTermScore(s rank.Slot) (g termScore, found bool) {
	words := sc.words.at(s)
	return termScore{math.Abs(words), sc.CoveredShare(WordSet(sc.held.at(s)))}, words > 0
}

// fullScore returns the score of a chunk for all terms.
func (sc *Scores) fullScore(s rank.Slot) termScore {
	g, found := sc.rareTermScore(s)
	for i := range sc.frequent {
		t := &sc.frequent[i]
		if !t.touches && !found {
			break
		}
		if t.chunks.has(s) && sc.x.lengths[s] != 0 {
			g, found = g.plus(termScore{t.weight * sc.by.termWeight(t.chunks.termFrequency(s), sc.x.lengths[s]), t.share}), true
		}
	}
	if !found {
		return termScore{}
	}
	return g
}
