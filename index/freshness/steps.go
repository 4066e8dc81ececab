package freshness

import (
	"time"

	"vademecum/index/progress"
	"vademecum/internal/base/message"
)

// fileCounts counts files that this process has to read: those done, and all of them.
type fileCounts struct{ done, total int }

// countFiles updates the file counts and the phase of this process.
func (s *Snapshot) countFiles() {
	own := &s.OwnState
	own.FilesDone, own.FilesTotal = s.run.done+s.background.done, s.run.total+s.background.total
	own.ReadsInBackground = !s.isRunning && s.background.total > 0
	switch {
	case own.FilesTotal > 0:
		own.Phase = progress.Indexing
	case !s.isRunning:
		own.Phase = progress.Ready
	}
}

// StartRun records the start of a run. Until a run has been complete, it begins in the phase Scanning.
func (s *Snapshot) StartRun() {
	s.isRunning = true
	s.countFiles()
	if s.OwnState.Synced.IsZero() {
		s.OwnState.Phase = progress.Scanning
	}
}

// EndRun records the end of a run, and its error. isComplete means that every folder was scanned as a
// whole.
func (s *Snapshot) EndRun(err error, isComplete bool) {
	s.isRunning, s.run, s.OwnState.Failure = false, fileCounts{}, message.FromError(err)
	s.countFiles()
	if err == nil && isComplete {
		s.OwnState.Synced = time.Now()
	}
	s.DocumentChanges++
}

// ExpectFiles adds n files to the current run.
func (s *Snapshot) ExpectFiles(n int) {
	s.run.total += n
	s.countFiles()
}

// AddReadFiles counts n files of the current run as read.
func (s *Snapshot) AddReadFiles(n int) {
	if n == 0 {
		return
	}
	s.run.done += n
	s.countFiles()
	s.DocumentChanges++
}

// MoveToBackground records that a number of files of the current run are read in the background
// instead. newlyQueued is the number of those that were not already queued there.
func (s *Snapshot) MoveToBackground(files, newlyQueued int) {
	s.run.total -= files
	s.background.total += newlyQueued
	s.countFiles()
}

// AddReadBackgroundFile counts one of the files in the background as read.
func (s *Snapshot) AddReadBackgroundFile() {
	if s.background.done++; s.background.done == s.background.total {
		s.background = fileCounts{}
	}
	s.countFiles()
	s.DocumentChanges++
}

// BeginEmbedding records that the embedding of some passages begins or, during a pass, how many passages
// are left.
func (s *Snapshot) BeginEmbedding(passages int) {
	if s.OwnState.EmbedTotal == 0 {
		s.OwnState.EmbedSince = time.Now()
	}
	s.OwnState.EmbedTotal = s.OwnState.EmbedDone + passages
}

// AddEmbeddedPassages counts further passages as embedded.
func (s *Snapshot) AddEmbeddedPassages(passages int) {
	s.OwnState.EmbedDone, s.OwnState.EmbedFailure = s.OwnState.EmbedDone+passages, ""
	s.OwnState.EmbedTimePerPassage = time.Since(s.OwnState.EmbedSince) / time.Duration(s.OwnState.EmbedDone)
}

// EndEmbedding records the end of a pass of the embedding model, and its error.
func (s *Snapshot) EndEmbedding(err error) {
	s.OwnState.EmbedSince, s.OwnState.EmbedDone, s.OwnState.EmbedTotal, s.OwnState.EmbedFailure = time.Time{}, 0, 0, message.FromError(err)
}

const (
	// RescanInterval is the interval at which the folders are scanned even without events, because
	// events get lost on network drives and during sleep.
	RescanInterval = time.Minute
	// unwatchedSweep is the interval at which folders that are not watched as a whole are scanned,
	// unless a scan takes long.
	unwatchedSweep = 5 * time.Second
	// quickScan is the maximum duration of the last scan for a query to wait for another scan:
	// enough for some thousand files on a local disk, few on a slow drive.
	quickScan = 50 * time.Millisecond
	// slowShare is the ratio of the pause after a slow scan to its duration.
	slowShare = 20
)

// scanTimes holds when the folders were scanned, and how long that took.
type scanTimes struct {
	last, before time.Duration // durations of the last two scans
	ended        time.Time     // end of the last scan; zero if there was none
}

// RecordScan records the duration of a scan.
func (s *Snapshot) RecordScan(d time.Duration) {
	before := s.scans.last
	if s.scans.ended.IsZero() {
		before = d
	}
	s.scans = scanTimes{last: d, before: before, ended: time.Now()}
}

// scanDuration returns the shorter duration of the last two scans, because anything may delay a
// single one.
func (s Snapshot) scanDuration() time.Duration { return min(s.scans.last, s.scans.before) }

// AreScansQuick reports whether a query may wait for a scan: scans are quick, or the last one was
// long enough ago to try another.
func (s Snapshot) AreScansQuick() bool {
	return s.scanDuration() <= quickScan || time.Since(s.scans.ended) > s.ScanDelay(0)
}

// ScanDelay returns how long to wait after a scan before the next: a time proportional to the duration
// of recent scans, at least minDelay and at most RescanInterval.
func (s Snapshot) ScanDelay(minDelay time.Duration) time.Duration {
	return max(minDelay, min(RescanInterval, slowShare*s.scanDuration()))
}

// CurrentRescanInterval returns how long after a scan the folders are scanned again if no events are reported.
func (s Snapshot) CurrentRescanInterval() time.Duration {
	if s.State.UnwatchedReason == "" {
		return RescanInterval
	}
	return s.ScanDelay(unwatchedSweep)
}
