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
