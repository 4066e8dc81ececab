package child

import (
	"math"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// A memoryWatch ends the process if its memory exceeds a limit in bytes.
type memoryWatch struct{ bytes atomic.Uint64 }

// memorySample is the interval at which memory use is measured: short enough that even a reader
// that does nothing but allocate memory hardly exceeds the limit.
const memorySample = 20 * time.Millisecond

func watchMemory() *memoryWatch {
	w := &memoryWatch{}
	w.bytes.Store(math.MaxUint64)
	go func() {
		used := memoryUse()
		for range time.Tick(memorySample) {
			if used() > w.bytes.Load() {
				os.Exit(exitMemory)
			}
		}
	}()
	return w
}

// setLimit sets the memory limit of the whole process, in bytes. The garbage collector works harder
// well below the limit, to leave room for memory it does not count: the program itself, and code
// compiled at run time.
func (w *memoryWatch) setLimit(bytes uint64) {
	debug.SetMemoryLimit(int64(bytes / 10 * 7))
	w.bytes.Store(bytes)
}

// memoryUse returns a function that returns the bytes of memory in use: as reported by the system
// on Linux, and by the runtime elsewhere.
func memoryUse() func() uint64 {
	if f, err := os.Open("/proc/self/statm"); err == nil { // proc_pid_statm(5)
		line := make([]byte, 128)
		return func() uint64 {
			n, _ := f.ReadAt(line, 0)
			if fields := strings.Fields(string(line[:n])); len(fields) > 1 {
				pages, _ := strconv.ParseUint(fields[1], 10, 64)
				return pages * uint64(os.Getpagesize())
			}
			return 0
		}
	}
	samples := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	return func() uint64 {
		metrics.Read(samples)
		return samples[0].Value.Uint64() - samples[1].Value.Uint64()
	}
}
