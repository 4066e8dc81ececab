package embedding

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"vademecum/index/freshness"
	"vademecum/index/indextest"
	"vademecum/index/lexical"
	"vademecum/index/live"
	"vademecum/index/memindex"
	"vademecum/index/progress"
	"vademecum/index/search"
	"vademecum/index/store/catalog"
)

// TestSlowModel: only of a model that was seen to be slow vectors are indexed before the
// end of a pass.
func TestSlowModel(t *testing.T) {
	for name, c := range map[string]struct {
		done int
		took time.Duration
		want bool
	}{
		"an API":            {1_000_000, time.Hour, false},
		"a model here":      {10_000, time.Hour, true},
		"one that is begun": {settled - 1, time.Hour, false},
	} {
		if got := isSlow(progress.State{EmbedDone: c.done, EmbedTotal: 2_000_000, EmbedSince: time.Now().Add(-c.took)}); got != c.want {
			t.Errorf("%s is slow: %v", name, got)
		}
	}
}

// TestIndexingIsRetried: what fails to be indexed is left alone for a while, other folders are not.
func TestIndexingIsRetried(t *testing.T) {
	a, now := make(retries), time.Now()
	due := func(when string, folder int, at time.Time, want bool) {
		t.Helper()
		if got := a.isDue(folder, at); got != want {
			t.Errorf("%s it is due: %v", when, got)
		}
	}
	due("at first", 0, now, true)
	a.recordResult(0, now, errors.New("the disk is full"))
	due("after a failure", 0, now.Add(indexAgain-time.Second), false)
	due("of another folder", 1, now, true)
	due("after long", 0, now.Add(indexAgain), true)
	a.recordResult(0, now, nil)
	due("after it was made", 0, now, true)
}

// unindexable has vectors that cannot be indexed.
type unindexable struct {
	live.ChunkIndex
	asked int
}

func (u *unindexable) IndexVectors(context.Context, int, func(done, total int)) error {
	u.asked++
	return errors.New("the disk is full")
}

// TestFailsMeanwhile: while a slow model gives vectors, what could not be indexed is not
// tried again with each batch.
func TestFailsMeanwhile(t *testing.T) {
	store := memindex.New(1, indextest.NewCountingModel(t))
	u := &unindexable{ChunkIndex: store.ChunkIndex}
	store.ChunkIndex = u
	synctest.Test(t, func(t *testing.T) {
		p := processOf(store, 1)
		p.FreshnessPublisher.Update(func(now *freshness.Snapshot) { now.BeginEmbedding(1_000_000) })
		time.Sleep(time.Hour)
		p.FreshnessPublisher.Update(func(now *freshness.Snapshot) { now.AddEmbeddedPassages(2 * settled) })
		for hour := range 2 {
			for range 10 {
				p.indexDuringPass(t.Context(), 0)
			}
			if u.asked != hour+1 {
				t.Errorf("after %d hours it was tried %d times", hour, u.asked)
			}
			time.Sleep(indexAgain)
		}
	})
}

// TestTogether: texts are read of several documents at once, but not of too many, and of
// one folder.
func TestTogether(t *testing.T) {
	document := func(folder, chunks int) *search.Document {
		return search.NewDocument(&catalog.Record{SlotRange: lexical.SlotRange{Count: uint32(chunks)}}, folder)
	}
	const most, half = 20, 10
	all := []*search.Document{document(0, half), document(0, half), document(0, 1), document(1, 1), document(1, 2*most), document(1, 1), document(1, 1)}
	var sizes []int
	for some := range groupForReading(all, most) {
		sizes = append(sizes, len(some))
	}
	if want := []int{2, 1, 1, 1, 2}; !slices.Equal(sizes, want) {
		t.Errorf("they are divided into %v, want %v", sizes, want)
	}
	for range groupForReading(nil, most) {
		t.Error("there is something of nothing")
	}
}
