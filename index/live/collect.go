package live

import (
	"os"
	"runtime/debug"
	"sync"
)

// ManyChunksThreshold is the number of chunks from which memory matters more than the time of garbage
// collection. By default, Go lets the heap grow to twice its live size.
const ManyChunksThreshold = 100_000

// largeFileGCPercent is the garbage collection target while a large file is indexed. Its texts and
// vectors hold no pointers, so a collection costs little.
const largeFileGCPercent = 25

// gcPercent is the garbage collection target of the process, in percent.
var gcPercent = struct {
	sync.Mutex
	target     int
	largeFiles int // number of large files that are being indexed
}{target: 100}

// SetGCPercent sets the garbage collection target in percent, unless the operator has set GOGC.
func SetGCPercent(percent int) {
	gcPercent.Lock()
	defer gcPercent.Unlock()
	gcPercent.target = percent
	applyGCPercent()
}

// LowerGCPercent lowers the garbage collection target while a large file is indexed, until restore is
// called.
func LowerGCPercent() (restore func()) {
	addLargeFiles(1)
	return func() { addLargeFiles(-1) }
}

func addLargeFiles(n int) {
	gcPercent.Lock()
	defer gcPercent.Unlock()
	gcPercent.largeFiles += n
	applyGCPercent()
}

func applyGCPercent() {
	if os.Getenv("GOGC") != "" {
		return
	}
	percent := gcPercent.target
	if gcPercent.largeFiles > 0 {
		percent = min(percent, largeFileGCPercent)
	}
	debug.SetGCPercent(percent)
}
