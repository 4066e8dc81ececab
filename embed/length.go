package embed

import (
	"sync"

	"vademecum/internal/base/message"
)

// dimensionCheck checks the number of dimensions in the answers of a service.
type dimensionCheck struct {
	mu    sync.Mutex
	want  int // number requested, or that of the first answers; 0 before these
	seen  int // number of answers with want dimensions
	last  int // number of dimensions of the last answer
	again int // number of consecutive answers with last dimensions
}

// checkCount reports whether an answer with n dimensions is as expected, and returns the expected
// number. Unless that number was requested, two equal other answers overrule a single answer, and
// many consecutive ones overrule all others, because a service may have switched to another model.
func (l *dimensionCheck) checkCount(n int, isRequested bool) (want int, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	const many = 6
	if n != l.last {
		l.last, l.again = n, 0
	}
	l.again++
	if l.want == 0 || !isRequested && n != l.want && (l.again >= many || l.again >= 2 && l.seen == 1) {
		l.want, l.seen = n, 0
	}
	if n != l.want {
		return l.want, false
	}
	l.seen++
	return n, true
}

// checkLength returns an error unless an answer has the number of dimensions requested, or else
// that of previous answers.
func (r *remote) checkLength(n int) error {
	want, ok := r.length.checkCount(n, r.dimensions != 0)
	if ok {
		return nil
	}
	f := &requestFailure{transient: r.dimensions == 0, general: r.dimensions != 0}
	what := message.Errorf("vectors had %d dimensions before and have %d now", want, n)
	if r.dimensions != 0 {
		what = message.Errorf("asked for %d dimensions, got %d: the model may not support choosing them", want, n)
	}
	f.message = r.answerMessage(what)
	return f
}
