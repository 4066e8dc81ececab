// Package lease implements a duty that one of several processes on a folder has at a time. It
// knows files and times, not what the duty is.
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

// A Lease is a duty for a folder that one process has at a time: a lock on a file, which the
// system releases when the process ends, however it ends. A stopped process keeps its locks: so
// the holder also gives a sign of life, a new time of the file. A process that misses it for long
// removes the file and locks another in its place. When the stopped process wakes up, it finds
// that its locked file was removed, and has lost the duty.
type Lease struct {
	file string // to be locked

	mu    sync.Mutex
	lock  *flock.Flock
	tried time.Time
	got   time.Time // when this process acquired it
	err   error     // why the system provides no locks here
	lost  bool      // another process took it over from this one

	stop chan struct{} // ends the signs of life; nil while there are none

	// State of the holder, while this process is not it:
	sign   os.FileInfo // of the file, as seen last
	heard  time.Time   // when a new sign was seen
	looked time.Time   // when this was last checked
}

// takeOverEvery is how often a process tries to take over from another.
const takeOverEvery = 500 * time.Millisecond

// beatEvery is how often the holder gives a sign of life.
const beatEvery = 500 * time.Millisecond

// silentAfter is how long the holder may give no sign of life before another takes over: a disk
// under load may delay it.
const silentAfter = 4 * time.Second

// New returns the lease of a file, not acquired yet.
func New(file string) *Lease { return &Lease{file: file, lock: flock.New(file)} }

// TryAcquire tries to acquire the duty and reports whether this process has it. It never waits.
// Where the system has no locks all processes have it: each commit is safe even so.
func (l *Lease) TryAcquire() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if time.Since(l.tried) < takeOverEvery {
		return !l.got.IsZero()
	}
	l.tried = time.Now()
	if l.lock.Locked() && !l.isCurrent() {
		_ = l.lock.Close() // the locked file was removed, so the lock is void
	}
	if !l.lock.Locked() {
		system.RemoveIrregular(l.file)
	}
	locked, err := l.lock.TryLock()
	if !locked && err == nil && l.observeSilence() > silentAfter {
		locked, err = l.seize()
	}
	if errors.Is(err, os.ErrNotExist) && !l.isThere() { // the folder is gone: whoever creates it handles that
		err = nil
	}
	l.err = err
	if has := locked || err != nil; !has {
		l.lost = l.lost || !l.got.IsZero()
		l.stopHolding()
	} else if l.got.IsZero() {
		l.startHolding(locked)
	}
	return !l.got.IsZero()
}

// isThere reports whether anything is at the path of the file, even a dangling link.
func (l *Lease) isThere() bool {
	_, err := os.Lstat(l.file)
	return err == nil
}

// startHolding is called with l.mu held, as are the next three.
func (l *Lease) startHolding(locked bool) {
	l.got, l.lost, l.sign = time.Now(), false, nil
	if locked {
		l.stop = make(chan struct{})
		go l.sendHeartbeats(l.stop)
	}
}

func (l *Lease) stopHolding() {
	l.got = time.Time{}
	if l.stop != nil {
		close(l.stop)
		l.stop = nil
	}
}

// observeSilence checks for a sign of life of the holder, and returns for how long there was
// none. Time in which this process did not watch, as it was stopped itself, does not count.
func (l *Lease) observeSilence() time.Duration {
	now, before := time.Now(), l.looked
	l.looked = now
	sign, err := os.Stat(l.file)
	if err != nil {
		l.sign = nil
		return 0
	}
	if l.sign == nil || !isSameSign(l.sign, sign) || now.Sub(before) > silentAfter/2 {
		l.sign, l.heard = sign, now
	}
	return now.Sub(l.heard)
}

// seize takes the duty from a process that gives no sign of life. A system that cannot remove
// open files leaves it there.
func (l *Lease) seize() (locked bool, err error) {
	if now, err := os.Stat(l.file); err != nil || !isSameSign(l.sign, now) {
		return false, nil // another process was faster
	}
	if os.Remove(l.file) != nil {
		return false, nil
	}
	return l.lock.TryLock()
}

func isSameSign(a, b os.FileInfo) bool {
	return os.SameFile(a, b) && a.ModTime().Equal(b.ModTime())
}

// sendHeartbeats gives signs of life until it is stopped.
func (l *Lease) sendHeartbeats(stop <-chan struct{}) {
	tick := time.NewTicker(beatEvery)
	defer tick.Stop()
	for {
		if l.isCurrent() {
			now := time.Now()
			_ = os.Chtimes(l.file, now, now) // if that is refused another process takes over, which is safe
		}
		select {
		case <-stop:
			return
		case <-tick.C:
		}
	}
}

// worthTelling is how long a process may give no sign of life before answers say so.
const worthTelling = 3 * beatEvery

// HolderSilence is for how long the process that has the duty has given no sign of
// life, 0 when it is not worth reporting or this process has the duty.
func (l *Lease) HolderSilence() time.Duration {
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

// IsLost reports whether another process has taken over the duty from this one.
func (l *Lease) IsLost() bool {
	if _, has := l.HeldSince(); has {
		return !l.TryAcquire()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.lost
}

// IsTaken reports whether a process has the duty, without trying to acquire it. It uses a shared
// lock, which is released at once.
func (l *Lease) IsTaken(context.Context) bool {
	if !system.IsLockable(l.file) {
		return false // no process has ever had it
	}
	lock := flock.New(l.file)
	defer lock.Close()
	free, err := lock.TryRLock()
	return !free && err == nil
}

// HeldSince returns since when this process has the duty; it does not try to acquire it.
func (l *Lease) HeldSince() (time.Time, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.got, !l.got.IsZero()
}

// isCurrent reports whether the locked file is still the one that others would lock.
func (l *Lease) isCurrent() bool {
	mine, err := l.lock.Stat()
	if err != nil {
		return false
	}
	now, err := os.Lstat(l.file)
	return err == nil && os.SameFile(mine, now)
}

// WhyUnlocked returns why all processes have the duty, nil when only one has.
func (l *Lease) WhyUnlocked() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.err
}

// Release releases the duty, which can be acquired again at once.
func (l *Lease) Release() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stopHolding()
	l.tried, l.lost, l.err = time.Time{}, false, nil
	return l.lock.Close()
}

// Pause does nothing: a file belongs to a folder on this machine, which all processes see
// alike, so none of them leaves it to others.
func (l *Lease) Pause() {}

// Resume does nothing, see Pause.
func (l *Lease) Resume() {}
