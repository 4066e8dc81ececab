package embed

import (
	"fmt"
	"sync"
)

// length is the number of dimensions that the answers of a service have.
type length struct {
	mu    sync.Mutex
	want  int // as asked for, or as in the first answers; 0 before them
	seen  int // answers with it
	other int // of the last answer with another one
}

// isRight tells whether n is the length that all answers have. As long as only
// one answer had it, two that agree overrule that one.
func (l *length) isRight(n int, asked bool) (want int, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.want == 0 || !asked && l.seen == 1 && n == l.other {
		l.want, l.seen, l.other = n, 0, 0
	}
	if n != l.want {
		l.other = n
		return l.want, false
	}
	l.seen++
	return n, true
}

// checkLength holds every answer to the number of dimensions that was asked
// for, or else to that of the answers before.
func (r *remote) checkLength(n int) error {
	want, ok := r.length.isRight(n, r.dimensions != 0)
	if ok {
		return nil
	}
	f := &failure{transient: r.dimensions == 0, general: r.dimensions != 0}
	what := fmt.Sprintf("vectors had %d dimensions before and have %d now", want, n)
	if r.dimensions != 0 {
		what = fmt.Sprintf("asked for %d dimensions, got %d: the model may not let them be chosen", want, n)
	}
	f.message = fmt.Sprintf("answer of %s: %s", r.base.Host, what)
	return f
}
