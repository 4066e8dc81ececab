package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// skipUnderRace skips a test of time and memory, of which the race detector
// takes many times what users see.
func skipUnderRace(t *testing.T) {
	t.Helper()
	build, _ := debug.ReadBuildInfo()
	if build != nil && slices.Contains(build.Settings, debug.BuildSetting{Key: "-race", Value: "true"}) {
		t.Skip("measures time and memory, which the race detector multiplies")
	}
}

// usage is what a process holds.
type usage struct{ kilobytes, handles, threads int }

func usageOf(pid int) (u usage, err error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return u, err
	}
	for line := range strings.Lines(string(status)) {
		name, value, _ := strings.Cut(line, ":")
		n, _ := strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(value), " kB")) // most lines are no numbers
		switch name {
		case "VmRSS":
			u.kilobytes = n
		case "Threads":
			u.threads = n
		}
	}
	handles, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
	u.handles = len(handles)
	return u, err
}

func (u usage) String() string {
	return fmt.Sprintf("%d MB, %d handles, %d threads", u.kilobytes>>10, u.handles, u.threads)
}

// raise raises u to what v holds.
func (u *usage) raise(v usage) {
	u.kilobytes, u.handles, u.threads = max(u.kilobytes, v.kilobytes), max(u.handles, v.handles), max(u.threads, v.threads)
}

// isWithin tells whether u is no more than v was, but for what a garbage
// collector and a pool of connections may make of it.
func (u usage) isWithin(v usage) bool {
	return u.kilobytes <= v.kilobytes*3/2+20<<10 && u.handles <= v.handles+8 && u.threads <= v.threads*3/2+8
}

// watchMemory looks at the memory of a process and its children until it is
// called off, where the system tells: it returns the highest of each in
// kilobytes.
func watchMemory(pid int) (stop func() (parent, child int64)) {
	var parent, child atomic.Int64
	done, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		tick := time.NewTicker(20 * time.Millisecond)
		defer tick.Stop()
		for {
			parent.Store(max(parent.Load(), highWater(pid)))
			for _, c := range children(pid) {
				child.Store(max(child.Load(), highWater(c)))
			}
			select {
			case <-done:
				return
			case <-tick.C:
			}
		}
	}()
	return func() (int64, int64) {
		close(done)
		<-stopped
		return parent.Load(), child.Load()
	}
}

// highWater is the most memory that a process has had so far.
func highWater(pid int) int64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	fields := strings.Fields(rest)
	if len(fields) == 0 {
		return 0
	}
	kb, err := strconv.ParseInt(fields[0], 10, 64)
	if err != nil {
		return 0
	}
	return kb
}

func children(pid int) []int {
	lists, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	if err != nil {
		return nil
	}
	var pids []int
	for _, list := range lists {
		text, err := os.ReadFile(list)
		if err != nil {
			continue
		}
		for _, field := range strings.Fields(string(text)) {
			if c, err := strconv.Atoi(field); err == nil {
				pids = append(pids, c)
			}
		}
	}
	return pids
}

func threads(t *testing.T, s *talk) int {
	t.Helper()
	all, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", s.cmd.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	return len(all)
}

// resident is the memory of a process in bytes, 0 where the system does not
// tell it.
func resident(pid int) int {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0
	}
	var size, pages int
	if _, err := fmt.Sscan(string(raw), &size, &pages); err != nil {
		return 0
	}
	return pages * os.Getpagesize()
}

func megabytes(file string) int64 {
	info, err := os.Stat(file)
	if err != nil {
		return 0
	}
	return info.Size() >> 20
}
