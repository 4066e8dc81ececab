package live

import (
	"os"
	"runtime/debug"
)

// ManyChunks is the number of chunks from which on memory matters more than the time of garbage
// collection: by default Go lets it grow to twice what is in use.
const ManyChunks = 100_000

// SetGCPercent sets the garbage collection target in percent, unless the operator has set it.
func SetGCPercent(percent int) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(percent)
	}
}
