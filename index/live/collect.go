package live

import (
	"os"
	"runtime/debug"
)

// ManyChunks is from when on memory is worth more than the time that it takes
// to collect garbage: by default Go lets it grow to twice what is in use.
const ManyChunks = 100_000

// SetGCPercent has garbage collected when memory has grown by so many percent, unless
// the operator says when.
func SetGCPercent(percent int) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(percent)
	}
}
