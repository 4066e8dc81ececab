package guard

import (
	"errors"
	"sync"
)

// Quota limits how many resources each holder has at once, and all holders together.
type Quota struct {
	all, each int

	mu   sync.Mutex
	held map[string]int
	sum  int
}

// NewQuota returns a Quota; all and each must be positive.
func NewQuota(all, each int) *Quota {
	return &Quota{all: all, each: each, held: make(map[string]int)}
}

// Errors of Acquire.
var (
	ErrHolderQuotaExceeded = errors.New("the share of one is taken")
	ErrTotalQuotaExceeded  = errors.New("all is taken")
)

// Acquire takes one resource for a holder, who must call give once to return it.
func (q *Quota) Acquire(who string) (give func(), err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case q.held[who] >= q.each:
		return nil, ErrHolderQuotaExceeded
	case q.sum >= q.all:
		return nil, ErrTotalQuotaExceeded
	}
	q.sum++
	q.held[who]++
	return func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		q.sum--
		if q.held[who]--; q.held[who] == 0 {
			delete(q.held, who)
		}
	}, nil
}

// InUse returns the number of resources taken.
func (q *Quota) InUse() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.sum
}
