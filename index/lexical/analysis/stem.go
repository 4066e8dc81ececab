package analysis

import (
	"strings"
	"sync"

	"github.com/kljensen/snowball/english"
)

// stems remembers stems: a few thousand words make up most of any text.
var stems = stemCache{known: make(map[string]string)}

type stemCache struct {
	mu    sync.RWMutex
	known map[string]string
}

// mostStems is how many words are remembered.
const mostStems = 1 << 16

// stem takes the endings off an English word, by Porter's second algorithm
// (https://snowballstem.org/algorithms/english/stemmer.html). Words with
// digits or letters of other languages stay as they are.
func stem(w string) string {
	for i := range len(w) {
		if w[i] < 'a' || w[i] > 'z' {
			return w
		}
	}
	stems.mu.RLock()
	s, ok := stems.known[w]
	stems.mu.RUnlock()
	if ok {
		return s
	}
	s = english.Stem(w, false)
	stems.mu.Lock()
	defer stems.mu.Unlock()
	if len(stems.known) >= mostStems {
		clear(stems.known)
	}
	stems.known[strings.Clone(w)] = s
	return s
}
