package lease

import (
	"sync"
	"time"
)

// stoppedAfter is the time for which the holder must have been stopped by a signal before another
// process takes over. It is short because the system tells so, however busy it is, and longer than
// the stops by which programs such as cpulimit slow a process down.
const stoppedAfter = 200 * time.Millisecond

// stops are the processes that are stopped, as far as they have a duty. All leases share what is
// known: who takes one duty from a process takes the others at once.
var stops = struct {
	sync.Mutex
	of map[int]stop
}{of: make(map[int]stop)}

// stop describes a process that is stopped.
type stop struct {
	since    time.Time
	switches string // counts of its context switches: it has not run since if they are the same
}

// stoppedSince returns since when a process is known to be stopped, zero if it runs.
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
