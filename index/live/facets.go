package live

import (
	"iter"
	"path"
	"slices"
	"strings"

	"vademecum/docs/meta"
	"vademecum/index/facet"
	"vademecum/index/search"
	"vademecum/index/store/catalog"
)

// documentNumbers assigns a number to each document, by which the indexes of metadata refer to it.
type documentNumbers struct {
	numbered      []*search.Document // by number; nil if unused
	runs          []contiguousSlots  // by number; only if documents have chunks in memory
	places        locationTable      // numbers by location
	spare         []uint32           // unused numbers
	words         map[string]string  // strings in metadata, to store each only once
	commons       map[search.InternedFields]*search.InternedFields
	metadataIndex *lazyFacets // index of all metadata except links
	links         *lazyFacets
}

// newDocumentNumbers returns an empty documentNumbers with capacity for a number of documents.
func newDocumentNumbers(documents int) documentNumbers {
	return documentNumbers{
		numbered: make([]*search.Document, 0, documents), places: newLocationTable(documents), runs: make([]contiguousSlots, 0, documents), words: make(map[string]string), commons: make(map[search.InternedFields]*search.InternedFields),
		metadataIndex: &lazyFacets{entryOf: factsOf}, links: &lazyFacets{entryOf: linksOf},
	}
}

// facts returns the index of tags, front matter values, dates and names.
func (m *documentNumbers) facts() *facet.Index { return m.metadataIndex.facetsOf(m.numbered) }

// assignNumber adds a document that was not yet returned to readers.
func (m *documentNumbers) assignNumber(d *search.Document) {
	if last := len(m.spare) - 1; last >= 0 {
		d.NumberInStore, m.spare = m.spare[last], m.spare[:last]
	} else {
		d.NumberInStore = uint32(len(m.numbered))
		m.numbered = append(m.numbered, nil)
	}
	m.putAtNumber(d)
	m.places.add(d.Location(), d.NumberInStore)
	m.metadataIndex.put(d)
	m.links.put(d)
}

// putAtNumber stores a document at its number.
func (m *documentNumbers) putAtNumber(d *search.Document) {
	m.numbered[d.NumberInStore] = d
	if len(d.Slots) > 0 && int(d.NumberInStore) >= len(m.runs) {
		m.runs = append(m.runs, make([]contiguousSlots, int(d.NumberInStore)+1-len(m.runs))...)
	}
	if int(d.NumberInStore) < len(m.runs) {
		m.runs[d.NumberInStore] = contiguousSlotsOf(d)
	}
}

// releaseNumber removes a document.
func (m *documentNumbers) releaseNumber(d *search.Document) {
	if d == nil {
		return
	}
	m.metadataIndex.delete(d)
	m.links.delete(d)
	m.places.remove(d.Location(), d.NumberInStore)
	m.numbered[d.NumberInStore] = nil
	if int(d.NumberInStore) < len(m.runs) {
		m.runs[d.NumberInStore] = contiguousSlots{}
	}
	m.spare = append(m.spare, d.NumberInStore)
}

// replaceSame replaces a document by one with the same number and metadata. Only its date may differ.
func (m *documentNumbers) replaceSame(d *search.Document) {
	m.putAtNumber(d)
	m.metadataIndex.setDay(d)
}

// internStrings replaces the strings in metadata by shared copies. If there are too many, the table
// of shared strings is cleared, and sharing starts over.
func (m *documentNumbers) internStrings(r *catalog.Record) {
	d := &r.Meta
	if most := 10_000 + 20*len(m.numbered); len(m.words) > most {
		clear(m.words)
	}
	one := func(s string) string {
		if held, ok := m.words[s]; ok {
			return held
		}
		m.words[s] = s
		return s
	}
	all := func(of []string) []string {
		for i, s := range of {
			of[i] = one(s)
		}
		return of
	}
	d.Tags, d.LinkTargets = all(d.Tags), all(d.LinkTargets)
	for i, f := range d.Fields {
		d.Fields[i] = meta.Field{Key: one(f.Key), Values: all(f.Values)}
	}
}

// InternSharedFields returns the copy of c that all documents with the same values share. If there are
// too many copies, it drops them and starts over.
func (m *documentNumbers) InternSharedFields(c search.InternedFields) *search.InternedFields {
	if held, ok := m.commons[c]; ok {
		return held
	}
	if len(m.commons) > mostCommons {
		clear(m.commons)
	}
	held := new(search.InternedFields)
	*held = c
	m.commons[c] = held
	return held
}

// mostCommons is the maximum number of shared copies of InternedFields. If there are more, they contain
// reasons and notes that no two documents share, and all are dropped.
const mostCommons = 1000

// admitted yields the documents that a filter admits.
func (m *Documents) admitted(only search.Filter) iter.Seq[*search.Document] {
	return func(yield func(*search.Document) bool) {
		for _, n := range m.matchingNumbers(only) {
			if !yield(m.numbered[n]) {
				return
			}
		}
	}
}

// matchingNumbers returns the numbers of the documents that a filter admits. The slice must not be
// modified.
func (m *Documents) matchingNumbers(only search.Filter) []facet.DocumentNumber {
	if only.MatchesAll() {
		return m.allNumbers()
	}
	if only.Locations == nil || len(only.Conditions) > 0 {
		all := m.facts().Match(only.Conditions)
		if only.Locations == nil {
			return all
		}
		var kept []facet.DocumentNumber
		for _, n := range all {
			if only.Locations[m.numbered[n].Location()] {
				kept = append(kept, n)
			}
		}
		return kept
	}
	all := make([]facet.DocumentNumber, 0, len(only.Locations))
	for at := range only.Locations {
		if d := m.DocumentAt(at); d != nil {
			all = append(all, facet.DocumentNumber(d.NumberInStore))
		}
	}
	return all
}

// allNumbers returns the numbers of all documents.
func (m *documentNumbers) allNumbers() []facet.DocumentNumber {
	all := make([]facet.DocumentNumber, 0, len(m.numbered))
	for n, d := range m.numbered {
		if d != nil {
			all = append(all, facet.DocumentNumber(n))
		}
	}
	return all
}

// Matching returns the documents that a filter admits, in no particular order.
func (st *Store) Matching(only search.Filter) []*search.Document {
	if only.MatchesAll() {
		return st.All()
	}
	return readLocked(st, func(docs *Documents) []*search.Document {
		return slices.Collect(docs.admitted(only))
	})
}

// HasSearchableDocuments reports whether any of the documents that a filter admits is searchable.
func (st *Store) HasSearchableDocuments(only search.Filter) bool {
	return readLocked(st, func(docs *Documents) bool {
		for d := range docs.admitted(only) {
			if d.SkipReason == "" {
				return true
			}
		}
		return false
	})
}

// Tags returns the tags of the documents that a filter admits, with the number of documents for
// each.
func (st *Store) Tags(only search.Filter) []search.ValueCount {
	return readLocked(st, func(docs *Documents) []search.ValueCount { return docs.countTags(only) })
}

func (m *Documents) countTags(only search.Filter) []search.ValueCount {
	counts := make(map[string]*search.ValueCount)
	for d := range m.admitted(only) {
		if len(d.Meta.Tags) == 0 {
			continue
		}
		seen := make(map[string]bool, len(d.Meta.Tags))
		for _, tag := range d.Meta.Tags {
			for t := range meta.TagAndAncestors(tag) {
				folded := meta.Fold(t)
				if seen[folded] {
					continue
				}
				seen[folded] = true
				if counts[folded] == nil {
					counts[folded] = &search.ValueCount{Value: t}
				}
				counts[folded].Documents++
			}
		}
	}
	all := make([]search.ValueCount, 0, len(counts))
	for _, c := range counts {
		all = append(all, *c)
	}
	return all
}

// FrontMatterKeys returns the front matter keys with the number of documents for each.
func (st *Store) FrontMatterKeys() []search.ValueCount {
	return readLocked(st, func(docs *Documents) []search.ValueCount { return collectCounts(docs.facts().FrontMatterKeys) })
}

// FrontMatterValues returns the values of a front matter key with the number of documents for each.
func (st *Store) FrontMatterValues(key string) []search.ValueCount {
	return readLocked(st, func(docs *Documents) []search.ValueCount {
		key = meta.Fold(key)
		counts := collectCounts(func(yield func(string, int) bool) { docs.facts().FrontMatterValues(key, yield) })
		for i, c := range counts {
			counts[i].Value = docs.spelledValue(key, c.Value)
		}
		return counts
	})
}

// spelledValue returns a value of a front matter key as one of the documents spells it, given in
// folded form.
func (m *Documents) spelledValue(key, folded string) string {
	for _, n := range m.facts().Match(meta.Conditions{{Key: key, Value: folded}}) {
		for _, f := range m.numbered[n].Meta.Fields {
			i := slices.IndexFunc(f.Values, func(v string) bool { return f.Key == key && meta.Fold(v) == folded })
			if i >= 0 {
				return f.Values[i]
			}
		}
	}
	return folded
}

func collectCounts(each iter.Seq2[string, int]) (all []search.ValueCount) {
	for name, n := range each {
		all = append(all, search.ValueCount{Value: name, Documents: n})
	}
	return all
}

// namesOf returns the names by which links refer to a document.
func namesOf(d *search.Document) []string {
	base := path.Base(d.Path)
	ext := path.Ext(base)
	names := []string{strings.TrimSuffix(base, ext)}
	if ext != ".md" && ext != "" {
		names = append(names, base)
	}
	return append(names, d.Meta.Aliases()...)
}
