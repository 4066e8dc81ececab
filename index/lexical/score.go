package lexical

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
	"sync"

	"vademecum/index/lexical/analysis"
	"vademecum/index/rank"
)

// BM25 with the usual parameters (Robertson and Zaragoza, "The Probabilistic
// Relevance Framework", 2009).
const (
	bm25K1 = 1.2
	bm25B  = 0.5
)

// In a short question every word is meant: a passage that has all of them beats a
// short one that has one often. This part of a score, less with each word more and
// none from so many words on, is multiplied by the share of the question that the
// passage has. On 162 questions to eleven real folders a part of .5 gave 3 more the
// right passage first; without the limit it costs .004 on SciFact and .004 on
// medical Chinese, whose questions no passage has all words of. With a limit of
// seven words SciFact loses .002, and none of the 162 gains.
//
// A word counts by the square of its weight: the rarest is what the question is
// about, and two frequent ones do not make up for it. On 195 questions to twelve
// folders squares and .7 give 1 more the right passage first; with 1 code loses .003.
const (
	coveragePart  = 0.7
	coverageWords = 5
)

// heldWords is up to how many words of a question it is noted which of them each chunk
// has: see Held.
const heldWords = 8

// Scores holds what every chunk has of one question, as long as the index is not
// changed. What chunks get for rare terms is added up; in the lists of frequent ones
// they are looked up.
type Scores struct {
	Fair     float64 // what a chunk of average length gets that has every word of the question once
	Alike    []Alike // words that count beside those of the question
	coverage float64 // the part that coverage has

	x        *Index
	shares   []float64 // of the question, by word; none of a long one
	by       saturation
	frequent []weighted // terms in the order in which they are added up
	rare     []weighted // the other terms
	own      Weighed    // the question, where nobody else has it
	words    *tally     // BM25 of the other terms, by chunk; less than nothing where none of them finds it
	held     *tally     // which words of the question the chunk has of those, a bit for each in shares; nil where there are none
	headings *tally     // by chunk
	names    *tally     // of documents, by their first chunks
	folders  *tally     // of documents, by their first chunks
}

// Score scores the chunks for a question. Give the result back with Release.
//
// The words of the question count by BM25, and so do, for less, the words that
// are written like them: those of a word that occurs only beside others, those
// of one that occurs nowhere also by themselves.
func (x *Index) Score(ctx context.Context, q analysis.Question) (*Scores, error) {
	sc := x.newScores()
	if err := x.weigh(ctx, q, &sc.own); err != nil {
		x.Release(sc)
		return nil, err
	}
	return sc, x.score(ctx, sc, &sc.own)
}

// Weighed is a question with what its terms weigh in an index: the same for all windows
// of an excerpt, whose lists differ.
type Weighed struct {
	kin      kindred
	fair     float64    // see Scores
	coverage float64    // see Scores
	shares   []float64  // see Scores
	terms    []weighted // in the order in which they are added up, without their lists
	names    []askedTerm
	inNames  float64 // what those weigh together
}

// clear forgets the question, and keeps the room for the next.
func (w *Weighed) clear() {
	clear(w.kin.kin)
	clear(w.kin.instead)
	clear(w.kin.all)
	clear(w.terms)
	*w = Weighed{kin: kindred{kin: w.kin.kin, instead: w.kin.instead, all: w.kin.all[:0]}, shares: w.shares[:0], terms: w.terms[:0]}
}

// Weigh weighs the terms of a question, and of words that are written like them.
func (x *Index) Weigh(ctx context.Context, q analysis.Question) (*Weighed, error) {
	w := &Weighed{}
	return w, x.weigh(ctx, q, w)
}

// weigh is Weigh into what holds nothing.
func (x *Index) weigh(ctx context.Context, q analysis.Question, w *Weighed) error {
	q = x.bounded(q)
	parts, err := x.parts(ctx, q, &w.kin)
	if err != nil {
		return err
	}
	w.fair, w.coverage = x.fair(q), coveragePart*max(0, 1-float64(len(q.Content)-1)/coverageWords)
	for _, part := range parts {
		for term, weight := range part.weights {
			if t, ok := x.weighted(term, weight, part); ok {
				w.terms = append(w.terms, t)
			}
		}
	}
	slices.SortFunc(w.terms, compareWeighted)
	if len(q.Content) <= heldWords {
		w.share()
	}
	w.names, w.inNames = x.asked(q, w.kin.instead)
	return nil
}

// share says what share of the question each of its words has, of those that occur.
func (w *Weighed) share() {
	total := 0.0
	for _, t := range w.terms {
		if t.covers {
			total += t.weight * t.weight
		}
	}
	for i := range w.terms {
		if t := &w.terms[i]; t.covers {
			t.share, t.held = t.weight*t.weight/total, float32(int(1)<<len(w.shares))
			w.shares = append(w.shares, t.share)
		}
	}
}

// ScoreWeighed is Score of a question that was weighed.
func (x *Index) ScoreWeighed(ctx context.Context, w *Weighed) (*Scores, error) {
	sc := x.newScores()
	return sc, x.score(ctx, sc, w)
}

// score scores the chunks for a question, and releases the scores when it fails.
func (x *Index) score(ctx context.Context, sc *Scores, w *Weighed) error {
	sc.Fair, sc.Alike, sc.by = w.fair, w.kin.all, x.saturation()
	sc.words, sc.headings, sc.names, sc.folders = x.blank(), x.blank(), x.blank(), x.blank()
	if len(w.shares) > 0 {
		sc.coverage, sc.shares, sc.held = w.coverage, w.shares, x.blank()
	}
	for _, t := range w.terms {
		t.list = x.list(t.id)
		sc.rare = append(sc.rare, t)
		if t.list = x.beyond(t.list, t.forms); len(t.list) > 0 {
			t.id = noTerm
			sc.rare = append(sc.rare, t)
		}
	}
	x.part(sc)
	for i := range sc.rare {
		if err := ctx.Err(); err != nil {
			x.Release(sc)
			return err
		}
		sc.add(&sc.rare[i])
	}
	x.scoreNames(sc, w.names, w.inNames)
	return nil
}

// scored are scores that were released.
var scored sync.Pool

// newScores are those of nothing.
func (x *Index) newScores() *Scores {
	sc, ok := scored.Get().(*Scores)
	if !ok {
		sc = &Scores{own: Weighed{kin: newKindred()}}
	}
	sc.x = x
	return sc
}

// weighted is a term of a question.
type weighted struct {
	term    string
	id      int32   // noTerm of chunks that have only forms of it
	forms   []int32 // see formsOf
	list    []posting
	chunks  *frequent // the same where chunks are looked up in it, else nil
	weight  float64   // with its inverse document frequency
	touches bool      // a chunk that has nothing else is found by it
	covers  bool      // it is missed where it is not
	share   float64   // of the question, of a term that covers
	held    float32   // its bit among the words of the question, 0 of others
}

// weighted finds a term, if there is such.
func (x *Index) weighted(term string, weight float64, part part) (t weighted, ok bool) {
	id, forms := findTerm(x.terms, term), x.formsOf(part.forms[term])
	if id == noTerm && len(forms) == 0 {
		return t, false
	}
	return weighted{term: term, id: id, forms: forms, weight: weight * x.idfOfForms(id, forms), touches: part.touches, covers: part.covers && (len(forms) > 0 || x.isLive(id))}, true
}

// part puts the frequent ones of the terms aside. It does not when they weigh more: then
// too many chunks may be among the best that have no other, and it takes less time to
// add up all.
func (x *Index) part(sc *Scores) {
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
		t.chunks = x.frequentOf(t.id, t.list, sc.by)
		sc.frequent = append(sc.frequent, t)
	}
	clear(sc.rare[len(rare):])
	sc.rare = rare
}

// isLookedUp tells whether chunks are looked up in the list of a term: one that only this
// question makes of several is read as it is.
func (x *Index) isLookedUp(t *weighted) bool { return t.id != noTerm && x.isFrequent(t.list) }

// compareWeighted orders the terms as they are added up: what finds chunks first, and
// first what may add most.
func compareWeighted(a, b weighted) int {
	if a.touches != b.touches {
		if a.touches {
			return -1
		}
		return 1
	}
	if a.weight == b.weight && a.covers != b.covers {
		if a.covers {
			return -1
		}
		return 1
	}
	return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(a.term, b.term))
}

// most is what a frequent term gives to a chunk of a block at most.
func (t *weighted) most(block int) gain {
	most := t.chunks.most(block)
	if most == 0 {
		return gain{}
	}
	return gain{t.weight * most, t.share}
}

// part is terms of a question that count alike.
type part struct {
	weights map[string]float64
	touches bool // a chunk that has nothing else is found by one of them
	covers  bool // they are missed where they are not
	forms   map[string][]string
}

// parts lists the terms of a question in the order in which they count, and those
// that are written like its own.
func (x *Index) parts(ctx context.Context, q analysis.Question, k *kindred) ([]part, error) {
	if err := x.kindred(ctx, q, k); err != nil {
		return nil, err
	}
	return []part{
		{weights: q.Content, touches: true, covers: true, forms: q.Forms}, {weights: q.Seams, touches: true}, {weights: k.instead, touches: true}, {weights: k.kin}, {weights: q.Support},
	}, nil
}

// fair is that of the scores. A whole that occurs nowhere is not missed: its parts may
// be there.
func (x *Index) fair(q analysis.Question) (fair float64) {
	for _, t := range slices.Sorted(maps.Keys(q.Content)) { // the sum is the same each time
		id := findTerm(x.terms, t)
		if x.isLive(id) || !analysis.IsMarked(t) {
			fair += q.Content[t] * x.idfOfForms(id, x.formsOf(q.Forms[t]))
		}
	}
	return fair
}

// What of a question counts at most. The words of one that people ask all do; of
// a page that is given for one it is those that tell most.
const (
	mostTerms   = 512 // that occur, in the content and in the support each
	mostKindred = 128 // of which words are looked for that are written like them
)

// MostSteps is how often at most the scores of a question look whether somebody
// still waits for them, but for one look for each block of chunks (see Top).
const MostSteps = mostKindred + 2*mostTerms + mostKindred*mostKin

// bounded leaves out the commonest of too many words. Those that occur nowhere
// stay: the answer does without them.
func (x *Index) bounded(q analysis.Question) analysis.Question {
	q.Content, q.Support, q.Forms = x.rarest(q.Content), x.rarest(q.Support), x.formsHeld(q.Forms)
	return x.thinned(q)
}

func (x *Index) rarest(weights map[string]float64) map[string]float64 {
	if len(weights) <= mostTerms {
		return weights
	}
	count := func(t string) int { return x.count(findTerm(x.terms, t)) }
	known := slices.DeleteFunc(slices.Collect(maps.Keys(weights)), func(t string) bool { return count(t) == 0 })
	slices.SortFunc(known, func(a, b string) int { return cmp.Or(cmp.Compare(count(a), count(b)), cmp.Compare(a, b)) })
	rarest := maps.Clone(weights)
	for _, t := range known[min(len(known), mostTerms):] {
		delete(rarest, t)
	}
	return rarest
}

// idf is the inverse document frequency, of BM25, over the live chunks.
func (x *Index) idf(id int32) float64 { return idfOf(x.live, x.frequency(id)) }

func idfOf(live, frequency int) float64 {
	df := float64(frequency)
	return math.Log(1 + (float64(live)-df+0.5)/(df+0.5))
}

// What a word that is written like one of the question counts, times its
// similarity. A word that occurs nowhere is probably misspelt, or derived:
// there the most similar ones must do.
const (
	kinPart  = 0.2
	misspelt = 0.6
	closeKin = 0.6 // similarity that a word needs to stand for one that occurs nowhere
)

// Alike is a word that counts because it is written like one that was asked for.
type Alike struct {
	Asked, Term string // terms
	Instead     bool   // that one occurs nowhere
}

// kindred are weights of terms: of kin of words that occur, and of what stands instead
// of those that do not; and for which each counts.
type kindred struct {
	kin, instead map[string]float64
	all          []Alike
}

func newKindred() kindred {
	return kindred{kin: make(map[string]float64), instead: make(map[string]float64)}
}

func (k *kindred) add(to map[string]float64, a Alike, weight float64) {
	to[a.Term] = max(to[a.Term], weight)
	k.all = append(k.all, a)
}

// kindred weighs the words that are written like those of the question. A rare word
// counts for no more than the one that it stands for.
func (x *Index) kindred(ctx context.Context, q analysis.Question, all *kindred) error {
	if all.kin == nil {
		*all = newKindred()
	}
	var alike [mostKin]kin
	content := q.Content
	for _, t := range x.telling(content) {
		if err := ctx.Err(); err != nil {
			return err
		}
		weight, id := content[t], findTerm(x.terms, t)
		known, idf := x.isLive(id) || len(x.formsOf(q.Forms[t])) > 0, x.idf(id)
		for _, k := range x.words.like(alike[:0], t) {
			u := x.terms.name(k.id)
			if content[u] > 0 || analysis.IsFunction(u) || !x.isLive(k.id) || !sameDigits(t, u) {
				continue
			}
			part := weight * kinPart * k.similarity
			switch {
			case known:
				all.add(all.kin, Alike{t, u, false}, part*min(1, idf/x.idf(k.id)))
			case isMeant(t, u):
				all.add(all.instead, Alike{t, u, true}, weight*misspelt*k.similarity)
			case k.similarity >= closeKin && isDerived(t, u):
				all.add(all.instead, Alike{t, u, true}, part)
			}
		}
	}
	return nil
}

// AddLookalikes adds to a set the chunks that have a word which is written like one
// of a question and says another thing: with other digits, or a few letters apart, as
// medical words of opposite meaning are.
func (x *Index) AddLookalikes(to rank.Filter, q analysis.Question) {
	const apart = 3 // letters
	var alike [mostKin]kin
	for _, t := range x.telling(q.Content) {
		for _, k := range x.words.like(alike[:0], t) {
			u := x.terms.name(k.id)
			if sameDigits(t, u) && (isMeant(t, u) || isDerived(t, u) || slips([]rune(t), []rune(u)) > apart) {
				continue
			}
			for _, e := range x.lists.of(k.id) {
				to.Add(e.slot())
			}
		}
	}
}

// telling lists the words of which others may be kin, the weightiest when there
// are too many.
func (x *Index) telling(content map[string]float64) []string {
	words := slices.DeleteFunc(slices.Sorted(maps.Keys(content)), func(t string) bool { return !mayHaveKin(t) })
	if len(words) <= mostKindred {
		return words
	}
	worth := make(map[string]float64, len(words))
	for _, t := range words {
		worth[t] = content[t] * x.idf(findTerm(x.terms, t))
	}
	slices.SortStableFunc(words, func(a, b string) int { return cmp.Compare(worth[b], worth[a]) })
	return words[:mostKindred]
}

// add adds what chunks get for a rare term. Where frequent terms may find more of
// them, those that it does not find go below nothing.
func (sc *Scores) add(t *weighted) {
	mayBeFound := len(sc.frequent) > 0 && sc.frequent[0].touches
	value, lengths := sc.words.value, sc.x.lengths
	for _, e := range t.list {
		s := e.slot()
		before, length := value[s], lengths[s]
		if length == 0 || before == 0 && !t.touches && !mayBeFound {
			continue
		}
		if before == 0 {
			sc.words.touched = append(sc.words.touched, s)
		}
		more := float32(t.weight * sc.by.of(e.tf(), length))
		if before > 0 || t.touches {
			value[s] = before + more
		} else {
			value[s] = before - more
		}
	}
	if t.held == 0 {
		return
	}
	for _, e := range t.list {
		if s := e.slot(); lengths[s] != 0 {
			sc.held.add(s, t.held)
		}
	}
}

// saturation is how BM25 lets a term count by how often it stands in a chunk.
type saturation struct{ base, slope float64 }

func (x *Index) saturation() saturation {
	average := float64(x.total) / float64(max(x.live, 1))
	return saturation{bm25K1 * (1 - bm25B), bm25K1 * bm25B / average}
}

func (b saturation) of(tf float64, length uint32) float64 {
	return tf * (bm25K1 + 1) / (tf + b.base + b.slope*float64(length))
}

// Release takes scores back: they are of no use any more.
func (x *Index) Release(sc *Scores) {
	for _, t := range []*tally{sc.words, sc.held, sc.headings, sc.names, sc.folders} {
		if t != nil {
			x.recycle(t)
		}
	}
	sc.own.clear()
	clear(sc.frequent)
	clear(sc.rare)
	*sc = Scores{own: sc.own, frequent: sc.frequent[:0], rare: sc.rare[:0]}
	scored.Put(sc)
}

// At is the score of one chunk by its words, 0 when no term matched.
func (sc *Scores) At(s rank.Slot) float64 { return sc.total(sc.gained(s)) }

// Words is the score of one chunk by its words, whichever of them it has.
func (sc *Scores) Words(s rank.Slot) float64 { return sc.gained(s).words }

// gain is what a chunk gets for some terms: a score, and the share of the question
// that it has.
type gain struct{ words, share float64 }

func (g gain) plus(other gain) gain { return gain{g.words + other.words, g.share + other.share} }

func (g gain) minus(other gain) gain { return gain{g.words - other.words, g.share - other.share} }

// total is the score that comes of it.
func (sc *Scores) total(g gain) float64 {
	return g.words * (1 - sc.coverage + sc.coverage*min(1, g.share))
}

// summed is what a chunk gets for its rare terms, and whether it is found by one.
func (sc *Scores) summed(s rank.Slot) (g gain, found bool) {
	words := sc.words.at(s)
	return gain{math.Abs(words), sc.Share(Held(sc.held.at(s)))}, words > 0
}

// gained is what a chunk gets for all terms.
func (sc *Scores) gained(s rank.Slot) gain {
	g, found := sc.summed(s)
	for i := range sc.frequent {
		t := &sc.frequent[i]
		if !t.touches && !found {
			break
		}
		if t.chunks.has(s) && sc.x.lengths[s] != 0 {
			g, found = g.plus(gain{t.weight * sc.by.of(t.chunks.count(s), sc.x.lengths[s]), t.share}), true
		}
	}
	if !found {
		return gain{}
	}
	return g
}
