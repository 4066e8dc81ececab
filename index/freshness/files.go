package freshness

import (
	"time"

	"vademecum/index/progress"
	"vademecum/internal/base/message"
)

// fileCounts counts the files that this process has to read.
type fileCounts struct {
	run        doneOfTotal // of the current run
	background doneOfTotal // read in the background, outside of runs
	running    bool        // whether a run is in progress
}

type doneOfTotal struct{ done, total int }

// reportFileCounts updates the file counts and the phase of the state.
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

// StartRun records the start of a run. The phase of the first run is Scanning.
func (t *Tracker) StartRun() {
	t.update(func(s *progress.State) {
		t.files.running = true
		t.reportFileCounts(s)
		if s.Synced.IsZero() {
			s.Phase = progress.Scanning
		}
	})
}

// EndRun records the end of a run. complete reports whether every folder was scanned as a whole.
func (t *Tracker) EndRun(err error, complete bool) {
	t.update(func(s *progress.State) {
		t.files.running, t.files.run, s.Failure = false, doneOfTotal{}, ""
		t.reportFileCounts(s)
		if err != nil {
			s.Failure = message.FromError(err)
		} else if complete {
			s.Synced = time.Now()
		}
	})
	t.SignalChange()
}

// RestartFolder resets the progress of a folder after its catalogue was lost.
func (t *Tracker) RestartFolder(folder int) {
	t.update(func(s *progress.State) {
		s.Phase, s.Synced = progress.Scanning, time.Time{}
		if f := &t.folders[folder]; f.indexer != nil {
			f.indexer = &progress.State{Phase: progress.Scanning}
		}
	})
}

// ExpectFiles adds n files to the current run.
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

// MoveToBackground moves files of the current run to the background. fresh is the number of them
// that were not already queued there.
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

// SetRemovals records how many documents of total have been removed; a total of 0 means that no
// documents are being removed.
func (t *Tracker) SetRemovals(done, total int) {
	t.update(func(s *progress.State) { s.RemoveDone, s.RemoveTotal = done, total })
}

// SetPagesToRecognise records the progress of recognising scanned pages in the folders that this
// process indexes.
func (t *Tracker) SetPagesToRecognise(scans progress.PagesToRecognise) {
	t.update(func(s *progress.State) { s.PagesToRecognise = scans })
}

// BeginEmbedding records that the embedding of n passages begins, or that n passages of the current
// pass are left.
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
		s.EmbedTimePerPassage = time.Since(s.EmbedSince) / time.Duration(s.EmbedDone)
	})
}

// EndEmbedding records the result of a pass of the embedding model.
func (t *Tracker) EndEmbedding(err error) {
	t.update(func(s *progress.State) {
		s.EmbedSince, s.EmbedDone, s.EmbedTotal, s.EmbedFailure = time.Time{}, 0, 0, ""
		if err != nil {
			s.EmbedFailure = message.FromError(err)
		}
	})
}

// SetVectorIndexing records how many vectors of total have been indexed; a total of 0 means that no
// vectors are being indexed.
func (t *Tracker) SetVectorIndexing(done, total int) {
	t.update(func(s *progress.State) { s.VectorsDone, s.VectorsTotal = done, total })
}
