package doctor

import (
	"os"
	"strconv"
	"strings"
)

// freeMemory returns how much memory is available without swapping.
func freeMemory() (bytes uint64, ok bool) {
	text, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return 0, false
	}
	_, rest, found := strings.Cut(string(text), "MemAvailable:")
	fields := strings.Fields(rest)
	if !found || len(fields) == 0 {
		return 0, false
	}
	kilobytes, err := strconv.ParseUint(fields[0], 10, 64)
	return kilobytes << 10, err == nil
}
