package lease

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gofrs/flock"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestLinkInPlaceOfTheLock: one that leads nowhere can be locked by nobody, and one that
// leads to a file that somebody else has locked would never be free.
func TestLinkInPlaceOfTheLock(t *testing.T) {
	for _, to := range []string{"none/x", "x", "other"} {
		dir := t.TempDir()
		other := New(filepath.Join(dir, "other"))
		if !other.TryAcquire() {
			t.Fatal("a lock that nobody has is not free")
		}
		file := filepath.Join(dir, "x.lock")
		if err := os.Symlink(filepath.Join(dir, to), file); err != nil {
			t.Skip(err)
		}
		a, b := New(file), New(file)
		if b.IsHeldByAny(t.Context()) {
			t.Errorf("a link to %s: it is taken", to)
		}
		if !a.TryAcquire() || a.NotExclusiveReason() != nil || b.TryAcquire() || !b.IsHeldByAny(t.Context()) {
			t.Errorf("a link to %s: the first does not have it alone, %v", to, a.NotExclusiveReason())
		}
		for _, l := range []*Lease{a, b, other} {
			must(t, l.Release())
		}
	}
}

// TestLeaseLost deletes the file of a lock that is held, and puts something in
// its place that cannot be locked.
func TestLeaseLost(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a file that is locked cannot be deleted on Windows")
	}
	file := filepath.Join(t.TempDir(), "x.lock")
	a, b := New(file), New(file)
	defer a.Release()
	defer b.Release()
	again := func(l *Lease) bool { l.tried = time.Time{}; return l.TryAcquire() }
	if !again(a) || again(b) {
		t.Fatal("the first does not have it alone")
	}
	must(t, os.Remove(file))
	if !again(b) || again(a) {
		t.Error("the file was deleted, and who made it again does not have the duty alone")
	}
	must(t, os.Remove(file))
	must(t, os.Mkdir(file, 0o700))
	if !again(a) || a.NotExclusiveReason() == nil || !again(b) {
		t.Error("without locks not everyone has the duty")
	}
	must(t, os.Remove(file))
	if !again(a) || a.NotExclusiveReason() != nil || again(b) {
		t.Error("with locks again the first does not have it alone")
	}
}

// TestLeaseLostAndAcquiredAgain checks that a process notices that another one has held its lease,
// even if that one has ended before the process looks.
func TestLeaseLostAndAcquiredAgain(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a file that is locked cannot be deleted on Windows")
	}
	file := filepath.Join(t.TempDir(), "x.lock")
	a, b := New(file), New(file)
	defer a.Release()
	if !a.TryAcquire() {
		t.Fatal("a lease that nobody holds is not free")
	}
	acquired, _ := a.HeldSince()
	if !a.IsHeldSince(acquired) {
		t.Fatal("the lease is not held")
	}
	must(t, os.Remove(file)) // as a process does that sees no heartbeats
	if !b.TryAcquire() {
		t.Fatal("the other process cannot take over")
	}
	must(t, b.Release())
	if !a.TryAcquireUnthrottled() {
		t.Fatal("the lease is free, and the first process does not acquire it")
	}
	if since, _ := a.HeldSince(); a.IsHeldSince(acquired) || !since.After(acquired) {
		t.Errorf("it is held since %v, when it was acquired first", since)
	}
}

// TestLockedFileIsGone checks that a lock on a file that is no longer at the path is no lease, as when
// another process removes the file between its opening and its locking.
func TestLockedFileIsGone(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.lock")
	must(t, os.WriteFile(file, nil, 0o600))
	l := New(file)
	l.lock = flock.New(file + ".removed")
	if l.TryAcquire() {
		t.Error("it holds the lease by a lock on another file")
	}
	if l.lock.Locked() {
		t.Error("the lock on the other file is kept")
	}
}

// TestSilence: whoever has the duty and gives no sign of life is reported, and after a while
// another takes over; who gives signs keeps it, however long it takes.
func TestSilence(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a file that is locked cannot be deleted on Windows")
	}
	for name, alive := range map[string]bool{"alive": true, "stopped": false} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "x.lock")
			synctest.Test(t, func(t *testing.T) {
				first, second := New(file), New(file)
				defer second.Release()
				defer first.Release()
				began := time.Now()
				if since, has := first.HeldSince(); has || !first.TryAcquire() {
					t.Fatalf("a duty that nobody has is not free, or was had since %v", since)
				}
				if since, has := first.HeldSince(); !has || !since.Equal(began) {
					t.Errorf("it is had since %v: %v, want %v", since, has, began)
				}
				synctest.Wait() // for the first sign of life
				if !alive {     // as a process that is stopped: the lock stays
					first.mu.Lock()
					close(first.stop)
					first.stop = nil
					first.mu.Unlock()
				}
				told, taken := time.Duration(-1), time.Duration(-1)
				for taken < 0 && time.Since(began) < time.Minute {
					if second.TryAcquire() {
						taken = time.Since(began)
					} else if silence := second.HolderUnresponsiveFor(); silence > 0 && told < 0 {
						told = silence
					}
					time.Sleep(takeOverEvery)
				}
				if alive {
					if told >= 0 || taken >= 0 || first.IsLost() || second.IsLost() || !first.IsHeldSince(began) {
						t.Errorf("told after %v, taken after %v", told, taken)
					}
					return
				}
				if told < worthTelling || told > silentAfter || taken < silentAfter || taken > silentAfter+2*takeOverEvery {
					t.Errorf("told after %v, taken after %v", told, taken)
				}
				if !first.IsLost() || first.IsHeldSince(began) || !second.TryAcquire() || second.HolderUnresponsiveFor() != 0 {
					t.Error("the second does not have it alone")
				}
				must(t, second.Release())
				if first.tried = (time.Time{}); !first.TryAcquire() || first.IsLost() || first.IsHeldSince(began) {
					t.Error("the first does not have it again")
				}
			})
		})
	}
}

// TestSleepIsNoSilence: what a process did not watch, as it slept itself, does not count
// against the one that has the duty.
func TestSleepIsNoSilence(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.lock")
	lock := flock.New(file)
	if locked, err := lock.TryLock(); !locked || err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	synctest.Test(t, func(t *testing.T) {
		l := New(file)
		for range 10 {
			if l.TryAcquire() || l.HolderUnresponsiveFor() != 0 {
				t.Error("it takes over, or tells of silence")
			}
			time.Sleep(time.Hour)
		}
	})
}

// TestFolderIsGone: nobody has a duty then, and the system is not to blame.
func TestFolderIsGone(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "gone")
	l := New(filepath.Join(dir, "x.lock"))
	if l.TryAcquire() || l.NotExclusiveReason() != nil || l.IsHeldByAny(t.Context()) {
		t.Errorf("without its folder it is had: %v", l.NotExclusiveReason())
	}
	must(t, os.Mkdir(dir, 0o700))
	l.tried = time.Time{}
	if l.Pause(); !l.TryAcquire() {
		t.Error("with its folder it is not to be had")
	}
	must(t, l.Release())
}

// TestNoBeatAfterRelease: a duty that is released before its first sign of life gives none, so the
// file of the lock stays as it was left.
func TestNoBeatAfterRelease(t *testing.T) {
	l := New(filepath.Join(t.TempDir(), "x.lock"))
	_, err := l.lock.TryLock()
	must(t, err)
	t.Cleanup(func() { must(t, l.Release()) })
	released := make(chan struct{})
	close(released)
	left := time.Now().Add(-time.Hour).Truncate(time.Second)
	must(t, os.Chtimes(l.file, left, left))
	l.sendHeartbeats(released)
	if now, err := os.Stat(l.file); err != nil || !now.ModTime().Equal(left) {
		t.Errorf("the lock is of %v, %v", now.ModTime(), err)
	}
}
