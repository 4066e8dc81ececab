//go:build unix

package child

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"vademecum/docs/extract"
)

func TestChildEndsWithItsParent(t *testing.T) {
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	parent := exec.Command(path)
	parent.Env = append(os.Environ(), orphanVariable+"=1")
	out, err := parent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	line, _ := bufio.NewReader(out).ReadString('\n')
	var pid int
	if _, err := fmt.Sscan(line, &pid); err != nil {
		t.Errorf("the parent says %q", line)
	} else if !isAlive(pid) {
		t.Error("the child has ended before its parent")
	}
	if err := parent.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = parent.Wait() // the error says that the process was killed
	if pid != 0 {
		waitUntil(t, "the child ends", func() bool { return !isAlive(pid) })
	}
}

func TestChildKilledBySystem(t *testing.T) {
	p := testPool(t, testLimits())
	if _, err := p.readTest(t.Context(), "test-kill", ""); err == nil || errors.As(err, new(*extract.SkipError)) {
		t.Errorf("got %v, want an error that does not blame the file", err)
	}
}

// isAlive reports whether a process runs. A process that has ended but was not waited for does not.
func isAlive(pid int) bool {
	if stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)); err == nil {
		return !strings.Contains(string(stat), ") Z ")
	}
	return syscall.Kill(pid, 0) == nil
}
