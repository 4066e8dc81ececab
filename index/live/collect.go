package live

import (
	"os"
	"runtime/debug"
)

// ManyChunksThreshold is the number of chunks from which memory matters more than the time of garbage
// collection. By default, Go lets the heap grow to twice its live size.
const ManyChunksThreshold = 100_000

// SetGCPercent sets the garbage collection target in percent, unless the operator has set GOGC.
func SetGCPercent(percent int) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(percent)
	}
}
