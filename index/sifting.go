package index

import (
	"iter"
	"slices"
	"sync"

	"vademecum/index/lexical"
	"vademecum/index/ranking"
	"vademecum/index/search"
)

// sifting remembers what is told by the paths of all documents, until they change.
type sifting struct {
	mu      sync.Mutex
	of      uint64 // state of the store
	folders *ranking.Folders
}

// sift puts what was found in the order in which it is to be read. Words in quotation
// marks are meant as they stand, in whatever language and kind of passage.
func (ix *Index) sift(q Query, found []search.Candidate) ranking.Sifted {
	if len(lexical.Quoted(q.Text)) > 0 {
		return ranking.Sifted{Candidates: found}
	}
	question := ranking.NewQuestion(q.Text)
	question.Traditional = lexical.IsTraditional(q.Text)
	return ranking.Candidates(question, found, ix.sifting.at(ix))
}

func (s *sifting) at(ix *Index) *ranking.Folders {
	s.mu.Lock()
	defer s.mu.Unlock()
	if now := ix.store.Written(); s.folders == nil || s.of != now {
		s.of, s.folders = now, ranking.NewFolders(ix.locations)
	}
	return s.folders
}

// locations yields where all documents are.
func (ix *Index) locations() iter.Seq[search.Location] {
	all := ix.store.All()
	return func(yield func(search.Location) bool) {
		for _, d := range all {
			if d.Skip == "" && !yield(d.At()) {
				return
			}
		}
	}
}

// versions lists the documents that one stands for, as they are shown: the first of
// them, and how many more there are.
func (ix *Index) versions(of []*search.Document) (paths []string, more int) {
	for _, d := range of[:min(len(of), namedCopies)] {
		paths = append(paths, ix.folders.Show(d.At()))
	}
	return slices.Clip(paths), max(0, len(of)-namedCopies)
}
