//go:build !linux

package doctor

// freeMemory is not known here.
func freeMemory() (bytes uint64, ok bool) { return 0, false }
