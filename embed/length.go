package embed

import (
	"sync"

	"vademecum/internal/base/message"
)

// dimensionCheck is the number of dimensions that the answers of a service have.
type dimensionCheck struct {
	mu    sync.Mutex
	want  int // as asked for, or as in the first answers; 0 before them
	seen  int // answers with it
	last  int // that of the last answer
	again int // answers in a row with that
}

// checkCount reports whether n is the length that all answers have. Two others that
// agree overrule a single answer, and many in a row all: a service may have got
// another model.
func (l *dimensionCheck) checkCount(n int, asked bool) (want int, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	const many = 6
	if n != l.last {
		l.last, l.again = n, 0
	}
	l.again++
	if l.want == 0 || !asked && n != l.want && (l.again >= many || l.again >= 2 && l.seen == 1) {
		l.want, l.seen = n, 0
	}
	if n != l.want {
		return l.want, false
	}
	l.seen++
	return n, true
}

// checkLength holds every answer to the number of dimensions that was asked
// for, or else to that of the answers before.
func (r *remote) checkLength(n int) error {
	want, ok := r.length.checkCount(n, r.dimensions != 0)
	if ok {
		return nil
	}
	f := &requestFailure{transient: r.dimensions == 0, general: r.dimensions != 0}
	what := message.Errorf("vectors had %d dimensions before and have %d now", want, n)
	if r.dimensions != 0 {
		what = message.Errorf("asked for %d dimensions, got %d: the model may not let them be chosen", want, n)
	}
	f.message = r.answerMessage(what)
	return f
}
