package index

import (
	"context"
	"errors"
	"os"
	"sync"
	"time"

	"github.com/gofrs/flock"
)

// A lease is a duty for a folder that one process has at a time: a lock on a
// file, which the system releases when the process ends, however it ends.
type lease struct {
	file string

	mu    sync.Mutex
	lock  *flock.Flock
	tried time.Time
	got   time.Time // when this process got it
	err   error     // why the system gives no locks here
}

// takeOverEvery is how often a process tries to take over from another.
const takeOverEvery = 500 * time.Millisecond

func newLease(file string) *lease { return &lease{file: file, lock: flock.New(file)} }

// held tells whether this process has the duty, after trying to get it. It
// never waits. Where the system has no locks everyone has it: each commit is
// safe even so.
func (l *lease) held() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if time.Since(l.tried) < takeOverEvery {
		return !l.got.IsZero()
	}
	l.tried = time.Now()
	if l.lock.Locked() && !l.isCurrent() {
		_ = l.lock.Close() // the file is gone, and with it what the lock was for
	}
	locked, err := l.lock.TryLock()
	if errors.Is(err, os.ErrNotExist) { // the folder is gone: who makes it again sees to that
		err = nil
	}
	l.err = err
	if has := locked || err != nil; !has {
		l.got = time.Time{}
	} else if l.got.IsZero() {
		l.got = time.Now()
	}
	return !l.got.IsZero()
}

// since tells since when this process has the duty; it does not try to get it.
func (l *lease) since() (time.Time, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.got, !l.got.IsZero()
}

// isCurrent tells whether the file that is locked is still the one that others
// would lock.
func (l *lease) isCurrent() bool {
	mine, err := l.lock.Stat()
	if err != nil {
		return false
	}
	now, err := os.Stat(l.file)
	return err == nil && os.SameFile(mine, now)
}

// why is the reason why everyone has the duty, nil when only one has.
func (l *lease) why() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.err
}

// release gives the duty back, to be taken again at once if it is wanted.
func (l *lease) release() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.tried, l.got, l.err = time.Time{}, time.Time{}, nil
	return l.lock.Close()
}

// passGate keeps the opening of an index apart from the moment in which another
// process sets a damaged one aside: several files change their names then. lock
// says as which of the two. Where the system has no locks there is no gate.
func passGate(ctx context.Context, file string, lock func(*flock.Flock) (bool, error)) (leave func()) {
	gate := flock.New(file + ".open.lock")
	for deadline := time.Now().Add(busyLimit); time.Now().Before(deadline) && ctx.Err() == nil; {
		if passed, err := lock(gate); passed || err != nil {
			break
		}
		time.Sleep(time.Millisecond)
	}
	return func() { _ = gate.Close() }
}
