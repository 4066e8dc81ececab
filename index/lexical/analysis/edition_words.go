package analysis

import (
	"strings"
	"sync"
)

// editionWords ask for the newest of several editions. They are not reported as unknown if no text has
// them, because the newest text hardly calls itself that.
var editionWords = sync.OnceValue(func() map[string]bool {
	m := make(map[string]bool)
	for _, word := range strings.Fields("latest newest current currently recent up-to-date uptodate aktuell aktuelle aktueller aktuelles aktuellen aktuellste neueste neuester neuestes neuesten derzeit derzeitige") {
		m[word] = true
	}
	return m
})

// unspacedEditionWords are the editionWords in scripts without spaces.
var unspacedEditionWords = strings.Fields("最新 现行 現行 当前 當前 目前")

// markEditionWords marks the bytes of a text in words that ask for an edition.
func markEditionWords(text string, marked []bool) {
	for r := range runsOf(text) {
		word := text[r.start:r.end]
		if !r.unspaced {
			if editionWords()[strings.ToLower(word)] {
				markAll(marked[r.start:r.end])
			}
			continue
		}
		for _, edition := range unspacedEditionWords {
			if at := strings.Index(word, edition); at >= 0 {
				markAll(marked[r.start+at : r.start+at+len(edition)])
			}
		}
	}
}
