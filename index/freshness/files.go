package freshness

import (
	"time"

	"vademecum/index/progress"
	"vademecum/internal/base/message"
)

// fileCounts counts what this process has to read.
type fileCounts struct {
	run        doneOfTotal // of the run under way
	background doneOfTotal // read in the background, beside the runs
	running    bool        // a run is under way
}

type doneOfTotal struct{ done, total int }

// reportFileCounts copies the counts of files to the state.
func (t *Tracker) reportFileCounts(s *progress.State) {
	f := &t.files
	s.Done, s.Total = f.run.done+f.background.done, f.run.total+f.background.total
	s.Background = !f.running && f.background.total > 0
	switch {
	case s.Total > 0:
		s.Phase = progress.Indexing
	case !f.running:
		s.Phase = progress.Ready
	}
}

// StartRun opens a run, the first with the phase Scanning.
func (t *Tracker) StartRun() {
	t.update(func(s *progress.State) {
		t.files.running = true
		t.reportFileCounts(s)
		if s.Synced.IsZero() {
			s.Phase = progress.Scanning
		}
	})
}

// EndRun closes a run. complete says that every folder was scanned as a whole.
func (t *Tracker) EndRun(err error, complete bool) {
	t.update(func(s *progress.State) {
		t.files.running, t.files.run, s.Failure = false, doneOfTotal{}, ""
		t.reportFileCounts(s)
		if err != nil {
			s.Failure = message.OfError(err)
		} else if complete {
			s.Synced = time.Now()
		}
	})
	t.SignalChange()
}

// RestartFolder starts over after the catalogue of a folder was lost.
func (t *Tracker) RestartFolder(folder int) {
	t.update(func(s *progress.State) {
		s.Phase, s.Synced = progress.Scanning, time.Time{}
		if f := &t.folders[folder]; f.indexer != nil {
			f.indexer = &progress.State{Phase: progress.Scanning}
		}
	})
}

// ExpectFiles counts n files more in the run under way.
func (t *Tracker) ExpectFiles(n int) {
	if n == 0 {
		return
	}
	t.update(func(s *progress.State) {
		t.files.run.total += n
		t.reportFileCounts(s)
	})
}

// AdvanceFiles counts n files as done.
func (t *Tracker) AdvanceFiles(n int) {
	if n == 0 {
		return
	}
	t.update(func(s *progress.State) {
		t.files.run.done += n
		t.reportFileCounts(s)
	})
	t.SignalChange()
}

// MoveToBackground moves files of the run under way to the background. fresh is the number of
// them that were not there before.
func (t *Tracker) MoveToBackground(files, fresh int) {
	if files == 0 {
		return
	}
	t.update(func(s *progress.State) {
		t.files.run.total -= files
		t.files.background.total += fresh
		t.reportFileCounts(s)
	})
}

// AdvanceBackground counts one file in the background as done.
func (t *Tracker) AdvanceBackground() {
	t.update(func(s *progress.State) {
		background := &t.files.background
		if background.done++; background.done == background.total {
			*background = doneOfTotal{}
		}
		t.reportFileCounts(s)
	})
	t.SignalChange()
}

// SetRemovals records how many documents of total have been removed; a total of 0 means that none
// are being removed.
func (t *Tracker) SetRemovals(done, total int) {
	t.update(func(s *progress.State) { s.RemoveDone, s.RemoveTotal = done, total })
}

// SetPagesToRecognise records how far the recognition of scanned pages is in the folders that
// this process indexes.
func (t *Tracker) SetPagesToRecognise(scans progress.PagesToRecognise) {
	t.update(func(s *progress.State) { s.PagesToRecognise = scans })
}

// BeginEmbedding records that the embedding of n passages begins, or that n are left of a pass
// that has begun.
func (t *Tracker) BeginEmbedding(n int) {
	t.update(func(s *progress.State) {
		if s.EmbedTotal == 0 {
			s.EmbedSince = time.Now()
		}
		s.EmbedTotal = s.EmbedDone + n
	})
}

// AdvanceEmbedding counts n passages as embedded.
func (t *Tracker) AdvanceEmbedding(n int) {
	t.update(func(s *progress.State) {
		s.EmbedDone, s.EmbedFailure = s.EmbedDone+n, ""
		s.EmbedEach = time.Since(s.EmbedSince) / time.Duration(s.EmbedDone)
	})
}

// EndEmbedding records how a pass of the embedding model ended.
func (t *Tracker) EndEmbedding(err error) {
	t.update(func(s *progress.State) {
		s.EmbedSince, s.EmbedDone, s.EmbedTotal, s.EmbedFailure = time.Time{}, 0, 0, ""
		if err != nil {
			s.EmbedFailure = message.OfError(err)
		}
	})
}

// SetVectorIndexing records how many vectors of total are indexed; a total of 0 means that no
// vectors are being indexed.
func (t *Tracker) SetVectorIndexing(done, total int) {
	t.update(func(s *progress.State) { s.VectorsDone, s.VectorsTotal = done, total })
}
