// Package facet finds documents by their metadata: by tags, by the values of front matter keys, by
// date, by name and by the notes they link to. It has a list of documents for each of these, so
// that a query compares numbers rather than strings.
//
// It identifies documents only by their numbers, and does no I/O.
package facet

import (
	"cmp"
	"iter"
	"slices"

	"vademecum/docs/meta"
)

// DocumentNumber is the number of a document. It may be reused after the document is deleted.
type DocumentNumber uint32

// DocumentMetadata holds what an Index knows of a document.
type DocumentMetadata struct {
	meta.Data
	Date         meta.Date // date of the document, from any source
	OwnLinkNames []string  // names by which links refer to the document
	LinkedNames  []string  // names that the document links to
}

// Index finds documents by their metadata. It is not safe for concurrent use.
type Index struct {
	tags   *invertedLists // including the ancestors of nested tags
	fields map[string]*field
	names  *invertedLists
	links  *invertedLists
	days   []meta.Date // by DocumentNumber, the dates of the documents
	// dates of the chunks of the documents in which these have dates of their own
	chunkDates map[DocumentNumber][]meta.DateRange
	there      []bool // by DocumentNumber, whether the document exists
}

// field is a front matter key: its values with their documents, and the number of documents that
// have the key.
type field struct {
	*invertedLists
	documents int
}

// New returns an empty Index.
func New() *Index {
	return &Index{tags: newInvertedLists(), fields: make(map[string]*field), names: newInvertedLists(), links: newInvertedLists(), chunkDates: make(map[DocumentNumber][]meta.DateRange)}
}

// Put adds the metadata of a document that has none in the index.
func (x *Index) Put(n DocumentNumber, metadata DocumentMetadata) {
	for int(n) >= len(x.days) {
		x.days, x.there = append(x.days, 0), append(x.there, false)
	}
	x.days[n], x.there[n] = metadata.Date, true
	if len(metadata.ChunkDates) > 0 {
		x.chunkDates[n] = metadata.ChunkDates
	}
	x.eachList(metadata, func(list *invertedLists, term string) { list.add(term, n) })
	for f := range x.fieldsOf(metadata) {
		f.documents++
	}
}

// Delete removes the metadata of a document, which must be those that were put.
func (x *Index) Delete(n DocumentNumber, metadata DocumentMetadata) {
	x.days[n], x.there[n] = 0, false
	delete(x.chunkDates, n)
	x.eachList(metadata, func(list *invertedLists, term string) { list.remove(term, n) })
	for f, key := range x.fieldsOf(metadata) {
		if f.documents--; f.documents == 0 {
			delete(x.fields, key)
		}
	}
}

// fieldsOf yields each front matter key of a document once: its field, and its name.
func (x *Index) fieldsOf(e DocumentMetadata) iter.Seq2[*field, string] {
	return func(yield func(*field, string) bool) {
		for i, f := range e.Fields {
			isAgain := slices.ContainsFunc(e.Fields[:i], func(before meta.Field) bool { return before.Key == f.Key })
			if !isAgain && !yield(x.fields[f.Key], f.Key) {
				return
			}
		}
	}
}

// eachList calls f with each list that contains a document with the metadata e, and with the term of
// the list. It may do so more than once for a list.
func (x *Index) eachList(e DocumentMetadata, f func(list *invertedLists, term string)) {
	for _, tag := range e.Tags {
		for t := range meta.TagAndAncestors(meta.Fold(tag)) {
			f(x.tags, t)
		}
	}
	for _, assigned := range e.Fields {
		if x.fields[assigned.Key] == nil {
			x.fields[assigned.Key] = &field{invertedLists: newInvertedLists()}
		}
		for _, v := range assigned.Values {
			f(x.fields[assigned.Key].invertedLists, meta.Fold(v))
		}
	}
	for _, name := range e.OwnLinkNames {
		f(x.names, meta.Fold(name))
	}
	for _, link := range e.LinkedNames {
		f(x.links, meta.Fold(link))
	}
}

// SetDate sets the date of a document.
func (x *Index) SetDate(n DocumentNumber, day meta.Date) { x.days[n] = day }

// Match lists the documents that fulfil conditions, in numerical order. The list is valid until the
// next change, and must not be modified.
func (x *Index) Match(c meta.Conditions) []DocumentNumber {
	c = c.Folded()
	period := c.Period()
	var lists [][]DocumentNumber
	for _, one := range c {
		switch {
		case one.Tag != "":
			lists = append(lists, x.tags.documentsOf(one.Tag))
		case one.Key != "":
			lists = append(lists, x.invertedValues(one.Key).documentsOf(one.Value))
		}
	}
	if len(lists) == 0 {
		return x.datedWithin(period)
	}
	slices.SortFunc(lists, func(a, b []DocumentNumber) int { return cmp.Compare(len(a), len(b)) })
	all := lists[0]
	for _, list := range lists[1:] {
		all = intersect(all, list)
	}
	if period.IsUnlimited() {
		return all
	}
	return slices.DeleteFunc(slices.Clone(all), func(n DocumentNumber) bool { return !x.isWithin(n, period) })
}

// isWithin reports whether a document, or one of its chunks, has a date in the period.
func (x *Index) isWithin(n DocumentNumber, period meta.Period) bool {
	return period.MeetsDocument(x.days[n], x.chunkDates[n])
}

func (x *Index) datedWithin(period meta.Period) []DocumentNumber {
	all := make([]DocumentNumber, 0, len(x.days))
	for n := range x.days {
		if x.there[n] && x.isWithin(DocumentNumber(n), period) {
			all = append(all, DocumentNumber(n))
		}
	}
	return all
}

// HasChunkDates reports whether the chunks of a document have dates of their own.
func (x *Index) HasChunkDates(n DocumentNumber) bool { return len(x.chunkDates[n]) > 0 }

// intersect returns the common elements of two lists, of which a must be the shorter. If b is more
// than about ten times as long, it uses binary searches in b, which are then faster than traversing
// it.
func intersect(a, b []DocumentNumber) []DocumentNumber {
	both := make([]DocumentNumber, 0, len(a))
	search := len(b)/10 > len(a)
	for _, n := range a {
		at := 0
		if search {
			at, _ = slices.BinarySearch(b, n)
		}
		for at < len(b) && b[at] < n {
			at++
		}
		if b = b[at:]; len(b) > 0 && b[0] == n {
			both = append(both, n)
		}
	}
	return both
}

// Tags yields each tag with the number of documents that have it or a tag nested in it.
func (x *Index) Tags(yield func(tag string, documents int) bool) { x.tags.each(yield) }

// FrontMatterKeys yields each front matter key and the number of its documents.
func (x *Index) FrontMatterKeys(yield func(key string, documents int) bool) {
	for key, f := range x.fields {
		if !yield(key, f.documents) {
			return
		}
	}
}

// invertedValues returns the values of a key, or nil if no document has it.
func (x *Index) invertedValues(key string) *invertedLists {
	if f := x.fields[key]; f != nil {
		return f.invertedLists
	}
	return nil
}

// FrontMatterValues yields each value of a key and the number of its documents.
func (x *Index) FrontMatterValues(key string, yield func(value string, documents int) bool) {
	x.invertedValues(key).each(yield)
}

// WithOwnLinkName lists the documents to which links refer by the given name.
func (x *Index) WithOwnLinkName(name string) []DocumentNumber {
	return x.names.documentsOf(meta.Fold(name))
}

// LinkingTo lists the documents that have a link with the given name.
func (x *Index) LinkingTo(name string) []DocumentNumber { return x.links.documentsOf(meta.Fold(name)) }
