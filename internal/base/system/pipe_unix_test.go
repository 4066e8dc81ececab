//go:build unix

package system

import (
	"path/filepath"
	"syscall"
	"testing"
)

// TestPipe: to open one waits for its other end, for ever.
func TestPipe(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x")
	must(t, syscall.Mkfifo(file, 0o600))
	l := NewFileLock(file)
	defer l.Close()
	if locked, err := l.TryLock(); !locked || err != nil {
		t.Errorf("locked %v, %v", locked, err)
	}
}
