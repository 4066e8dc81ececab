package search

import (
	"vademecum/docs/meta"
	"vademecum/index/lexical"
)

// Filter selects the documents that meet all of its conditions. The zero value admits all.
type Filter struct {
	Locations       map[Location]bool // the document has one of these locations; nil means any
	meta.Conditions                   // conditions on metadata
}

// MatchesAll reports whether the filter has no conditions.
func (f Filter) MatchesAll() bool { return f.Locations == nil && len(f.Conditions) == 0 }

// Documents lists and counts documents, rather than parts of them. Its methods wait only while a
// document is added to memory. The documents that it returns are never changed.
type Documents interface {
	// All lists the documents, including files that are not indexed, in no order.
	All() []*Document
	// Document returns the document at a location. FindEquivalentLocation returns the location of the
	// document whose path is equivalent in any Unicode normalisation form: the given location, if
	// it exists.
	Document(at Location) (*Document, bool)
	FindEquivalentLocation(at Location) (Location, bool)
	// CountDocuments returns the number of searchable documents.
	CountDocuments() int
	// CountChunks returns the number of chunks of searchable documents, and how many of them have
	// no vector.
	CountChunks() (all, unembedded int)
	// ChangeNumber returns a number that differs after each change.
	ChangeNumber() uint64

	// HasSearchableDocuments reports whether a filter admits a searchable document.
	HasSearchableDocuments(only Filter) bool
	// Matching lists the documents that a filter admits, including files that are not indexed, in
	// no order.
	Matching(only Filter) []*Document
	// Tags counts the admitted documents by tag, in no order. A document with a nested tag also
	// counts for the outer tags.
	Tags(only Filter) []ValueCount
	// FrontMatterKeys counts the documents by the keys of their front matter, in no order.
	FrontMatterKeys() []ValueCount
	// FrontMatterValues counts the documents by the values of a key, in no order.
	FrontMatterValues(key string) []ValueCount

	// LinkTargetsNamed lists the documents that a link with the given name may mean, by location: those
	// with that name, or else those with that alias.
	LinkTargetsNamed(name string) []*Document
	// LinkingTo lists the documents that link to a document, by location. It returns none if more
	// than limit documents have links with its name; 0 means any number.
	LinkingTo(to *Document, limit int) []*Document
	// LinksOf lists the targets of the links of documents, in order.
	LinksOf(from []*Document) [][]Link
}

// Link is a link in a document. Name is the name of the target or, after a slash, its path from the top
// of the folder. Target is nil if the link leads to no document.
type Link struct {
	Name   string
	Target *Document
}

// ValueCount is a value, such as a tag, with the number of documents that have it.
type ValueCount struct {
	Value     string
	Documents int
}

// IsChunkWithin reports whether a chunk, given by its number in the document, has a date in the period:
// its own, or else that of the document.
func (d *Document) IsChunkWithin(chunkNumber int, period meta.Period) bool {
	var own meta.DateRange
	if chunkNumber < len(d.Meta.ChunkDates) {
		own = d.Meta.ChunkDates[chunkNumber]
	}
	return period.IsUnlimited() || period.MeetsChunk(d.EffectiveDate(), own)
}

// SlotRangesWithin returns the parts of SlotRange whose chunks have a date in the period.
func (d *Document) SlotRangesWithin(period meta.Period) []lexical.SlotRange {
	if period.IsUnlimited() || len(d.Meta.ChunkDates) == 0 {
		return []lexical.SlotRange{d.SlotRange}
	}
	var within []lexical.SlotRange
	for i := range d.SlotRange.Count {
		slot := d.SlotRange.First + i
		switch last := len(within) - 1; {
		case !d.IsChunkWithin(int(i), period):
		case last >= 0 && within[last].First+within[last].Count == slot:
			within[last].Count++
		default:
			within = append(within, lexical.SlotRange{First: slot, Count: 1})
		}
	}
	return within
}

// EffectiveDate returns the date of a document: that in its front matter, or else in its name, or else of its
// file.
func (d *Document) EffectiveDate() meta.Date {
	if day := d.Meta.Date; day != 0 {
		return day
	}
	if day := meta.DateInFileName(d.Path); day != 0 {
		return day
	}
	return meta.DateOf(d.Modified())
}
