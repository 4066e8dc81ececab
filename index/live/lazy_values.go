package live

import (
	"path"
	"sync"

	"vademecum/index/facet"
	"vademecum/index/search"
)

// lazyFacets indexes a part of the metadata of documents. It is built on first use, because
// building it for 100,000 documents takes 40 ms, a tenth of the time to load them, and many
// sessions do not need it.
type lazyFacets struct {
	entryOf func(*search.Document) (e facet.DocumentMetadata, ok bool) // ok: there is such metadata

	once sync.Once
	all  *facet.Index // nil until built
}

// facetsOf returns the index. It may be called with the lock held for reading; the other methods
// require the lock for writing.
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
		g.all.Put(facet.DocumentNumber(d.NumberInStore), e)
	}
}

func (g *lazyFacets) delete(d *search.Document) {
	if g.all == nil {
		return
	}
	if e, ok := g.entryOf(d); ok {
		g.all.Delete(facet.DocumentNumber(d.NumberInStore), e)
	}
}

// setDay updates the date of a document.
func (g *lazyFacets) setDay(d *search.Document) {
	if g.all != nil {
		g.all.SetDate(facet.DocumentNumber(d.NumberInStore), d.EffectiveDate())
	}
}

// factsOf returns the tags, front matter values, date and names of a document.
func factsOf(d *search.Document) (facet.DocumentMetadata, bool) {
	return facet.DocumentMetadata{Data: *d.Meta, Date: d.EffectiveDate(), OwnLinkNames: namesOf(d)}, true
}

// linksOf returns the names that a document links to; ok is false if there are none. Links have an
// index of their own, because each response needs them and most documents have none.
func linksOf(d *search.Document) (e facet.DocumentMetadata, ok bool) {
	for _, link := range d.Meta.LinkTargets {
		e.LinkedNames = append(e.LinkedNames, path.Base(link))
	}
	return e, len(e.LinkedNames) > 0
}
