package cli

import (
	"fmt"
	"strconv"
	"syscall"
)

// leastSpace is the smallest limit of address space, in bytes, that the program can run with. Go's
// runtime reserves 1.3 GB at the start and uses little of it; below this limit it crashes sooner or
// later with a stack trace, and below about 0.8 GB before any of our code runs.
const leastSpace = 1400 << 20

// checkSpace returns an error if the limit of address space (RLIMIT_AS) is too low for the program.
func checkSpace() error {
	var limit syscall.Rlimit
	if strconv.IntSize < 64 || syscall.Getrlimit(syscall.RLIMIT_AS, &limit) != nil || uint64(limit.Cur) >= leastSpace {
		return nil
	}
	return fmt.Errorf("the limit of address space (ulimit -v) is %d kB, and the program reserves more than that, though it uses little of it\nhint: lift it for this program, ulimit -v unlimited, or raise it to 2 GB: ulimit -v 2097152", limit.Cur>>10)
}
