package search

import (
	"vademecum/docs/meta"
)

// Filter says which documents are meant: those that fulfil all of it. The zero value
// admits all.
type Filter struct {
	Places          map[Location]bool // the document is at one of these; nil: anywhere
	meta.Conditions                   // by what it says of itself
}

// AdmitsAll reports whether every document fulfils the filter.
func (f Filter) AdmitsAll() bool { return f.Places == nil && len(f.Conditions) == 0 }

// Documents lists and counts documents, rather than parts of them. It waits for nobody but
// who brings a document into memory. Documents that come out of it are never changed.
type Documents interface {
	// All lists the documents, and among them files that are not indexed, in no order that
	// matters.
	All() []*Document
	// Document finds one by its place, Alike the place of one whose path looks like that, in
	// whatever composition of its characters: itself, if there is one.
	Document(at Location) (*Document, bool)
	FindSpelling(at Location) (Location, bool)
	// CountDocuments counts those that are searchable.
	CountDocuments() int
	// CountChunks counts those of documents that are searchable, and of them those without a
	// vector.
	CountChunks() (all, unembedded int)
	// ChangeNumber is another number whenever something has changed.
	ChangeNumber() uint64

	// HasSearchable reports whether a searchable document is admitted by a filter.
	HasSearchable(only Filter) bool
	// Admitted lists the documents that a filter admits, in no order, and among them
	// files that are not indexed.
	Admitted(only Filter) []*Document
	// Tags counts the documents that a filter admits by their tags, in no order. One
	// with a tag that is nested in another counts for both.
	Tags(only Filter) []Count
	// Keys counts the documents by the keys of their front matter, in no order.
	Keys() []Count
	// Values counts the documents by the values of a key, in no order.
	Values(key string) []Count

	// WithName lists the documents that a link of that name may mean, in the order of
	// their places: those with the name, or else those with it for an alias.
	WithName(name string) []*Document
	// LinkingTo lists the documents that link to one, in the order of their places; none
	// where more than so many have links to its name, 0 for any number.
	LinkingTo(to *Document, most int) []*Document
	// LinksOf lists where the links of some documents lead, of each in their order.
	LinksOf(from []*Document) [][]Link
}

// Link is a link of a document: the name that it has for another, or the path from the top
// of the folder after a slash, and that document, nil where there is none.
type Link struct {
	Name string
	To   *Document
}

// Count is how many there are of something.
type Count struct {
	Name   string
	Number int
}

// Day is the date that a document is of: that in its front matter, or the day
// that its name gives, or else that of its file.
func (d *Document) Day() meta.Date {
	if day := d.Meta.Date; day != 0 {
		return day
	}
	if day := meta.DateOfName(d.Path); day != 0 {
		return day
	}
	return meta.DateOf(d.Modified())
}
