package analysis

import (
	"strings"
	"sync"

	"github.com/blevesearch/snowballstem"
)

// stemCache remembers stems: a few thousand words make up most of any text.
type stemCache struct {
	mu    sync.RWMutex
	known map[inflected]string
	most  int // that are remembered
}

// inflected is a word in small letters, of a language.
type inflected struct {
	language *language
	word     string
}

// What is remembered of English, and of all others together.
var (
	englishStems = stemCache{known: make(map[inflected]string), most: 1 << 16}
	otherStems   = stemCache{known: make(map[inflected]string), most: 1 << 14}
)

// of takes the endings off a word, and its accents with them.
func (c *stemCache) of(w inflected) string {
	c.mu.RLock()
	s, ok := c.known[w]
	c.mu.RUnlock()
	if ok {
		return s
	}
	w.word = strings.Clone(w.word) // of a text that may be large
	env := snowballstem.NewEnv(w.word)
	w.language.stem(env)
	s = fold(env.Current())
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.known) >= c.most {
		clear(c.known)
	}
	c.known[w] = s
	return s
}

// stem takes the endings off an English word. Words with digits or letters of other
// languages stay as they are.
func stem(w string) string {
	for i := range len(w) {
		if w[i] < 'a' || w[i] > 'z' {
			return w
		}
	}
	return englishStems.of(inflected{&languages[0], w})
}
