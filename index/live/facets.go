package live

import (
	"iter"
	"path"
	"strings"

	"vademecum/docs/meta"
	"vademecum/index/catalog"
	"vademecum/index/facet"
	"vademecum/index/rank"
	"vademecum/index/search"
)

// numbering gives each document a number, by which it is found by what it says of
// itself.
type numbering struct {
	numbered []numbered        // by number
	spare    []uint32          // numbers of documents that are gone
	words    map[string]string // what documents say, each once
	commons  map[search.Common]*search.Common
	said     *gathered // all that, but for the links
	links    *gathered
}

// numbered is a document with its slots, as far as they follow each other: a filter
// of many documents would look into each for them otherwise, which takes longer
// than the rest of a question.
type numbered struct {
	document *search.Document // nil when there is none
	first    rank.Slot
	run      uint32 // how many slots follow from the first
	others   bool   // there are more elsewhere
}

func numberedOf(d *search.Document) numbered {
	n := numbered{document: d}
	for i, s := range d.Slots {
		if i == 0 {
			n.first = s
		}
		if s != n.first+rank.Slot(i) {
			n.others = true
			break
		}
		n.run++
	}
	return n
}

// admit adds the slots of the document to a filter.
func (n *numbered) admit(f rank.Filter) {
	for s := range n.run {
		f.Add(n.first + rank.Slot(s))
	}
	if n.others {
		for _, s := range n.document.Slots[n.run:] {
			f.Add(s)
		}
	}
}

// newNumbering makes one with room for so many documents.
func newNumbering(documents int) numbering {
	return numbering{
		numbered: make([]numbered, 0, documents), words: make(map[string]string), commons: make(map[search.Common]*search.Common),
		said: &gathered{entryOf: factsOf}, links: &gathered{entryOf: linksOf},
	}
}

// facts finds documents by their tags, values, dates and names.
func (m *numbering) facts() *facet.Index { return m.said.of(m.numbered) }

// number takes up a document that nobody has seen yet.
func (m *numbering) number(d *search.Document) {
	if last := len(m.spare) - 1; last >= 0 {
		d.Number, m.spare = m.spare[last], m.spare[:last]
	} else {
		d.Number = uint32(len(m.numbered))
		m.numbered = append(m.numbered, numbered{})
	}
	m.numbered[d.Number] = numberedOf(d)
	m.said.put(d)
	m.links.put(d)
}

// unnumber forgets a document.
func (m *numbering) unnumber(d *search.Document) {
	if d == nil {
		return
	}
	m.said.delete(d)
	m.links.delete(d)
	m.numbered[d.Number] = numbered{}
	m.spare = append(m.spare, d.Number)
}

// renew puts a document in the place of one that said the same of itself.
func (m *numbering) renew(d *search.Document) {
	m.numbered[d.Number] = numberedOf(d)
	m.said.setDay(d)
}

// share has memory hold equal words once. What was said once and is no more is let
// go from time to time: then all that follows is shared anew.
func (m *numbering) share(r *catalog.Record) {
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
	d.Tags, d.Links = all(d.Tags), all(d.Links)
	for i, f := range d.Fields {
		d.Fields[i] = meta.Field{Key: one(f.Key), Values: all(f.Values)}
	}
}

// common has memory hold once what documents have in common. What few have, as the
// reason why one is skipped, is let go as words are.
func (m *numbering) common(c search.Common) *search.Common {
	if held, ok := m.commons[c]; ok {
		return held
	}
	if len(m.commons) > mostCommons {
		clear(m.commons)
	}
	held := new(search.Common)
	*held = c
	m.commons[c] = held
	return held
}

// mostCommons is how many combinations of a format and what is told of a document are
// known at a time: more are of reasons and notes that no two documents have.
const mostCommons = 1000

// admitted lists the documents that a filter admits.
func (m *Memory) admitted(only search.Filter) iter.Seq[*search.Document] {
	return func(yield func(*search.Document) bool) {
		for _, n := range m.matching(only) {
			if !yield(m.numbered[n].document) {
				return
			}
		}
	}
}

// matching lists the numbers of the documents that a filter admits. The list is not
// to be changed.
func (m *Memory) matching(only search.Filter) []facet.Number {
	if only.AdmitsAll() {
		return m.all()
	}
	if only.Places == nil || !only.Conditions.IsZero() {
		all := m.facts().Match(only.Conditions)
		if only.Places == nil {
			return all
		}
		var kept []facet.Number
		for _, n := range all {
			if only.Places[m.numbered[n].document.At()] {
				kept = append(kept, n)
			}
		}
		return kept
	}
	all := make([]facet.Number, 0, len(only.Places))
	for at := range only.Places {
		if d := m.Documents[at]; d != nil {
			all = append(all, facet.Number(d.Number))
		}
	}
	return all
}

// all lists the numbers of all documents.
func (m *numbering) all() []facet.Number {
	all := make([]facet.Number, 0, len(m.numbered))
	for n, of := range m.numbered {
		if of.document != nil {
			all = append(all, facet.Number(n))
		}
	}
	return all
}

// filter admits the chunks of the documents that are meant, nil when all are.
func (m *Memory) filter(meant search.Filter) rank.Filter {
	if meant.AdmitsAll() {
		return nil
	}
	f := rank.NewFilter(len(m.Chunks))
	for _, n := range m.matching(meant) {
		m.numbered[n].admit(f)
	}
	return f
}

// Admitted lists the documents that a filter admits, in no order.
func (st *Store) Admitted(only search.Filter) []*search.Document {
	st.Mu.RLock()
	defer st.Mu.RUnlock()
	var all []*search.Document
	for d := range st.admitted(only) {
		all = append(all, d)
	}
	return all
}

// Tags counts the documents that a filter admits by their tags.
func (st *Store) Tags(only search.Filter) []search.Count {
	st.Mu.RLock()
	defer st.Mu.RUnlock()
	counts := make(map[string]*search.Count)
	for d := range st.admitted(only) {
		seen := make(map[string]bool, len(d.Meta.Tags))
		for _, tag := range d.Meta.Tags {
			for t := range meta.Ancestors(tag) {
				folded := meta.Fold(t)
				if seen[folded] {
					continue
				}
				seen[folded] = true
				if counts[folded] == nil {
					counts[folded] = &search.Count{Name: t}
				}
				counts[folded].Number++
			}
		}
	}
	all := make([]search.Count, 0, len(counts))
	for _, c := range counts {
		all = append(all, *c)
	}
	return all
}

// Keys counts the documents by the keys of their front matter.
func (st *Store) Keys() []search.Count {
	st.Mu.RLock()
	defer st.Mu.RUnlock()
	return counted(st.facts().Keys)
}

// Values counts the documents by the values of a key.
func (st *Store) Values(key string) []search.Count {
	st.Mu.RLock()
	defer st.Mu.RUnlock()
	return counted(func(yield func(string, int) bool) { st.facts().Values(meta.Fold(key), yield) })
}

func counted(each iter.Seq2[string, int]) (all []search.Count) {
	for name, n := range each {
		all = append(all, search.Count{Name: name, Number: n})
	}
	return all
}

// namesOf lists the names by which a document is linked to.
func namesOf(d *search.Document) []string {
	base := path.Base(d.Path)
	ext := path.Ext(base)
	names := []string{strings.TrimSuffix(base, ext)}
	if ext != ".md" && ext != "" {
		names = append(names, base)
	}
	return append(names, d.Meta.Aliases()...)
}
