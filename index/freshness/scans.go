package freshness

import "time"

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
	noted        time.Time     // end of the last scan; zero if there was none
	complete     time.Time     // start of the last scan that compared all folders; zero if there was none
}

// RecordScanDuration records the duration of a scan.
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

// RecordFullScan records that a scan that began at the given time compared all folders that this
// process indexes.
func (t *Tracker) RecordFullScan(began time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.scans.complete = began
}

// IsScannedSince reports whether a full scan began after the given time.
func (t *Tracker) IsScannedSince(asked time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.scans.complete.After(asked)
}

// typicalDuration returns the shorter duration of the last two scans, because anything may delay a
// single one.
func (s *scanTimes) typicalDuration() time.Duration { return min(s.last, s.before) }

// isQuick reports whether a query may wait for a scan: scans are quick, or the last one was long
// enough ago to try another.
func (s *scanTimes) isQuick() bool {
	return s.typicalDuration() <= quickScan || time.Since(s.noted) > s.pauseAfterScan(0)
}

// pauseAfterScan returns how long to wait after a scan: a time proportional to its duration, at
// least least and at most RescanInterval.
func (s *scanTimes) pauseAfterScan(least time.Duration) time.Duration {
	return max(least, min(RescanInterval, slowShare*s.typicalDuration()))
}

// ScanDelay returns how long to wait after a scan: a time proportional to its duration, at least
// least.
func (t *Tracker) ScanDelay(least time.Duration) time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.scans.pauseAfterScan(least)
}

// RescanDelay returns how long after a scan the folders are scanned again without events.
func (t *Tracker) RescanDelay() time.Duration {
	if t.CombinedState().Unwatched == "" {
		return RescanInterval
	}
	return t.ScanDelay(unwatchedSweep)
}

// questionFindings holds what queries found about whether files saved before them were indexed. The
// finding of a later query also holds for earlier ones, but not vice versa.
type questionFindings struct {
	// The start of the latest query that found everything indexed, and of the latest that could not
	// confirm that in time.
	confirmedAt, unconfirmedAt time.Time
}

// recordQuestion records the finding of a query that started at the given time.
func (q *questionFindings) recordQuestion(asked time.Time, unconfirmed bool) {
	last := &q.confirmedAt
	if unconfirmed {
		last = &q.unconfirmedAt
	}
	if asked.After(*last) {
		*last = asked
	}
}

// hasUnconfirmed reports whether a saved file may not be searchable yet.
func (q *questionFindings) hasUnconfirmed() bool { return q.unconfirmedAt.After(q.confirmedAt) }

// RecordUnconfirmed records that files saved before the given time may not be searchable yet.
func (t *Tracker) RecordUnconfirmed(asked time.Time) { t.recordQuestion(asked, true) }

func (t *Tracker) recordQuestion(asked time.Time, unconfirmed bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.questions.recordQuestion(asked, unconfirmed)
}
