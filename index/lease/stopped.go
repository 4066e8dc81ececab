package lease

import (
	"sync"
	"time"
)

// stoppedAfter is how long the holder must have been stopped by a signal before another process takes
// over. It is short, because the system reports stopped processes even when it is busy, and longer than
// the stops by which programs such as cpulimit slow a process down.
const stoppedAfter = 200 * time.Millisecond

// stops holds what is known about stopped processes that hold leases. All leases share it, so that a
// process that takes over one lease of such a process takes over the others at once.
var stops = struct {
	sync.Mutex
	of map[int]stop
}{of: make(map[int]stop)}

// stop describes a process that is stopped by a signal.
type stop struct {
	since    time.Time
	switches string // counts of its context switches; it has not run as long as they stay the same
}

// stoppedSince returns since when a process is known to be stopped, or zero if it runs.
func stoppedSince(pid int) time.Time {
	switches, isStopped := findStop(pid)
	stops.Lock()
	defer stops.Unlock()
	if !isStopped {
		delete(stops.of, pid)
		return time.Time{}
	}
	if known, ok := stops.of[pid]; ok && known.switches == switches {
		return known.since
	}
	stops.of[pid] = stop{time.Now(), switches}
	return stops.of[pid].since
}
