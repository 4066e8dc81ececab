package embedding

import (
	"context"
	"errors"
	"sync"
	"time"

	"vademecum/index/catalog"
	"vademecum/index/progress"
)

// A database finds the nearest of many vectors by an index. To add a vector to that
// takes it some milliseconds, and to make the index of those that are there a fraction
// of this for each: so it is made when a pass has come to its end. A model that gives
// few vectors a second is not held up by it, and those whom it keeps waiting for hours
// are to have the index meanwhile.

// slowModel is how many vectors a second a model gives at most for which an index is made
// before the end, and settled after how many of them its pace shows.
const (
	slowModel = 50
	settled   = 1000
)

// indexingState is held by the process that has vectors indexed.
type indexingState struct {
	sync.Mutex // guards what follows
	again      retries
	told       bool // that vectors have no index
}

// retries is when the vectors of folders may be indexed again after a failure, which
// may have taken a database an hour and much of its disk.
type retries map[int]time.Time

// indexAgain is how long after a failure vectors are indexed again.
const indexAgain = time.Hour

func (r retries) isDue(folder int, now time.Time) bool { return !now.Before(r[folder]) }

func (r retries) recordResult(folder int, now time.Time, err error) {
	if delete(r, folder); err != nil {
		r[folder] = now.Add(indexAgain)
	}
}

// indexDuringPass has the vectors of a folder indexed while a slow model is to give more.
// What is under way goes on.
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

// indexAll has the catalogues of the folders that this process embeds note what has
// vectors, and index them, unless that is under way. What fails here is made good later,
// and until then it takes longer to start and to answer.
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

// indexVectors has the vectors of a folder indexed, unless that failed a short time ago.
// The caller holds s.indexing.
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
	case !s.indexing.told: // once is enough
		s.indexing.told = true
		s.Log.Warn(err.Error())
	}
}
