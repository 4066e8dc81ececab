package freshness

import "time"

const (
	// SweepEvery is how often the folders are scanned even without events: events get lost on
	// network drives and during sleep.
	SweepEvery = time.Minute
	// unwatchedSweep is how often folders are scanned that are not watched as a whole, unless a
	// scan takes long.
	unwatchedSweep = 5 * time.Second
	// quickScan is how long the last scan may have taken for a question to wait for another scan:
	// enough for some thousand files on a local disk, few on a slow drive.
	quickScan = 50 * time.Millisecond
	// slowShare is the ratio of the time without a scan to the time of a scan where scans are
	// slow.
	slowShare = 20
)

// scanTimes holds when the folders were scanned, and how long that took.
type scanTimes struct {
	last, before time.Duration // durations of the last two scans
	noted        time.Time     // end of the last scan; zero: there was none
	complete     time.Time     // start of the last scan that compared all folders; zero: there was none
}

// RecordScanDuration records how long a scan took.
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

// RecordFullScan records that a scan that began at a time compared all folders that this process
// indexes.
func (t *Tracker) RecordFullScan(began time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.scans.complete = began
}

// IsScannedSince reports whether a full scan began after a time.
func (t *Tracker) IsScannedSince(asked time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.scans.complete.After(asked)
}

// typicalDuration is the shorter of the last two: anything may delay a single one.
func (s *scanTimes) typicalDuration() time.Duration { return min(s.last, s.before) }

// isQuick reports whether a question may wait for a scan. Where scans are slow, one is tried
// again after a while.
func (s *scanTimes) isQuick() bool {
	return s.typicalDuration() <= quickScan || time.Since(s.noted) > s.pauseAfterScan(0)
}

// pauseAfterScan is how long to wait after a scan: in proportion to its duration, at least least,
// at most SweepEvery.
func (s *scanTimes) pauseAfterScan(least time.Duration) time.Duration {
	return max(least, min(SweepEvery, slowShare*s.typicalDuration()))
}

// ScanPause is how long to wait after a scan: in proportion to its duration, at least least.
func (t *Tracker) ScanPause(least time.Duration) time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.scans.pauseAfterScan(least)
}

// SweepPause is how long after a scan the folders are scanned again if there are no events.
func (t *Tracker) SweepPause() time.Duration {
	if t.CombinedState().Unwatched == "" {
		return SweepEvery
	}
	return t.ScanPause(unwatchedSweep)
}

// questionFindings is what questions have found out about files saved before them. The finding of
// a later question holds for earlier ones too, not the reverse.
type questionFindings struct {
	confirmedAt, unconfirmedAt time.Time // when the last question came that found everything indexed, and the last that did not in time
}

// recordQuestion records the finding of a question that came at a time.
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

// RecordUnconfirmed records that files saved before a time may not be searchable yet.
func (t *Tracker) RecordUnconfirmed(asked time.Time) { t.recordQuestion(asked, true) }

func (t *Tracker) recordQuestion(asked time.Time, unconfirmed bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.questions.recordQuestion(asked, unconfirmed)
}
