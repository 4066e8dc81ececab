// Package facet finds documents by what they say of themselves: by tags, by the
// values that keys of their front matter have, by date, by name and by the notes
// they link to. Each of these has the list of its documents, so that a question
// about some of them compares numbers and no strings.
//
// It knows documents by their numbers alone, and holds nothing but memory.
package facet

import (
	"cmp"
	"iter"
	"slices"

	"vademecum/docs/meta"
)

// Number is the number of a document. It may be used again when its document is deleted.
type Number uint32

// Entry is what is known of a document.
type Entry struct {
	meta.Data
	Day   meta.Date // that it is of, whoever says so
	Names []string  // by which it is linked to
	Links []string  // names that it links to
}

// Index holds entries. It is to be guarded by whoever uses it.
type Index struct {
	tags   *inverted // those in which another is nested included
	fields map[string]*field
	names  *inverted
	links  *inverted
	days   []meta.Date // by number
	there  []bool      // by number
}

// field is a key of front matter: the documents by the values they give it, and how
// many there are.
type field struct {
	*inverted
	documents int
}

// New makes an empty one.
func New() *Index {
	return &Index{tags: newInverted(), fields: make(map[string]*field), names: newInverted(), links: newInverted()}
}

// Put adds the entry of a number that has none.
func (x *Index) Put(n Number, e Entry) {
	for int(n) >= len(x.days) {
		x.days, x.there = append(x.days, 0), append(x.there, false)
	}
	x.days[n], x.there[n] = e.Day, true
	x.each(e, func(list *inverted, term string) { list.add(term, n) })
	for f := range x.fieldsOf(e) {
		f.documents++
	}
}

// Delete removes an entry, which is that with which it was put.
func (x *Index) Delete(n Number, e Entry) {
	x.days[n], x.there[n] = 0, false
	x.each(e, func(list *inverted, term string) { list.remove(term, n) })
	for f, key := range x.fieldsOf(e) {
		if f.documents--; f.documents == 0 {
			delete(x.fields, key)
		}
	}
}

// fieldsOf yields the field of each key that an entry assigns to, once, with the key.
func (x *Index) fieldsOf(e Entry) iter.Seq2[*field, string] {
	return func(yield func(*field, string) bool) {
		for i, f := range e.Fields {
			isAgain := slices.ContainsFunc(e.Fields[:i], func(before meta.Field) bool { return before.Key == f.Key })
			if !isAgain && !yield(x.fields[f.Key], f.Key) {
				return
			}
		}
	}
}

// each calls f for each list that an entry is in. Some may come twice.
func (x *Index) each(e Entry, f func(list *inverted, term string)) {
	for _, tag := range e.Tags {
		for t := range meta.SelfAndAncestors(meta.Fold(tag)) {
			f(x.tags, t)
		}
	}
	for _, assigned := range e.Fields {
		if x.fields[assigned.Key] == nil {
			x.fields[assigned.Key] = &field{inverted: newInverted()}
		}
		for _, v := range assigned.Values {
			f(x.fields[assigned.Key].inverted, meta.Fold(v))
		}
	}
	for _, name := range e.Names {
		f(x.names, meta.Fold(name))
	}
	for _, link := range e.Links {
		f(x.links, meta.Fold(link))
	}
}

// SetDay says that a document is of another day now.
func (x *Index) SetDay(n Number, day meta.Date) { x.days[n] = day }

// Match lists the documents that fulfil conditions, in the order of their numbers.
// The list is that of a moment, and is not to be changed.
func (x *Index) Match(c meta.Conditions) []Number {
	c = c.Folded()
	after, before := c.Period()
	before = before.LastDate()
	var lists [][]Number
	for _, one := range c {
		switch {
		case one.Tag != "":
			lists = append(lists, x.tags.of(one.Tag))
		case one.Key != "":
			lists = append(lists, x.values(one.Key).of(one.Value))
		}
	}
	if len(lists) == 0 {
		return x.between(after, before)
	}
	slices.SortFunc(lists, func(a, b []Number) int { return cmp.Compare(len(a), len(b)) })
	all := lists[0]
	for _, list := range lists[1:] {
		all = common(all, list)
	}
	if after == 0 && before == 0 {
		return all
	}
	return slices.DeleteFunc(slices.Clone(all), func(n Number) bool { return !isBetween(x.days[n], after, before) })
}

func isBetween(day, after, before meta.Date) bool {
	return (after == 0 || day >= after) && (before == 0 || day <= before)
}

func (x *Index) between(after, before meta.Date) []Number {
	all := make([]Number, 0, len(x.days))
	for n, day := range x.days {
		if isBetween(day, after, before) && x.there[n] {
			all = append(all, Number(n))
		}
	}
	return all
}

// common lists what is in both of two lists, of which the first is the shorter. One
// that is much longer is not walked: beside the shorter one a search in it costs
// less from some ten times the length on.
func common(a, b []Number) []Number {
	both := make([]Number, 0, len(a))
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

// Tags calls yield with each tag and the number of its documents.
func (x *Index) Tags(yield func(tag string, documents int) bool) { x.tags.each(yield) }

// Keys calls yield with each key of front matter and the number of its documents.
func (x *Index) Keys(yield func(key string, documents int) bool) {
	for key, f := range x.fields {
		if !yield(key, f.documents) {
			return
		}
	}
}

// values returns the values of a key, nil when no document has it.
func (x *Index) values(key string) *inverted {
	if f := x.fields[key]; f != nil {
		return f.inverted
	}
	return nil
}

// Values calls yield with each value of a key and the number of its documents.
func (x *Index) Values(key string, yield func(value string, documents int) bool) {
	x.values(key).each(yield)
}

// Named lists the documents that have a name.
func (x *Index) Named(name string) []Number { return x.names.of(meta.Fold(name)) }

// Linking lists the documents that link to a name.
func (x *Index) Linking(name string) []Number { return x.links.of(meta.Fold(name)) }
