package guard

import (
	"errors"
	"sync"
)

// Quota limits how many resources each holder has at the same time, and how many all holders
// together.
type Quota struct {
	all, each int

	mu   sync.Mutex
	held map[string]int
	sum  int
}

// NewQuota returns a Quota. Both limits must be positive.
func NewQuota(maxTotal, maxPerHolder int) *Quota {
	return &Quota{all: maxTotal, each: maxPerHolder, held: make(map[string]int)}
}

// Errors of Acquire.
var (
	ErrHolderQuotaExceeded = errors.New("the share of one is taken")
	errTotalQuotaExceeded  = errors.New("all is taken")
)

// Acquire takes one resource for a holder, who must call release once to return it. The error is
// ErrHolderQuotaExceeded or errTotalQuotaExceeded.
func (q *Quota) Acquire(holder string) (release func(), err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case q.held[holder] >= q.each:
		return nil, ErrHolderQuotaExceeded
	case q.sum >= q.all:
		return nil, errTotalQuotaExceeded
	}
	q.sum++
	q.held[holder]++
	return func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		q.sum--
		if q.held[holder]--; q.held[holder] == 0 {
			delete(q.held, holder)
		}
	}, nil
}

// InUse returns the number of resources that holders have.
func (q *Quota) InUse() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.sum
}
