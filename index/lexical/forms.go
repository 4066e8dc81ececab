package lexical

import "slices"

// A word of a question may stand in texts of several languages, in each by the stem
// that it has there: the lists of all its forms are one.

// formsOf lists the forms that live chunks have.
func (x *Index) formsOf(forms []string) (ids []int32) {
	for _, form := range forms {
		if id := findTerm(x.terms, form); id != noTerm && x.isLive(id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// idfOfForms is the inverse document frequency of a word with its forms. A chunk that
// has a form of some language mostly has the word itself too.
func (x *Index) idfOfForms(id int32, forms []int32) float64 {
	n := 0
	for _, form := range forms {
		n += x.frequency(form)
	}
	return idfOf(x.live, max(n, x.frequency(id)))
}

// listOf is the list of a word with its forms.
func (x *Index) listOf(id int32, forms []int32) []posting {
	list := x.list(id)
	for _, form := range forms {
		list = union(list, x.list(form), x.mixed)
	}
	return list
}

// union makes one list of two, in the order of slots, with the higher frequency of each
// chunk. Those of an index that gave slots out again are in no order.
func union(a, b []posting, mixed bool) []posting {
	if mixed {
		a, b = slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b))
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
