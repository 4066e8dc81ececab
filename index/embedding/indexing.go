package embedding

import (
	"context"
	"errors"
	"sync"
	"time"

	"vademecum/index/catalog"
	"vademecum/index/progress"
)

// A database finds the nearest of many vectors by an index. Adding a vector to it takes some
// milliseconds; building the index of all existing vectors takes a fraction of this for each: so
// it is built at the end of a pass. A model that gives few vectors a second is not slowed down by
// it, and as its passes take hours, the index is built meanwhile.

// slowModel is the most vectors a second of a model for which an index is built before the end,
// and settled the number of vectors after which its pace is known.
const (
	slowModel = 50
	settled   = 1000
)

// indexingState is locked while vectors are indexed.
type indexingState struct {
	sync.Mutex // guards the following fields
	again      retries
	told       bool // it was logged that vectors have no index
}

// retries holds when the vectors of folders may be indexed again after a failure, which may have
// cost a database an hour and much disk space.
type retries map[int]time.Time

// indexAgain is how long after a failure vectors are indexed again.
const indexAgain = time.Hour

func (r retries) isDue(folder int, now time.Time) bool { return !now.Before(r[folder]) }

func (r retries) recordResult(folder int, now time.Time, err error) {
	if delete(r, folder); err != nil {
		r[folder] = now.Add(indexAgain)
	}
}

// indexDuringPass indexes the vectors of a folder while a slow model is still computing more.
// Indexing under way continues.
func (s *Service) indexDuringPass(ctx context.Context, folder int) {
	if !isSlow(s.Progress.OwnState()) || !s.indexing.TryLock() {
		return
	}
	defer s.indexing.Unlock()
	s.indexVectors(ctx, folder, func(int, int) {})
}

func isSlow(now progress.State) bool {
	pace, _ := now.EmbedPace()
	return now.EmbedDone >= settled && pace <= slowModel
}

// indexAll records in the catalogues of the folders that this process embeds what has vectors,
// and indexes them, unless that is under way. A failure is made up for later; until then starts
// and answers take longer.
func (s *Service) indexAll(ctx context.Context) {
	if !s.indexing.TryLock() {
		return
	}
	defer s.indexing.Unlock()
	for i := range s.Folders {
		if !s.Peers.IsEmbedder(i) {
			continue
		}
		if err := s.Guard("note what is embedded", func() error { return s.Store.MarkEmbedded(ctx, i) }); err != nil {
			s.Log.Debug("could not note which passages have vectors", "error", err)
		}
		s.indexVectors(ctx, i, s.Progress.SetVectorIndexing)
		s.Progress.SetVectorIndexing(0, 0)
	}
}

// indexVectors indexes the vectors of a folder, unless that failed a short time ago. The caller
// holds s.indexing.
func (s *Service) indexVectors(ctx context.Context, folder int, tell func(done, total int)) {
	if !s.indexing.again.isDue(folder, time.Now()) {
		return
	}
	err := s.Guard("index vectors", func() error { return s.Store.IndexVectors(ctx, folder, tell) })
	s.indexing.again.recordResult(folder, time.Now(), err)
	switch {
	case err == nil, ctx.Err() != nil:
	case !errors.Is(err, catalog.ErrUnindexed):
		s.Log.Warn("could not index the vectors, a question is compared with all of them", "error", err)
	case !s.indexing.told: // log it once
		s.indexing.told = true
		s.Log.Warn(err.Error())
	}
}
