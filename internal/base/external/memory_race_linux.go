//go:build race

package external

import "golang.org/x/sys/unix"

// maxMemory is unlimited: in tests the child is the test program, and the race detector maps more
// shadow memory than there is memory.
const maxMemory = unix.RLIM_INFINITY
