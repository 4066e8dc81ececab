package guard

import (
	"errors"
	"sync"
)

// Quota limits how many of something each holder has at once, and all holders together.
type Quota struct {
	all, each int

	mu   sync.Mutex
	held map[string]int
	sum  int
}

// NewQuota returns a Quota; all and each must be more than 0.
func NewQuota(all, each int) *Quota {
	return &Quota{all: all, each: each, held: make(map[string]int)}
}

// Errors of Acquire.
var (
	ErrShare = errors.New("the share of one is taken")
	ErrAll   = errors.New("all is taken")
)

// Acquire takes one for a holder, until give is called, which must happen once.
func (q *Quota) Acquire(who string) (give func(), err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case q.held[who] >= q.each:
		return nil, ErrShare
	case q.sum >= q.all:
		return nil, ErrAll
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

// InUse returns how many are taken.
func (q *Quota) InUse() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.sum
}
