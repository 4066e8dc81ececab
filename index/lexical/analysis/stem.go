package analysis

import (
	"strings"
	"sync"

	"github.com/blevesearch/snowballstem"
)

// wordCache caches values for words: a few thousand words make up most of any text.
type wordCache[V any] struct {
	mu    sync.RWMutex
	known map[string]V
	most  int // maximum number of entries
}

func newWordCache[V any](most int) *wordCache[V] {
	return &wordCache[V]{known: make(map[string]V), most: most}
}

func (c *wordCache[V]) getOrMake(word string, make func(word string) V) V {
	c.mu.RLock()
	v, ok := c.known[word]
	c.mu.RUnlock()
	if ok {
		return v
	}
	word = strings.Clone(word) // the word may be part of a large text
	v = make(word)
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.known) >= c.most {
		clear(c.known)
	}
	c.known[word] = v
	return v
}

// stemAndFold returns the stem of a lower-case word in the language, folded.
func (l *language) stemAndFold(word string) string {
	env := snowballstem.NewEnv(word)
	l.stem(env)
	return foldWord(env.Current())
}

var englishStems = newWordCache[string](1 << 16)

// stemEnglishWord returns the stem of an English word. It returns words with digits or letters of
// other languages unchanged.
func stemEnglishWord(w string) string {
	for i := range len(w) {
		if w[i] < 'a' || w[i] > 'z' {
			return w
		}
	}
	return englishStems.getOrMake(w, languages[0].stemAndFold)
}
