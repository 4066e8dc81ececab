package lexical

import (
	"slices"
	"sync/atomic"
)

// paged is a copy-on-write array in pages: it grows without being moved, and shares unchanged
// pages with its snapshots.
type paged[T any] struct {
	pages  []page[T]
	count  int
	copies uint32 // number of snapshots; readers may make one at once
}

type page[T any] struct {
	values []T    // nil as long as none has changed
	after  uint32 // number of snapshots before it was made: later ones may share it
}

const pageValues = 1 << 10

// snapshot returns an immutable copy.
func (p *paged[T]) snapshot() paged[T] {
	atomic.AddUint32(&p.copies, 1)
	return paged[T]{pages: slices.Clone(p.pages), count: p.count}
}

// at returns a value, zero if it was never set.
func (p *paged[T]) at(n int) (value T) {
	if values := p.pages[n/pageValues].values; values != nil {
		return values[n%pageValues]
	}
	return value
}

// change returns a pointer to a value for writing, and copies its page first if a snapshot shares
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

// grow makes room for values up to a count.
func (p *paged[T]) grow(count int) {
	for len(p.pages)*pageValues < count {
		p.pages = append(p.pages, page[T]{})
	}
	p.count = max(p.count, count)
}
