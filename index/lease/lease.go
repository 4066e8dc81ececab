// Package lease implements leases: tasks for a folder, such as indexing it, that only one process may
// perform at a time. It deals with files and times, independently of what the task is.
package lease

import (
	"context"
	"errors"
	"os"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"vademecum/internal/base/system"
)

// Lease is the exclusive right of a process to perform a task for a folder. It is a lock on a file, which
// the system releases when the process ends for any reason. A suspended process keeps its locks, so the
// holder also sends heartbeats by updating the time of the file. If a process sees no heartbeat for
// long, or the system reports that the holder is stopped, it removes the file and locks a new one in
// its place. When the suspended process resumes, it finds that its locked file was removed, and has
// lost the lease.
type Lease struct {
	file string // the file to lock

	mu    sync.Mutex
	lock  *flock.Flock
	tried time.Time
	got   time.Time // when this process acquired the lease; zero if it does not hold it
	lost  bool      // this process has held the lease, and another one has taken over
	err   error     // why the system provides no locks for the file; nil if it does

	stop chan struct{} // closed to end the heartbeats; nil if there are none

	// State of the holder, if that is another process: sign is the state of the file when it was last
	// examined.
	sign   os.FileInfo
	heard  time.Time // when the last new heartbeat was seen
	looked time.Time // when the file was last examined
	holder int       // process ID of the holder; 0 if it is unknown
	still  time.Time // since when the holder has been stopped; zero if it runs or that is unknown
}

// takeOverEvery is the interval at which a process tries to take over from another.
const takeOverEvery = 500 * time.Millisecond

// beatEvery is the interval of the holder's heartbeats.
const beatEvery = 500 * time.Millisecond

// silentAfter is the time without a heartbeat after which another process takes over. It is long
// because a disk under load may delay heartbeats.
const silentAfter = 4 * time.Second

// New returns a lease on a file. It is not acquired yet.
func New(file string) *Lease { return &Lease{file: file, lock: flock.New(file)} }

// TryAcquire tries to acquire the lease, and reports whether this process holds it. It never waits. If
// the system provides no locks, all processes hold the lease; each commit is still safe.
func (l *Lease) TryAcquire() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if time.Since(l.tried) < takeOverEvery {
		return !l.got.IsZero()
	}
	return l.try()
}

// TryAcquireUnthrottled tries to acquire the lease, and reports whether this process holds it. Unlike
// TryAcquire, it tries even if the last attempt was a moment ago: it is for a caller that has
// reason to believe that no process holds the lease.
func (l *Lease) TryAcquireUnthrottled() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.try()
}

// try implements TryAcquireUnthrottled. The caller holds l.mu.
func (l *Lease) try() bool {
	l.tried = time.Now()
	if l.lock.Locked() && !l.isCurrent() {
		_ = l.lock.Close() // the locked file was removed, so the lock is void
		l.stopHolding()    // another process may have held the lease since, even if none does now
	}
	if !l.lock.Locked() {
		system.RemoveIrregularLockFile(l.file)
	}
	locked, err := l.lock.TryLock()
	if !locked && err == nil && (l.observeSilence() > silentAfter || l.isHolderStopped()) {
		locked, err = l.seize()
	}
	if locked && !l.isCurrent() { // another process removed the file before it was locked
		_ = l.lock.Close()
		locked = false
	}
	if errors.Is(err, os.ErrNotExist) && !l.isThere() { // the folder is gone, which is handled elsewhere
		err = nil
	}
	l.err = err
	if has := locked || err != nil; !has {
		l.stopHolding()
	} else if l.got.IsZero() {
		l.startHolding(locked)
	}
	return !l.got.IsZero()
}

// isThere reports whether anything exists at the path of the file, even a dangling link.
func (l *Lease) isThere() bool {
	_, err := os.Lstat(l.file)
	return err == nil
}

// startHolding records that this process holds the lease, and starts to send heartbeats. The caller holds
// l.mu, as for the next three methods.
func (l *Lease) startHolding(locked bool) {
	l.got, l.lost, l.sign, l.holder, l.still = time.Now(), false, nil, 0, time.Time{}
	if locked {
		l.stop = make(chan struct{})
		go l.sendHeartbeats(l.stop)
	}
}

func (l *Lease) stopHolding() {
	l.lost = l.lost || !l.got.IsZero()
	l.got = time.Time{}
	if l.stop != nil {
		close(l.stop)
		l.stop = nil
	}
}

// observeSilence checks for a heartbeat of the holder, and returns the time since the last one.
// Periods in which this process did not check, because it was suspended itself, do not count.
func (l *Lease) observeSilence() time.Duration {
	now, before := time.Now(), l.looked
	l.looked = now
	sign, err := os.Stat(l.file)
	if err != nil {
		l.sign = nil
		return 0
	}
	if l.sign == nil || !os.SameFile(l.sign, sign) {
		l.holder = 0
	}
	if l.sign == nil || !isSameSign(l.sign, sign) || now.Sub(before) > silentAfter/2 {
		l.sign, l.heard = sign, now
	}
	return now.Sub(l.heard)
}

// isHolderStopped reports whether the holder has been stopped for long enough.
func (l *Lease) isHolderStopped() bool {
	l.still = time.Time{}
	if l.sign == nil {
		return false
	}
	l.still = stoppedSince(l.holder)
	if l.still.IsZero() && (l.holder == 0 || l.looked.Sub(l.heard) > beatEvery) { // another process may have the lock by now
		l.holder = findHolder(l.sign)
		l.still = stoppedSince(l.holder)
	}
	return !l.still.IsZero() && time.Since(l.still) >= stoppedAfter && findHolder(l.sign) == l.holder
}

// RetryAfter returns after how long TryAcquire may succeed although another process holds the lease,
// because that process has been stopped by a signal. It returns 0 if there is no reason to retry.
func (l *Lease) RetryAfter() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.got.IsZero() || l.still.IsZero() {
		return 0
	}
	return max(0, stoppedAfter-time.Since(l.still))
}

// seize takes the lease from a process that sends no heartbeats. It fails on systems that cannot remove
// open files, and if another process was faster.
func (l *Lease) seize() (locked bool, err error) {
	system.RemoveLockFileIf(l.file, func(now os.FileInfo) bool { return isSameSign(l.sign, now) })
	return l.lock.TryLock()
}

func isSameSign(a, b os.FileInfo) bool {
	return os.SameFile(a, b) && a.ModTime().Equal(b.ModTime())
}

// sendHeartbeats sends heartbeats until stop is closed.
func (l *Lease) sendHeartbeats(stop <-chan struct{}) {
	tick := time.NewTicker(beatEvery)
	defer tick.Stop()
	for {
		isCurrent := l.isCurrent()
		select {
		case <-stop: // also before the first: the lease may have been released at once
			return
		default:
		}
		if isCurrent {
			now := time.Now()
			_ = os.Chtimes(l.file, now, now) // if that fails another process takes over, which is safe
		}
		select {
		case <-stop:
			return
		case <-tick.C:
		}
	}
}

// worthTelling is the time without a heartbeat from which answers mention it.
const worthTelling = 3 * beatEvery

// HolderUnresponsiveFor returns for how long the process that holds the lease has sent no heartbeat, or 0
// if that is not worth reporting or this process holds it.
func (l *Lease) HolderUnresponsiveFor() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.got.IsZero() || l.sign == nil {
		return 0
	}
	if d := l.looked.Sub(l.heard); d >= worthTelling {
		return time.Since(l.heard)
	}
	return 0
}

// IsLost reports whether another process has taken over the lease from this one, and this one has
// not acquired it again.
func (l *Lease) IsLost() bool {
	if _, has := l.HeldSince(); has {
		return !l.TryAcquire()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.lost
}

// IsHeldSince reports whether this process still holds the lease that it acquired at a time, as
// returned by HeldSince. It returns false if another process has held the lease in the meantime,
// even if this process has acquired it again.
func (l *Lease) IsHeldSince(acquired time.Time) bool {
	l.TryAcquire() // detects that another process has taken over
	since, isHeld := l.HeldSince()
	return isHeld && since.Equal(acquired)
}

// IsHeldByAny reports whether any process holds the lease, without trying to acquire it. It briefly takes
// a shared lock.
func (l *Lease) IsHeldByAny(context.Context) bool {
	if !system.IsLockable(l.file) {
		return false // no process has ever held the lease
	}
	lock := flock.New(l.file)
	defer lock.Close()
	free, err := lock.TryRLock()
	return !free && err == nil
}

// HeldSince returns when this process acquired the lease, and whether it holds it. It does not try to
// acquire it.
func (l *Lease) HeldSince() (time.Time, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.got, !l.got.IsZero()
}

// isCurrent reports whether the locked file is still the one at the path, which other processes would
// lock.
func (l *Lease) isCurrent() bool {
	mine, err := l.lock.Stat()
	if err != nil {
		return false
	}
	now, err := os.Lstat(l.file)
	return err == nil && os.SameFile(mine, now)
}

// NotExclusiveReason returns why the system provides no lock, so that all processes hold the lease; nil if it
// provides one.
func (l *Lease) NotExclusiveReason() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.err
}

// Release releases the lease, which can be acquired again at once.
func (l *Lease) Release() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stopHolding()
	l.tried, l.lost, l.err = time.Time{}, false, nil
	return l.lock.Close()
}

// Pause does nothing: all processes see the same files of a folder on this machine, so none has a reason
// to leave it to others.
func (l *Lease) Pause() {}

// Resume does nothing, as Pause does.
func (l *Lease) Resume() {}
