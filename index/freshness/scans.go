package freshness

import "time"

const (
	// SweepEvery is how often the folders are scanned although nothing was heard
	// of them: events get lost on network drives and in sleep.
	SweepEvery = time.Minute
	// unwatchedSweep is how often those that are not watched as a whole are
	// scanned, unless that takes long.
	unwatchedSweep = 5 * time.Second
	// quickScan is how long the last scan may have taken for a question to wait for
	// another: some thousand files on a local disk, few on a slow drive.
	quickScan = 50 * time.Millisecond
	// slowShare is how many times as long as scans take questions do without one.
	slowShare = 20
)

// scanTimes is when the folders were scanned, and how long that took.
type scanTimes struct {
	last, before time.Duration // of the last two
	noted        time.Time     // when the last one was; zero: there was none
	complete     time.Time     // when the last began that all of the folders were compared by; zero: none was
}

// RecordScanDuration notes how long a scan took.
func (t *Tracker) RecordScanDuration(d time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := &t.scans
	s.before = s.last
	if s.noted.IsZero() {
		s.before = d
	}
	s.last, s.noted = d, time.Now()
}

// RecordFullScan notes that all folders that this process indexes were compared with what is
// held of them, beginning at a time.
func (t *Tracker) RecordFullScan(began time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.scans.complete = began
}

// IsScannedSince reports whether that was noted of a scan that began after a time.
func (t *Tracker) IsScannedSince(asked time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.scans.complete.After(asked)
}

// typicalDuration is the shorter of the last two: anything may hold one up.
func (s *scanTimes) typicalDuration() time.Duration { return min(s.last, s.before) }

// isQuick reports whether a question may wait for a scan. Where they are slow one is
// tried again after a while.
func (s *scanTimes) isQuick() bool {
	return s.typicalDuration() <= quickScan || time.Since(s.noted) > s.pauseAfterScan(0)
}

// pauseAfterScan is how long to leave the folders alone after a scan: in proportion to what that
// takes, at least as long as least, at most SweepEvery.
func (s *scanTimes) pauseAfterScan(least time.Duration) time.Duration {
	return max(least, min(SweepEvery, slowShare*s.typicalDuration()))
}

// ScanPause is how long to leave the folders alone after a scan: in proportion to what
// that takes, at least as long as least.
func (t *Tracker) ScanPause(least time.Duration) time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.scans.pauseAfterScan(least)
}

// SweepPause is how long after a scan the folders are scanned again although nothing was
// heard of them.
func (t *Tracker) SweepPause() time.Duration {
	if t.CombinedState().Unwatched == "" {
		return SweepEvery
	}
	return t.ScanPause(unwatchedSweep)
}

// questionFindings is what questions have learned of what was saved before them. What one that
// came later has learned holds for those before it, too, and not the other way round.
type questionFindings struct {
	confirmedAt, unconfirmedAt time.Time // when the last came that learned that all can be found, and the last that did not in time
}

// recordQuestion notes what a question has learned that came at a time.
func (q *questionFindings) recordQuestion(asked time.Time, unconfirmed bool) {
	last := &q.confirmedAt
	if unconfirmed {
		last = &q.unconfirmedAt
	}
	if asked.After(*last) {
		*last = asked
	}
}

// hasUnconfirmed reports whether something that was saved may not be found.
func (q *questionFindings) hasUnconfirmed() bool { return q.unconfirmedAt.After(q.confirmedAt) }

// RecordUnconfirmed notes that what was saved before a time may not be found.
func (t *Tracker) RecordUnconfirmed(asked time.Time) { t.recordQuestion(asked, true) }

func (t *Tracker) recordQuestion(asked time.Time, unconfirmed bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.questions.recordQuestion(asked, unconfirmed)
}
