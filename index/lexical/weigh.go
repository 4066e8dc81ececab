package lexical

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"

	"vademecum/index/lexical/analysis"
)

// Weighed is a question with what its terms weigh in an index: the same for all windows
// of a question's postings, whose lists differ.
type Weighed struct {
	kin      kindred
	fair     float64    // see Scores
	coverage float64    // see Scores
	shares   []float64  // see Scores
	terms    []weighted // in the order in which they are added up, without their lists
	names    []askedTerm
	inNames  float64             // what those weigh together
	written  map[string][]string // other forms of the terms that chunks have
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
	w.written = q.Forms
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

// fair returns the score that a chunk of average length gets with each word once. A whole that occurs nowhere is not missed: its parts may
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
