package cli

import (
	"fmt"
	"strconv"
	"syscall"
)

// leastSpace is the smallest limit of address space, in bytes, with which the program can run. Go's
// runtime reserves 1.3 GB when it starts, and uses little of that. With a lower limit it crashes
// sooner or later with a stack trace; below about 0.8 GB that is before any code of this program
// runs.
const leastSpace = 1400 << 20

// checkSpace returns an error if the limit of address space (RLIMIT_AS) is too low for the program.
func checkSpace() error {
	var limit syscall.Rlimit
	if strconv.IntSize < 64 || syscall.Getrlimit(syscall.RLIMIT_AS, &limit) != nil || uint64(limit.Cur) >= leastSpace {
		return nil
	}
	return fmt.Errorf("the limit of address space (ulimit -v) is %d kB, and the program reserves more than that, though it uses little of it\nhint: lift it for this program, ulimit -v unlimited, or raise it to 2 GB: ulimit -v 2097152", limit.Cur>>10)
}
