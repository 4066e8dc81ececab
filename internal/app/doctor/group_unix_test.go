//go:build unix

package doctor

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestStartEndsChildren checks that the children of a started program end with it.
func TestStartEndsChildren(t *testing.T) {
	got, err := startServer(t.Context(), launched(t, "leaves a child"), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(got.Version)
	if err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(10 * time.Second); isAlive(pid); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			_ = syscall.Kill(pid, syscall.SIGKILL)
			t.Fatal("its child is left")
		}
	}
}

// isAlive reports whether a process is running; a zombie is not.
func isAlive(pid int) bool {
	if stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)); err == nil {
		return !strings.Contains(string(stat), ") Z ")
	}
	return syscall.Kill(pid, 0) == nil
}
