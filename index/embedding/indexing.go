package embedding

import (
	"context"
	"errors"
	"sync"
	"time"

	"vademecum/index/freshness"
	"vademecum/index/progress"
	"vademecum/index/store/catalog"
)

// A database uses an index to find the nearest of many vectors. Adding a vector to the index takes
// some milliseconds; building the index for all existing vectors takes a fraction of this per
// vector, so it is normally built at the end of a pass. A slow model, which returns few vectors per
// second, is not held up by the index, and its passes take hours; then the index is built during
// the pass.

// slowModel is the rate, in vectors per second, up to which the index is built during a pass.
// settled is the number of vectors after which the rate is known.
const (
	slowModel = 50
	settled   = 1000
)

// indexingState is locked while vectors are being indexed.
type indexingState struct {
	sync.Mutex // guards the following fields
	again      retries
	told       bool // it was logged that the vectors have no index
}

// retries holds, for folders, when to try again to index the vectors after a failure, which may
// have cost a database an hour and much disk space.
type retries map[int]time.Time

// indexAgain is how long to wait after a failure before vectors are indexed again.
const indexAgain = time.Hour

func (r retries) isDue(folder int, now time.Time) bool { return !now.Before(r[folder]) }

func (r retries) recordResult(folder int, now time.Time, err error) {
	if delete(r, folder); err != nil {
		r[folder] = now.Add(indexAgain)
	}
}

// indexDuringPass indexes the vectors of a folder while a slow model is still computing more. It
// returns at once if vectors are already being indexed.
func (s *Service) indexDuringPass(ctx context.Context, folder int) {
	if !isSlow(s.FreshnessPublisher.Current().OwnState) || !s.indexing.TryLock() {
		return
	}
	defer s.indexing.Unlock()
	s.indexVectors(ctx, folder, func(int, int) {})
}

func isSlow(now progress.State) bool {
	pace, _ := now.EmbedPace()
	return now.EmbedDone >= settled && pace <= slowModel
}

// indexAll records in the catalogues of the folders that this process embeds which chunks have vectors,
// and builds the indexes of the vectors. It returns at once if vectors are already being indexed.
// Failures are retried later; until then, startup and searches take longer.
func (s *Service) indexAll(ctx context.Context) {
	if !s.indexing.TryLock() {
		return
	}
	defer s.indexing.Unlock()
	for i := range s.Folders {
		if !s.Peers.IsEmbedder(i) {
			continue
		}
		if err := s.CatchPanic("note what is embedded", func() error { return s.Store.RecordEmbeddedChunks(ctx, i) }); err != nil {
			s.Log.Debug("could not note which passages have vectors", "error", err)
		}
		report := func(done, total int) {
			s.FreshnessPublisher.Update(func(now *freshness.Snapshot) { now.OwnState.VectorsIndexed, now.OwnState.VectorsToIndex = done, total })
		}
		s.indexVectors(ctx, i, report)
		report(0, 0)
	}
}

// indexVectors builds the index of the vectors of a folder, unless that failed recently. The caller must hold
// s.indexing.
func (s *Service) indexVectors(ctx context.Context, folder int, tell func(done, total int)) {
	if !s.indexing.again.isDue(folder, time.Now()) {
		return
	}
	err := s.CatchPanic("index vectors", func() error { return s.Store.IndexVectors(ctx, folder, tell) })
	s.indexing.again.recordResult(folder, time.Now(), err)
	switch {
	case err == nil, ctx.Err() != nil:
	case !errors.Is(err, catalog.ErrMayNotIndexVectors):
		s.Log.Warn("could not index the vectors, a question is compared with all of them", "error", err)
	case !s.indexing.told: // log it once
		s.indexing.told = true
		s.Log.Warn(err.Error())
	}
}
