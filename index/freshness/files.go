package freshness

import (
	"time"

	"vademecum/index/progress"
	"vademecum/internal/message"
)

// files counts what this process has to read.
type files struct {
	run     tally // of the run under way
	apart   tally // read beside the runs, since there were none
	running bool  // a run is under way
}

type tally struct{ done, total int }

// count has the state say what the files come to.
func (t *Tracker) count(s *progress.State) {
	f := &t.files
	s.Done, s.Total = f.run.done+f.apart.done, f.run.total+f.apart.total
	s.Apart = !f.running && f.apart.total > 0
	switch {
	case s.Total > 0:
		s.Phase = progress.Indexing
	case !f.running:
		s.Phase = progress.Ready
	}
}

// Start opens a run, the first with the phase Scanning.
func (t *Tracker) Start() {
	t.update(func(s *progress.State) {
		t.files.running = true
		t.count(s)
		if s.Synced.IsZero() {
			s.Phase = progress.Scanning
		}
	})
}

// End closes a run. complete says that every folder was scanned as a whole.
func (t *Tracker) End(err error, complete bool) {
	t.update(func(s *progress.State) {
		t.files.running, t.files.run, s.Failure = false, tally{}, ""
		t.count(s)
		if err != nil {
			s.Failure = message.Of(err)
		} else if complete {
			s.Synced = time.Now()
		}
	})
	t.Signal()
}

// Restart begins anew: the catalogue of a folder was lost.
func (t *Tracker) Restart(folder int) {
	t.update(func(s *progress.State) {
		s.Phase, s.Synced = progress.Scanning, time.Time{}
		if f := &t.folders[folder]; f.indexer != nil {
			f.indexer = &progress.State{Phase: progress.Scanning}
		}
	})
}

// Expect counts n files more in the run under way.
func (t *Tracker) Expect(n int) {
	if n == 0 {
		return
	}
	t.update(func(s *progress.State) {
		t.files.run.total += n
		t.count(s)
	})
}

// Advance counts n of them as done.
func (t *Tracker) Advance(n int) {
	if n == 0 {
		return
	}
	t.update(func(s *progress.State) {
		t.files.run.done += n
		t.count(s)
	})
	t.Signal()
}

// HandApart counts files of the run under way as files that are read beside it. Only
// those are fresh that are not so already.
func (t *Tracker) HandApart(files, fresh int) {
	if files == 0 {
		return
	}
	t.update(func(s *progress.State) {
		t.files.run.total -= files
		t.files.apart.total += fresh
		t.count(s)
	})
}

// AdvanceApart counts one of them as done.
func (t *Tracker) AdvanceApart() {
	t.update(func(s *progress.State) {
		apart := &t.files.apart
		if apart.done++; apart.done == apart.total {
			*apart = tally{}
		}
		t.count(s)
	})
	t.Signal()
}

// Remove notes how many documents are removed of those that are to be; of none when that
// has come to its end.
func (t *Tracker) Remove(done, total int) {
	t.update(func(s *progress.State) { s.RemoveDone, s.RemoveTotal = done, total })
}

// Recognise notes how far the recognition of scanned pages is.
func (t *Tracker) Recognise(scans progress.Scans) {
	t.update(func(s *progress.State) { s.Scans = scans })
}

// Embed notes that a pass of the embedding model over n passages begins.
func (t *Tracker) Embed(n int) {
	t.update(func(s *progress.State) { s.EmbedSince, s.EmbedDone, s.EmbedTotal = time.Now(), 0, n })
}

// AdvanceEmbedding counts n of them as done: the model answers.
func (t *Tracker) AdvanceEmbedding(n int) {
	t.update(func(s *progress.State) { s.EmbedDone, s.EmbedFailure = s.EmbedDone+n, "" })
}

// Embedded notes how a pass of the embedding model ended.
func (t *Tracker) Embedded(err error) {
	t.update(func(s *progress.State) {
		s.EmbedSince, s.EmbedDone, s.EmbedTotal, s.EmbedFailure = time.Time{}, 0, 0, ""
		if err != nil {
			s.EmbedFailure = message.Of(err)
		}
	})
}

// IndexVectors notes how many vectors are indexed of those that are to be; of none when
// that has come to its end.
func (t *Tracker) IndexVectors(done, total int) {
	t.update(func(s *progress.State) { s.VectorsDone, s.VectorsTotal = done, total })
}
