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

// skipUnderRace skips a test of time or memory, as the race detector takes many times as much as
// users need.
func skipUnderRace(t *testing.T) {
	t.Helper()
	if underRace() {
		t.Skip("measures time and memory, which the race detector multiplies")
	}
}

func underRace() bool {
	build, _ := debug.ReadBuildInfo()
	return build != nil && slices.Contains(build.Settings, debug.BuildSetting{Key: "-race", Value: "true"})
}

// usage is the resources that a process holds.
type usage struct{ kilobytes, handles, threads int }

func usageOf(pid int) (u usage, err error) {
	status, err := statusOf(pid)
	if err != nil {
		return u, err
	}
	handles, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
	return usage{status["VmRSS"], len(handles), status["Threads"]}, err
}

// statusOf returns Linux's counters of a process, memory in kilobytes.
func statusOf(pid int) (map[string]int, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	numbers := make(map[string]int)
	for line := range strings.Lines(string(status)) {
		name, value, _ := strings.Cut(line, ":")
		if n, err := strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(value), " kB")); err == nil {
			numbers[name] = n
		}
	}
	return numbers, err
}

func (u usage) String() string {
	return fmt.Sprintf("%d MB, %d handles, %d threads", u.kilobytes>>10, u.handles, u.threads)
}

// raise sets each value to that of v if that is greater.
func (u *usage) raise(v usage) {
	u.kilobytes, u.handles, u.threads = max(u.kilobytes, v.kilobytes), max(u.handles, v.handles), max(u.threads, v.threads)
}

// isWithin reports whether u is at most v, apart from the effects of the garbage collector and of a
// pool of connections.
func (u usage) isWithin(v usage) bool {
	return u.kilobytes <= v.kilobytes*3/2+20<<10 && u.handles <= v.handles+8 && u.threads <= v.threads*3/2+8
}

// watchMemory samples the memory of a process and its children until stop is called,
// which returns the maximum of each in kilobytes, where the system reports it.
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

// highWater returns the peak memory of a process so far, 0 where the system does not
// report it.
func highWater(pid int) int64 {
	status, _ := statusOf(pid)
	return int64(status["VmHWM"])
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

func megabytes(file string) int64 {
	info, err := os.Stat(file)
	if err != nil {
		return 0
	}
	return info.Size() >> 20
}
