package lease

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"time"
)

const (
	holdVariable = "LEASE_TO_HOLD"
	endsVariable = "LEASE_THREAD_ENDS" // set: the first thread of the process ends at once
)

func init() {
	if os.Getenv(endsVariable) != "" {
		runtime.LockOSThread() // that of TestMain is the first one then
	}
}

// TestMain holds a lease, for another process that runs tests, until its input ends.
func TestMain(m *testing.M) {
	if file := os.Getenv(holdVariable); file != "" {
		fmt.Println(New(file).TryAcquire())
		go func() {
			_, _ = io.Copy(io.Discard, os.Stdin)
			os.Exit(0)
		}()
		if os.Getenv(endsVariable) != "" {
			_, _, _ = syscall.Syscall(syscall.SYS_EXIT, 0, 0, 0)
		}
		select {}
	}
	os.Exit(m.Run())
}

// otherHolder starts a process that holds a lease.
func otherHolder(t *testing.T, file string, variables ...string) *os.Process {
	t.Helper()
	c := exec.Command(os.Args[0])
	c.Env = append(append(os.Environ(), holdVariable+"="+file), variables...)
	in, err := c.StdinPipe()
	must(t, err)
	out, err := c.StdoutPipe()
	must(t, err)
	must(t, c.Start())
	t.Cleanup(func() {
		_ = c.Process.Signal(syscall.SIGCONT)
		_, _ = in.Close(), c.Wait()
	})
	var has bool
	if _, err := fmt.Fscanln(out, &has); !has || err != nil {
		t.Fatalf("the other process has the lease: %t, %v", has, err)
	}
	return c.Process
}

// suspend stops a process, and returns when the system says that it is stopped.
func suspend(t *testing.T, p *os.Process) {
	t.Helper()
	must(t, p.Signal(syscall.SIGSTOP))
	var status syscall.WaitStatus
	for !status.Stopped() {
		_, err := syscall.Wait4(p.Pid, &status, syscall.WUNTRACED, nil)
		must(t, err)
	}
}

// TestStoppedHolder: another process takes over from one that is stopped, before its silence tells
// that, and not from one that is stopped and continued time and again.
func TestStoppedHolder(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.lock")
	other, l := otherHolder(t, file), New(file)
	defer l.Release()
	beat := func() { now := time.Now(); must(t, os.Chtimes(file, now, now)) } // so that it is not silent
	try := func() bool {
		t.Helper()
		beat()
		if known, ok := stops.of[other.Pid]; ok { // the time has passed
			stops.of[other.Pid] = stop{known.since.Add(-stoppedAfter), known.switches}
		}
		return l.TryAcquireUnthrottled()
	}
	for range 3 {
		if l.TryAcquireUnthrottled() || l.RetryAfter() != 0 {
			t.Fatal("it is taken from a process that runs")
		}
	}
	for range 10 {
		suspend(t, other)
		if try() {
			t.Fatal("it is taken from a process that runs from time to time")
		}
		if l.RetryAfter() == 0 {
			t.Error("the stop is not noticed")
		}
		must(t, other.Signal(syscall.SIGCONT))
	}
	suspend(t, other)
	try() // finds it
	if !try() {
		t.Fatal("it is not taken from a process that is stopped")
	}
	if l.RetryAfter() != 0 {
		t.Error("the holder itself has to try again")
	}
}

// TestKilledHolder: another process takes over from one that was killed and keeps its lock, as one of its
// threads waits for a drive. All that can be seen of it is that its first thread has ended.
func TestKilledHolder(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.lock")
	other, l := otherHolder(t, file, endsVariable+"=1"), New(file)
	defer l.Release()
	for status := []byte(nil); !bytes.Contains(status, []byte("State:\tZ")); {
		var err error
		status, err = os.ReadFile(fmt.Sprintf("/proc/%d/status", other.Pid))
		must(t, err)
	}
	for range 2 {
		if l.TryAcquireUnthrottled() {
			t.Fatal("it is taken at once")
		}
	}
	known, ok := stops.of[other.Pid]
	if !ok || l.RetryAfter() == 0 {
		t.Fatal("that it was killed is not noticed")
	}
	stops.of[other.Pid] = stop{known.since.Add(-stoppedAfter), known.switches} // the time has passed
	if !l.TryAcquireUnthrottled() {
		t.Error("it is not taken from a process that was killed")
	}
}

// TestIsKilled tells processes that are to be killed from those that run, and from those that are to be
// ended by another signal.
func TestIsKilled(t *testing.T) {
	for status, want := range map[string]bool{
		"Name:\tx\nState:\tD (disk sleep)\nSigPnd:\t0000000000000100\nShdPnd:\t0000000000000100\n":      true,
		"Name:\tx\nState:\tZ (zombie)\nSigPnd:\t0000000000000000\nShdPnd:\t0000000000000100\n":          true,
		"Name:\tx\nState:\tD (disk sleep)\nSigPnd:\t0000000000004000\nShdPnd:\t0000000000000000\n":      false,
		"Name:\tx\nState:\tS (sleeping)\nSigPnd:\t0000000000000000\nShdPnd:\t0000000000000000\nx:\t9\n": false,
	} {
		if isKilled([]byte(status)) != want {
			t.Errorf("%q: killed is %t", status, !want)
		}
	}
}

// TestFindHolder names the process that has locked a file, and none for another file.
func TestFindHolder(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.lock")
	other := otherHolder(t, file)
	info, err := os.Stat(file)
	must(t, err)
	if pid := findHolder(info); pid != other.Pid {
		t.Fatalf("process %d has locked it, want %d", pid, other.Pid)
	}
	another := filepath.Join(t.TempDir(), "x.lock")
	must(t, os.WriteFile(another, nil, 0o600))
	if info, err = os.Stat(another); err != nil || hasOpen(other.Pid, info) || findHolder(info) != 0 {
		t.Errorf("a file that nobody has open is locked by process %d, %v", findHolder(info), err)
	}
}
