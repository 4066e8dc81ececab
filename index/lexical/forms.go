package lexical

import (
	"cmp"
	"slices"

	"vademecum/index/lexical/analysis"
	"vademecum/index/rank"
)

// A word of a query may occur in texts of several languages, indexed in each by its stem in that
// language. A chunk with any of these forms is treated as containing the word.

// existingForms returns the forms that occur in chunks, which are few in most folders.
func (x *Index) existingForms(forms map[string][]string) map[string][]string {
	held := make(map[string][]string)
	for t, all := range forms {
		if existing := x.existing(all); len(existing) > 0 {
			held[t] = existing
		}
	}
	return held
}

// existing returns those of some terms that occur in chunks.
func (x *Index) existing(terms []string) (existing []string) {
	for _, t := range terms {
		if x.isLive(findTerm(x.terms, t)) {
			existing = append(existing, t)
		}
	}
	return existing
}

// addFallbacks adds to the equivalent terms, which are existing ones, those of words that occur nowhere
// but may be spelled without umlauts.
func (x *Index) addFallbacks(q analysis.Question) {
	for t, fallbacks := range q.FallbackTerms {
		if x.hasTerm(t) || len(q.EquivalentTerms[t]) > 0 { // as most words
			continue
		}
		if existing := x.existing(fallbacks); len(existing) > 0 {
			q.EquivalentTerms[t] = existing
		}
	}
}

// formsOf returns the numbers of the forms that occur in chunks.
func (x *Index) formsOf(forms []string) (ids []int32) {
	for _, form := range forms {
		if id := findTerm(x.terms, form); id != noTerm && x.isLive(id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// idfOfForms returns the inverse document frequency of a word with its forms. Most chunks that
// contain a form in some language also contain the word itself, so the larger frequency is used.
func (x *Index) idfOfForms(id int32, forms []int32) float64 {
	n := 0
	for _, form := range forms {
		n += x.frequency(form)
	}
	return idfOf(x.live, max(n, x.frequency(id)))
}

// chunksWithFormsOnly returns the postings of the chunks that contain forms of a word but not the
// word itself, sorted by slot. Chunks that contain both are found by the word.
func (x *Index) chunksWithFormsOnly(word int32, forms []int32) (all []posting) {
	if len(forms) == 0 {
		return nil
	}
	list := x.postingsOf(word)
	for _, form := range forms {
		all = mergePostings(all, x.missingFrom(list, x.postingsOf(form)))
	}
	return all
}

// missingFrom returns the postings in others whose chunks are not in list, sorted by slot. The
// lists are unsorted if the index has reused slots.
func (x *Index) missingFrom(list, others []posting) (all []posting) {
	if x.mixed {
		list, others = slices.Sorted(slices.Values(list)), slices.Sorted(slices.Values(others))
	}
	for _, e := range others {
		list = seekSlot(list, e.slot())
		if len(list) == 0 || list[0].slot() != e.slot() {
			all = append(all, e)
		}
	}
	return all
}

// seekSlot returns the rest of a sorted list starting at a slot. It uses exponential search, which
// is fast for steps of any length.
func seekSlot(list []posting, slot rank.Slot) []posting {
	end := 1
	for end < len(list) && list[end].slot() < slot {
		end *= 2
	}
	from := end / 2
	at, _ := slices.BinarySearchFunc(list[from:min(end+1, len(list))], slot, func(e posting, s rank.Slot) int { return cmp.Compare(e.slot(), s) })
	return list[min(from+at, len(list)):]
}

// mergePostings merges two sorted lists. A chunk in both keeps the higher frequency.
func mergePostings(a, b []posting) []posting {
	if len(a) == 0 {
		return b
	}
	all := make([]posting, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		switch first, second := a[0].slot(), b[0].slot(); {
		case first < second:
			all, a = append(all, a[0]), a[1:]
		case first > second:
			all, b = append(all, b[0]), b[1:]
		default:
			all, a, b = append(all, max(a[0], b[0])), a[1:], b[1:]
		}
	}
	return append(append(all, a...), b...)
}
