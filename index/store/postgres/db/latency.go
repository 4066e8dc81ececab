package db

import (
	"slices"
	"sync"
	"time"
)

// statementTimes holds the durations of the last small statements. A single one may wait for
// others, or for a new connection; if all take long, the cause is the network, or an overloaded
// server.
type statementTimes struct {
	mu   sync.Mutex
	last [12]time.Duration // a ring buffer; 0 means unused
	next int
}

// slowFrom is the latency from which a database counts as slow: a query takes about ten statements.
const slowFrom = 100 * time.Millisecond

func (p *statementTimes) note(took time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last[p.next] = max(took, 1)
	p.next = (p.next + 1) % len(p.last)
}

// slowness returns the minimum duration of the last statements; 0 if that is not worth reporting.
func (p *statementTimes) slowness() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	if least := slices.Min(p.last[:]); least >= slowFrom {
		return least
	}
	return 0
}

// RecordLatency records how long a small statement took.
func (d *DB) RecordLatency(took time.Duration) { d.latency.note(took) }

// MinLatency returns the minimum time that the database takes for any statement, however small; 0 if
// that is not worth reporting.
func (d *DB) MinLatency() time.Duration { return d.latency.slowness() }
