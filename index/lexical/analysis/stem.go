package analysis

import (
	"strings"
	"sync"

	"github.com/blevesearch/snowballstem"
)

// stemCache remembers stems: a few thousand words make up most of any text.
type stemCache struct {
	language *language
	mu       sync.RWMutex
	known    map[string]string
}

// mostStems is how many words are remembered of each language.
const mostStems = 1 << 16

var stemCaches = sync.OnceValue(func() map[string]*stemCache {
	all := make(map[string]*stemCache)
	for i := range languages {
		all[languages[i].code] = &stemCache{language: &languages[i], known: make(map[string]string)}
	}
	return all
})

func (l *language) stems() *stemCache { return stemCaches()[l.code] }

// of takes the endings off a word in small letters, and its accents with them.
func (c *stemCache) of(w string) string {
	c.mu.RLock()
	s, ok := c.known[w]
	c.mu.RUnlock()
	if ok {
		return s
	}
	w = strings.Clone(w) // of a text that may be large
	env := snowballstem.NewEnv(w)
	c.language.stem(env)
	s = fold(env.Current())
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.known) >= mostStems {
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
	return englishStems().of(w)
}

var englishStems = sync.OnceValue(func() *stemCache { return languages[0].stems() })
