//go:build race

package external

import "golang.org/x/sys/unix"

// maxMemory is unlimited: in tests the child is the test program, and the race detector
// shadows more memory than there is.
const maxMemory = unix.RLIM_INFINITY
