package live

import (
	"path"
	"sync"

	"vademecum/index/facet"
	"vademecum/index/search"
)

// lazyFacets indexes one part of the documents' metadata. It is built on first use: doing it for
// 100,000 documents takes 40 ms, a tenth of the time in which these are loaded, and many sessions
// do without.
type lazyFacets struct {
	entryOf func(*search.Document) (e facet.Facts, ok bool) // not ok if there is no such metadata

	once sync.Once
	all  *facet.Index // nil before that
}

// facetsOf returns the index. It may be called under a lock for reading; the other methods need
// one for writing.
func (g *lazyFacets) facetsOf(documents []*search.Document) *facet.Index {
	g.once.Do(func() {
		all := facet.New()
		for n, d := range documents {
			if d == nil {
				continue
			}
			if e, ok := g.entryOf(d); ok {
				all.Put(facet.DocumentNumber(n), e)
			}
		}
		g.all = all
	})
	return g.all
}

func (g *lazyFacets) put(d *search.Document) {
	if g.all == nil {
		return
	}
	if e, ok := g.entryOf(d); ok {
		g.all.Put(facet.DocumentNumber(d.Number), e)
	}
}

func (g *lazyFacets) delete(d *search.Document) {
	if g.all == nil {
		return
	}
	if e, ok := g.entryOf(d); ok {
		g.all.Delete(facet.DocumentNumber(d.Number), e)
	}
}

// setDay records the new day of a document.
func (g *lazyFacets) setDay(d *search.Document) {
	if g.all != nil {
		g.all.SetDay(facet.DocumentNumber(d.Number), d.Day())
	}
}

// factsOf returns the tags, values, date and names of a document.
func factsOf(d *search.Document) (facet.Facts, bool) {
	return facet.Facts{Data: *d.Meta, Day: d.Day(), Names: namesOf(d)}, true
}

// linksOf returns the names that a document links to. Each answer needs them, and most documents
// have none.
func linksOf(d *search.Document) (e facet.Facts, ok bool) {
	for _, link := range d.Meta.Links {
		e.Links = append(e.Links, path.Base(link))
	}
	return e, len(e.Links) > 0
}
