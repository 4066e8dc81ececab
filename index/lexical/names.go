package lexical

import (
	"maps"
	"slices"

	"vademecum/index/lexical/analysis"
	"vademecum/index/rank"
)

// The score of a name is the square of the share of the name that the query contains, times a
// weight that grows with the share of the query that the name covers. An exact match scores
// exactWorth, one word of a long name almost nothing. With names, 13 more of 162 queries on eleven
// real folders find the right passage first; with the share itself instead of its square it is one
// fewer, with its cube four fewer.
const (
	nameAlone  = 0.3
	exactly    = 0.99 // minimum of both shares for an exact match, to allow for rounding
	exactWorth = 1.5
)

// worthOfName returns the score of a name, given the share of it that the query contains, and the share of
// the query that it covers.
func worthOfName(ofName, ofQuestion float64) float32 {
	if ofName > exactly && ofQuestion > exactly {
		return exactWorth
	}
	return float32(ofName * ofName * (nameAlone + (1-nameAlone)*ofQuestion))
}

// scoreNames scores the names of documents, their folders and the headings of chunks.
func (x *Index) scoreNames(sc *Scores, asked []askedTerm, total float64) {
	if total == 0 {
		return
	}
	for f := analysis.FileField; f <= analysis.MaxNameField; f++ {
		var whole []foundName // titles that the query contains completely
		x.scoreField(f, asked, total, func(s rank.Slot, ofName, ofQuestion float64) {
			if f == analysis.TitleField && ofName > exactly {
				whole = append(whole, foundName{s, ofName, ofQuestion})
				return
			}
			sc.names.raiseTo(s, worthOfName(ofName, ofQuestion))
		})
		for _, t := range distinctTitles(whole) {
			sc.names.raiseTo(t.slot, worthOfName(t.ofName, t.ofQuestion))
		}
	}
	x.scoreField(analysis.HeadingField, asked, total, func(s rank.Slot, ofName, ofQuestion float64) { sc.headings.raiseTo(s, worthOfName(ofName, ofQuestion)) })
	x.scoreField(analysis.FolderField, asked, total, func(s rank.Slot, _, ofQuestion float64) { sc.folders.raiseTo(s, float32(ofQuestion)) })
}

// foundName is a name of a document, which is identified by its first chunk, with the shares that
// scoreField computes.
type foundName struct {
	slot               rank.Slot
	ofName, ofQuestion float64
}

// manyTitled is the number of documents with the same title from which it is regarded as the title
// of a series, a site or their source. Fewer documents are regarded as copies.
const manyTitled = 5

// distinctTitles removes those titles, all contained completely in the query, that cover the same
// share of the query in many documents, and are therefore regarded as shared.
func distinctTitles(titles []foundName) []foundName {
	if len(titles) < manyTitled {
		return titles
	}
	shared := make(map[float64]int)
	for _, t := range titles {
		shared[t.ofQuestion]++
	}
	return slices.DeleteFunc(titles, func(t foundName) bool { return shared[t.ofQuestion] >= manyTitled })
}

// askedTerm is a term of a query used to search names.
type askedTerm struct {
	inField []byte // the term, preceded by a byte to be set to the field
	weight  float32
	size    float64 // contribution to the size of a name, see analysis.NameTermSizeInQuarterWords
}

// askedTerms returns the terms of a query with their weights for the search of names, in the order
// in which they are summed. total is the weight of the whole query. instead has the weights of words
// that replace words of the query that occur nowhere.
func (x *Index) askedTerms(q analysis.Question, instead map[string]float64) (asked []askedTerm, total float64) {
	if q.ReferenceStatistics != nil {
		return weightedNames(q.ReferenceStatistics.NameWeights), q.ReferenceStatistics.TotalNameWeight
	}
	weights := make(map[string]float64, len(q.NameTerms))
	for _, t := range slices.Sorted(maps.Keys(q.NameTerms)) { // fixed order for a reproducible sum
		weight := q.NameTerms[t] * x.idf(findTerm(x.terms, t))
		weights[analysis.TrimLeadingZeros(t)] += weight
		total += weight
	}
	total += x.addDateNames(weights, q)
	addCompoundNames(weights, q.Compounds)
	for t, weight := range instead {
		if weights[t] == 0 {
			weights[t] = weight * x.idf(findTerm(x.terms, t))
		}
	}
	return weightedNames(weights), total
}

// addDateNames adds the other forms of the dates in a query, whose equivalent terms are existing ones, to the terms
// used for searching names. It returns the weight of the dates that are not among the terms themselves.
func (x *Index) addDateNames(weights map[string]float64, q analysis.Question) (more float64) {
	for _, t := range slices.Sorted(maps.Keys(q.EquivalentTerms)) { // fixed order for a reproducible sum
		weight, isOther := weights[t], q.OtherSpellings[t] > 0
		if !analysis.IsDateTerm(t) || weight == 0 && !isOther {
			continue
		}
		if isOther {
			weight = q.OtherSpellings[t] * x.idfOfForms(noTerm, x.formsOf(q.EquivalentTerms[t]))
			more += weight
		}
		for _, form := range q.EquivalentTerms[t] {
			weights[form] = max(weights[form], weight)
		}
	}
	return more
}

// weightedNames returns the terms with these weights.
func weightedNames(weights map[string]float64) (asked []askedTerm) {
	for _, t := range slices.Sorted(maps.Keys(weights)) {
		asked = append(asked, askedTerm{append([]byte{0}, t...), float32(weights[t]), float64(analysis.NameTermSizeInQuarterWords(t))})
	}
	return asked
}

// scoreField calls give for the names in a field that contain terms of a query, with the share of
// the name's size that the query contains, and the share of the query that the name covers.
func (x *Index) scoreField(f analysis.Field, asked []askedTerm, total float64, give func(s rank.Slot, ofName, ofQuestion float64)) {
	var weights, sizes *slotSums
	var buffer [postingBlock]posting
	for _, t := range asked {
		t.inField[0] = byte(f)
		id := findTerm(x.terms, t.inField)
		if id == noTerm {
			continue // nearly all terms are missing in nearly all fields
		}
		if weights == nil {
			weights, sizes = x.newSlotSums(), x.newSlotSums()
			defer x.recycleSums(weights)
			defer x.recycleSums(sizes)
		}
		r := x.reader(id)
		for some := r.next(&buffer); len(some) > 0; some = r.next(&buffer) {
			for _, e := range some {
				if s := e.slot(); x.lengths[s] != 0 {
					weights.add(s, t.weight)
					sizes.add(s, float32(t.size/e.tf()))
				}
			}
		}
	}
	if weights == nil {
		return
	}
	for _, s := range weights.touched {
		give(s, min(1, sizes.at(s)), min(1, weights.at(s)/total))
	}
}

// NameScore returns how well the name of a document matches the query; exactWorth is an exact
// match. The document is identified by its first chunk.
func (sc *Scores) NameScore(firstSlot rank.Slot) float64 { return sc.names.at(firstSlot) }

// HeadingScore returns how well the heading directly above a chunk matches the query, on the scale of
// NameScore.
func (sc *Scores) HeadingScore(s rank.Slot) float64 { return sc.headings.at(s) }

// FolderScore returns the share of the query that the names of a document's folders cover. The
// document is identified by its first chunk.
func (sc *Scores) FolderScore(firstSlot rank.Slot) float64 { return sc.folders.at(firstSlot) }

// TopDocumentsByName returns the first chunks of the k documents whose names match the query best, among
// those that a filter keeps.
func (sc *Scores) TopDocumentsByName(k int, keep rank.Filter, chunks rank.ChunkProperties) []rank.Hit {
	return sc.names.top(k, keep, chunks, scoresAboveLeast(sc.names))
}

// leastLooked is the minimum score of a name for its document to be found by the name alone. A name of which
// the query contains at most a third usually has less.
const leastLooked = 0.1

func scoresAboveLeast(t *slotSums) func(rank.Slot) float64 {
	return func(s rank.Slot) float64 {
		if worth := t.at(s); worth >= leastLooked {
			return worth
		}
		return 0
	}
}

// TopDocumentsByFolder returns the first chunks of the k documents whose folders match the question best.
func (sc *Scores) TopDocumentsByFolder(k int, keep rank.Filter, chunks rank.ChunkProperties) []rank.Hit {
	return sc.folders.top(k, keep, chunks, sc.folders.at)
}

// TopByHeadings returns the k chunks whose headings match the question best.
func (sc *Scores) TopByHeadings(k int, keep rank.Filter, chunks rank.ChunkProperties) []rank.Hit {
	return sc.headings.top(k, keep, chunks, scoresAboveLeast(sc.headings))
}
