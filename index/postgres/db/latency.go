package db

import (
	"slices"
	"sync"
	"time"
)

// statementTimes is how long the database took for each of the last small statements. One may
// wait for others, or for a new connection; when all take long it is the network, or a
// server that has too much to do.
type statementTimes struct {
	mu   sync.Mutex
	last [12]time.Duration // a ring; 0: unused
	next int
}

// slowFrom is from when on a database is slow: a question takes some ten statements.
const slowFrom = 100 * time.Millisecond

func (p *statementTimes) note(took time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last[p.next] = max(took, 1)
	p.next = (p.next + 1) % len(p.last)
}

// slowness is how long each statement takes at least, 0 where that is not worth reporting.
func (p *statementTimes) slowness() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	if least := slices.Min(p.last[:]); least >= slowFrom {
		return least
	}
	return 0
}

// RecordLatency takes in how long a small statement took.
func (d *DB) RecordLatency(took time.Duration) { d.latency.note(took) }

// Slowness is how long the database takes for each statement at least, however small it
// is; 0 where that is not worth reporting.
func (d *DB) Slowness() time.Duration { return d.latency.slowness() }
