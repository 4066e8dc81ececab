//go:build race

package external

import "golang.org/x/sys/unix"

// maxMemory is none: the program of the tests is this one, and the race detector shadows
// more than there is.
const maxMemory = unix.RLIM_INFINITY
