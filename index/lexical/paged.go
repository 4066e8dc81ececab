package lexical

import (
	"slices"
	"sync/atomic"
)

// paged is a copy-on-write array in pages. It grows without moving values, and shares unchanged
// pages with its snapshots.
type paged[T any] struct {
	pages  []page[T]
	count  int
	copies uint32 // number of snapshots; atomic, because readers may take snapshots concurrently
}

type page[T any] struct {
	values []T    // nil until one is set
	after  uint32 // number of snapshots before the page was made; later ones may share it
}

const pageValues = 1 << 10

// snapshot returns an immutable copy.
func (p *paged[T]) snapshot() paged[T] {
	atomic.AddUint32(&p.copies, 1)
	return paged[T]{pages: slices.Clone(p.pages), count: p.count}
}

// at returns a value, or zero if it was never set.
func (p *paged[T]) at(n int) (value T) {
	if values := p.pages[n/pageValues].values; values != nil {
		return values[n%pageValues]
	}
	return value
}

// change returns a pointer to a value for writing. It copies the page first if a snapshot may share
// it.
func (p *paged[T]) change(n int) *T {
	of := &p.pages[n/pageValues]
	switch copies := atomic.LoadUint32(&p.copies); {
	case of.values == nil:
		of.values, of.after = make([]T, pageValues), copies
	case of.after < copies:
		of.values, of.after = slices.Clone(of.values), copies
	}
	return &of.values[n%pageValues]
}

// grow makes room for at least count values.
func (p *paged[T]) grow(count int) {
	for len(p.pages)*pageValues < count {
		p.pages = append(p.pages, page[T]{})
	}
	p.count = max(p.count, count)
}
