//go:build !linux

package doctor

// freeMemory reports that the free memory is unknown on this system.
func freeMemory() (bytes uint64, ok bool) { return 0, false }
