// Package lease is the duty that one process of several on a folder has at a time.
// It knows files and times, not what the duty is.
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

// A Lease is a duty for a folder that one process has at a time: a lock on a
// file, which the system releases when the process ends, however it ends. A
// process that is stopped keeps its locks: so the one that has the duty gives a
// sign of life beside the lock, a new time of the file. Who misses it for long
// removes the file and locks another in its place. The process that wakes up
// finds that its lock is on a file that is gone, and with it the duty.
type Lease struct {
	file string // that is locked

	mu    sync.Mutex
	lock  *flock.Flock
	tried time.Time
	got   time.Time // when this process got it
	err   error     // why the system gives no locks here
	lost  bool      // another took it over from this process

	stop chan struct{} // ends the signs of life; nil while there are none

	// Of the process that has the duty, while this one has not:
	sign   os.FileInfo // of the file, as it was seen last
	heard  time.Time   // when that was new
	looked time.Time   // when it was looked for last
}

// takeOverEvery is how often a process tries to take over from another.
const takeOverEvery = 500 * time.Millisecond

// beatEvery is how often the process that has a duty gives a sign of life.
const beatEvery = 500 * time.Millisecond

// silentAfter is how long it may give none before another takes its duty over:
// a disk under load may hold it up.
const silentAfter = 4 * time.Second

// New names the file of a lease; nobody has it yet.
func New(file string) *Lease { return &Lease{file: file, lock: flock.New(file)} }

// TryAcquire reports whether this process has the duty, after trying to get it. It
// never waits. Where the system has no locks everyone has it: each commit is
// safe even so.
func (l *Lease) TryAcquire() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if time.Since(l.tried) < takeOverEvery {
		return !l.got.IsZero()
	}
	l.tried = time.Now()
	if l.lock.Locked() && !l.isCurrent() {
		_ = l.lock.Close() // the file is gone, and with it what the lock was for
	}
	if !l.lock.Locked() {
		system.RemoveIrregular(l.file)
	}
	locked, err := l.lock.TryLock()
	if !locked && err == nil && l.observeSilence() > silentAfter {
		locked, err = l.seize()
	}
	if errors.Is(err, os.ErrNotExist) && !l.isThere() { // the folder is gone: its next maker sees to that
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

// isThere reports whether anything is in the place of the file, a link to nothing too.
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

// observeSilence looks for a sign of life of the process that has the duty, and returns
// for how long there was none. What this process did not watch, as it was stopped
// itself, does not count.
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

// seize takes the duty from a process that gives no sign of life. A system that
// removes no open file leaves it where it is.
func (l *Lease) seize() (locked bool, err error) {
	if now, err := os.Stat(l.file); err != nil || !isSameSign(l.sign, now) {
		return false, nil // another was faster
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
			_ = os.Chtimes(l.file, now, now) // where that is refused another takes over, which is safe
		}
		select {
		case <-stop:
			return
		case <-tick.C:
		}
	}
}

// worthTelling is how long a process may give no sign of life before answers say
// so.
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

// IsLost reports whether another process has taken the duty over from this one.
func (l *Lease) IsLost() bool {
	if _, has := l.HeldSince(); has {
		return !l.TryAcquire()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.lost
}

// IsTaken reports whether a process has the duty, without trying to get it. A shared
// lock, which is given back at once, is no duty.
func (l *Lease) IsTaken(context.Context) bool {
	if !system.IsLockable(l.file) {
		return false // nobody has ever had it
	}
	lock := flock.New(l.file)
	defer lock.Close()
	free, err := lock.TryRLock()
	return !free && err == nil
}

// HeldSince reports since when this process has the duty; it does not try to get it.
func (l *Lease) HeldSince() (time.Time, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.got, !l.got.IsZero()
}

// isCurrent reports whether the file that is locked is still the one that others
// would lock.
func (l *Lease) isCurrent() bool {
	mine, err := l.lock.Stat()
	if err != nil {
		return false
	}
	now, err := os.Lstat(l.file)
	return err == nil && os.SameFile(mine, now)
}

// WhyUnlocked is the reason why everyone has the duty, nil when only one has.
func (l *Lease) WhyUnlocked() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.err
}

// Release gives the duty back, to be taken again at once if it is wanted.
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
