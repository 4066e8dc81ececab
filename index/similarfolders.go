package index

import (
	"iter"
	"sync"

	"vademecum/index/ranking"
	"vademecum/index/search"
)

// similarFoldersCache caches which folders contain files of the same names, judged by the paths of
// all documents, until the documents change.
type similarFoldersCache struct {
	mu      sync.Mutex
	at      uint64 // change number of the store
	folders *ranking.SimilarFolders
}

// foldersOf returns a function that returns the similar folders of the documents.
func (s *similarFoldersCache) foldersOf(docs search.Documents) func() *ranking.SimilarFolders {
	return func() *ranking.SimilarFolders {
		s.mu.Lock()
		defer s.mu.Unlock()
		if now := docs.ChangeNumber(); s.folders == nil || s.at != now {
			s.at, s.folders = now, ranking.NewSimilarFolders(func() iter.Seq[search.Location] { return locations(docs) })
		}
		return s.folders
	}
}

// locations yields the locations of all documents.
func locations(docs search.Documents) iter.Seq[search.Location] {
	all := docs.All()
	return func(yield func(search.Location) bool) {
		for _, d := range all {
			if d.SkipReason == "" && !yield(d.Location()) {
				return
			}
		}
	}
}
