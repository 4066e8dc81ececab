package guard

import (
	"sync"
	"time"
)

// Guesses bounds how often all together try what turns out wrong, so that many addresses
// are no way around the bounds of each. Whoever has not been wrong lately is not
// concerned.
type Guesses struct {
	all int // in a minute

	mu    sync.Mutex
	wrong map[string]bool // who was in this minute
	sum   int
	since time.Time
}

// NewGuesses allows so many in a minute.
func NewGuesses(all int) *Guesses { return &Guesses{all: all, wrong: make(map[string]bool)} }

// Add counts one that was wrong.
func (g *Guesses) Add(who string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.begin()
	g.sum++
	if len(g.wrong) < mostAskers {
		g.wrong[who] = true
	}
}

// Allow tells whether somebody may try.
func (g *Guesses) Allow(who string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.begin()
	return g.sum < g.all || !g.wrong[who]
}

// begin begins the next minute when the one before is over. It is called with g.mu held.
func (g *Guesses) begin() {
	if now := time.Now(); now.Sub(g.since) >= time.Minute {
		g.since, g.sum = now, 0
		clear(g.wrong)
	}
}
