package lexical

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"

	"vademecum/index/lexical/analysis"
)

// WeightedQuestion is a query with the weights of its terms in an index. The weights are the same in
// all windows of QueryPostings, whose lists differ.
type WeightedQuestion struct {
	kin      similarTerms
	fair     float64        // score of a chunk of average length with each word once, see Scores
	coverage float64        // share of the score that is multiplied by the coverage, see Scores
	shares   []float64      // share of the query of each word, see Scores
	terms    []weightedTerm // in the order in which they are summed; without lists
	names    []askedTerm
	inNames  float64             // total weight of the query when names are searched
	written  map[string][]string // for each term, its other forms that occur in chunks
	average  float64             // average length of a chunk, if it is not that of the index; otherwise 0
}

// clear resets the query, but keeps the allocated memory.
func (w *WeightedQuestion) clear() {
	clear(w.kin.kin)
	clear(w.kin.instead)
	clear(w.kin.all)
	clear(w.terms)
	*w = WeightedQuestion{kin: similarTerms{kin: w.kin.kin, instead: w.kin.instead, all: w.kin.all[:0]}, shares: w.shares[:0], terms: w.terms[:0]}
}

// WeightQuestion returns a query with the weights of its terms and of similar words in this index.
func (x *Index) WeightQuestion(ctx context.Context, q analysis.Question) (*WeightedQuestion, error) {
	w := &WeightedQuestion{}
	return w, x.weighQuestion(ctx, q, w)
}

// weighQuestion stores in w, which must be empty, a query with the weights of its terms and of
// similar words in this index.
func (x *Index) weighQuestion(ctx context.Context, q analysis.Question, w *WeightedQuestion) error {
	q = x.limitWords(q)
	parts, err := x.termGroups(ctx, q, &w.kin)
	if err != nil {
		return err
	}
	w.fair, w.coverage = x.averageScore(q), coveragePart*max(0, 1-float64(len(q.ContentTerms)-1)/coverageWords)
	for _, part := range parts {
		for term, weight := range part.weights {
			if t, ok := x.weighTerm(term, weight, part); ok {
				if q.ReferenceStatistics != nil {
					t.weight = q.WeightOf(term, weight, t.weight/weight)
				}
				t.isFromQuery = part.isFromQuery
				w.terms = append(w.terms, t)
			}
		}
	}
	slices.SortFunc(w.terms, compareWeighted)
	if q.ReferenceStatistics != nil {
		w.setPresences(q.ReferenceStatistics.NamePresenceScores)
	} else {
		x.raiseName(q, w)
	}
	if len(q.ContentTerms) <= heldWords {
		w.computeShares(x.weightElsewhere(q))
	}
	w.names, w.inNames = x.askedTerms(q, w.kin.instead)
	w.written = writtenForms(q)
	if q.ReferenceStatistics != nil {
		w.average = q.ReferenceStatistics.AverageChunkTerms
	}
	return nil
}

// weightElsewhere returns the sum of the squared weights of the words that occur only in the other index
// of the query.
func (x *Index) weightElsewhere(q analysis.Question) (total float64) {
	if q.ReferenceStatistics == nil {
		return 0
	}
	for _, t := range slices.Sorted(maps.Keys(q.ContentTerms)) { // fixed order for a reproducible sum
		if !x.isLive(findTerm(x.terms, t)) && len(q.EquivalentTerms[t]) == 0 && len(q.Compounds[t]) == 0 {
			weight := q.ReferenceStatistics.TermWeights[t] + q.ReferenceStatistics.NamePresenceScores[t]
			total += weight * weight
		}
	}
	return total
}

// computeShares computes the share of the query that each word makes up that occurs in this index.
// elsewhere is the sum of the squared weights of the words that occur only in the other index.
func (w *WeightedQuestion) computeShares(elsewhere float64) {
	total := elsewhere
	for _, t := range w.terms {
		if t.covers {
			total += t.importance() * t.importance()
		}
	}
	for i := range w.terms {
		if t := &w.terms[i]; t.covers {
			t.share, t.held = t.importance()*t.importance()/total, float32(int(1)<<len(w.shares))
			w.shares = append(w.shares, t.share)
		}
	}
}

// weightedTerm is a term of a query with its weight.
type weightedTerm struct {
	term        string
	id          int32         // noTerm if list is used instead
	forms       []int32       // numbers of the forms that count as the term, see formsOf
	compounds   []int32       // numbers of the compounds that contain the term, see findCompounds
	list        []posting     // chunks with only forms or compounds of the term
	chunks      *frequentList // the list of a frequent term, in which chunks are looked up; else nil
	weight      float64       // including the inverse document frequency
	touches     bool          // a chunk is found even if it contains only this term
	covers      bool          // its absence in a chunk lowers the coverage of the query
	share       float64       // share of the query, if covers is set
	presence    float64       // score of a chunk for containing the term, however often: see raiseName
	isFromQuery bool          // not only similar to a term of the query
	held        float32       // bit of the word in a WordSet, or 0
}

// importance returns the weight by which a term makes up its share of the query.
func (t *weightedTerm) importance() float64 { return t.weight + t.presence }

// weighTerm finds and weighs a term. ok is false if it does not occur.
func (x *Index) weighTerm(term string, weight float64, part termGroup) (t weightedTerm, ok bool) {
	id, forms, compounds := findTerm(x.terms, term), x.formsOf(part.forms[term]), x.formsOf(part.wholes[term])
	if id == noTerm && len(forms) == 0 && len(compounds) == 0 {
		return t, false
	}
	return weightedTerm{term: term, id: id, forms: forms, compounds: compounds, weight: weight * x.idfOfWord(id, forms, part.wholes[term]), touches: part.touches, covers: part.covers && (len(forms) > 0 || len(compounds) > 0 || x.isLive(id))}, true
}

// idfOfWord returns the inverse document frequency of a word, or that of its compounds if the word
// itself does not occur.
func (x *Index) idfOfWord(id int32, forms []int32, compounds []string) float64 {
	if len(compounds) > 0 && len(forms) == 0 && !x.isLive(id) {
		return idfOf(x.live, x.frequencyOfCompounds(compounds))
	}
	return x.idfOfForms(id, forms)
}

// writtenForms returns, for the terms of a query, the forms in chunks that count as the term.
func writtenForms(q analysis.Question) map[string][]string {
	if len(q.Compounds) == 0 {
		return q.EquivalentTerms
	}
	all := maps.Clone(q.EquivalentTerms)
	for t, compounds := range q.Compounds {
		all[t] = slices.Concat(all[t], compounds)
	}
	return all
}

// compareWeighted orders terms for summation: terms that find chunks come first, then those with
// the highest weight.
func compareWeighted(a, b weightedTerm) int {
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

// termGroup is a group of terms of a query with the same role.
type termGroup struct {
	weights     map[string]float64
	isFromQuery bool // not only similar to terms of the query
	touches     bool // a chunk is found even if it contains only one of these terms
	covers      bool // the absence of one of the terms lowers the coverage of the query
	forms       map[string][]string
	wholes      map[string][]string // by term, the compounds that contain it, see findCompounds
}

// termGroups returns the terms of a query and the similar terms, most important first.
func (x *Index) termGroups(ctx context.Context, q analysis.Question, k *similarTerms) ([]termGroup, error) {
	if err := x.findSimilarTerms(ctx, q, k); err != nil {
		return nil, err
	}
	return []termGroup{
		{isFromQuery: true, weights: q.ContentTerms, touches: true, covers: true, forms: q.EquivalentTerms, wholes: q.Compounds}, {weights: q.OtherSpellings, touches: true, forms: q.EquivalentTerms}, {weights: k.instead, touches: true}, {weights: k.kin}, {isFromQuery: true, weights: q.SupportingTerms},
	}, nil
}

// averageScore returns the score of a chunk of average length that contains each word once. A
// special token that occurs nowhere is left out, because its parts may occur.
func (x *Index) averageScore(q analysis.Question) (fair float64) {
	for _, t := range slices.Sorted(maps.Keys(q.ContentTerms)) { // fixed order for a reproducible sum
		id := findTerm(x.terms, t)
		if x.isLive(id) || !analysis.IsFieldTerm(t) {
			fair += q.WeightOf(t, q.ContentTerms[t], x.idfOfWord(id, x.formsOf(q.EquivalentTerms[t]), q.Compounds[t]))
		}
	}
	return fair
}

// Maximum numbers of terms of a query. Ordinary queries are below them; of a whole page given as a
// query, only the most distinctive words count.
const (
	mostTerms   = 512 // occurring terms, separately for ContentTerms and SupportingTerms
	mostKindred = 128 // words for which similar ones are searched
)

// MaxCancellationChecks is how often scoring a query checks at most whether it was cancelled, not counting
// one check for each block of chunks (see TopK).
const MaxCancellationChecks = mostKindred + 2*mostTerms + mostKindred*mostSimilar

// limitWords adapts a question to the index: it drops the most common words if there are too many, finds
// the compounds of the others, keeps only equivalent terms that occur, and weakens overlapping pairs.
func (x *Index) limitWords(q analysis.Question) analysis.Question {
	q.ContentTerms, q.SupportingTerms = x.rarestWords(q.ContentTerms), x.rarestWords(q.SupportingTerms)
	q.Compounds, q.EquivalentTerms = x.findCompounds(q), x.existingForms(q.EquivalentTerms)
	x.addFallbacks(q)
	return x.weakenPairs(q)
}

// rarestWords drops the most common words if there are too many. Words that occur nowhere are kept.
func (x *Index) rarestWords(weights map[string]float64) map[string]float64 {
	if len(weights) <= mostTerms {
		return weights
	}
	count := func(t string) int { return x.listLength(findTerm(x.terms, t)) }
	known := slices.DeleteFunc(slices.Collect(maps.Keys(weights)), func(t string) bool { return count(t) == 0 })
	slices.SortFunc(known, func(a, b string) int { return cmp.Or(cmp.Compare(count(a), count(b)), cmp.Compare(a, b)) })
	rarest := maps.Clone(weights)
	for _, t := range known[min(len(known), mostTerms):] {
		delete(rarest, t)
	}
	return rarest
}

// idf returns the inverse document frequency of BM25 over the live chunks.
func (x *Index) idf(id int32) float64 { return idfOf(x.live, x.frequency(id)) }

func idfOf(live, frequency int) float64 {
	df := float64(frequency)
	return math.Log(1 + (float64(live)-df+0.5)/(df+0.5))
}
