package lease

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"
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
		if !other.Held() {
			t.Fatal("a lock that nobody has is not free")
		}
		file := filepath.Join(dir, "x.lock")
		if err := os.Symlink(filepath.Join(dir, to), file); err != nil {
			t.Skip(err)
		}
		a, b := New(file), New(file)
		if b.IsTaken(t.Context()) {
			t.Errorf("a link to %s: it is taken", to)
		}
		if !a.Held() || a.Why() != nil || b.Held() || !b.IsTaken(t.Context()) {
			t.Errorf("a link to %s: the first does not have it alone, %v", to, a.Why())
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
	again := func(l *Lease) bool { l.tried = time.Time{}; return l.Held() }
	if !again(a) || again(b) {
		t.Fatal("the first does not have it alone")
	}
	must(t, os.Remove(file))
	if !again(b) || again(a) {
		t.Error("the file was deleted, and who made it again does not have the duty alone")
	}
	must(t, os.Remove(file))
	must(t, os.Mkdir(file, 0o700))
	if !again(a) || a.Why() == nil || !again(b) {
		t.Error("without locks not everyone has the duty")
	}
	must(t, os.Remove(file))
	if !again(a) || a.Why() != nil || again(b) {
		t.Error("with locks again the first does not have it alone")
	}
}
