package upkeep

import (
	"context"
	"errors"
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

// indexMeanwhile has the vectors of a folder indexed while a slow model is to give more.
// What is under way goes on.
func (k *Keeper) indexMeanwhile(ctx context.Context, folder int) {
	if !isSlow(k.progress.Own()) || !k.indexing.TryLock() {
		return
	}
	defer k.indexing.Unlock()
	k.indexVectors(ctx, folder, func(int, int) {})
}

func isSlow(s progress.State) bool {
	pace, _ := s.EmbedPace()
	return s.EmbedDone >= settled && pace <= slowModel
}

// indexings is when the vectors of folders may be indexed again after a failure, which
// may have taken a database an hour and much of its disk.
type indexings map[int]time.Time

// indexAgain is how long after a failure vectors are indexed again.
const indexAgain = time.Hour

func (a indexings) isDue(folder int, now time.Time) bool { return !now.Before(a[folder]) }

func (a indexings) note(folder int, now time.Time, err error) {
	if delete(a, folder); err != nil {
		a[folder] = now.Add(indexAgain)
	}
}

// settle has the catalogues of the folders that this process embeds note what has vectors,
// and index them, unless that is under way. What fails here is made good later, and until
// then it takes longer to start and to answer.
func (k *Keeper) settle(ctx context.Context) {
	if !k.indexing.TryLock() {
		return
	}
	defer k.indexing.Unlock()
	for i := range k.folders {
		if !k.peers.Embeds(i) {
			continue
		}
		if err := k.guard("note what is embedded", func() error { return k.store.MarkEmbedded(ctx, i) }); err != nil {
			k.log.Debug("could not note which passages have vectors", "error", err)
		}
		k.indexVectors(ctx, i, k.progress.IndexVectors)
		k.progress.IndexVectors(0, 0)
	}
}

// indexVectors has the vectors of a folder indexed, unless that failed a short time ago.
// The caller holds k.indexing.
func (k *Keeper) indexVectors(ctx context.Context, folder int, progress func(done, total int)) {
	if !k.indexings.isDue(folder, time.Now()) {
		return
	}
	err := k.guard("index vectors", func() error { return k.store.IndexVectors(ctx, folder, progress) })
	k.indexings.note(folder, time.Now(), err)
	if err == nil || ctx.Err() != nil {
		return
	}
	if !errors.Is(err, catalog.ErrUnindexed) {
		k.log.Warn("could not index the vectors, a question is compared with all of them", "error", err)
	} else if !k.unindexed.Swap(true) { // once is enough
		k.log.Warn(err.Error())
	}
}
