package cli

import (
	"fmt"
	"strconv"
	"syscall"
)

// leastSpace is the least limit of address space by which the program runs. Where it is
// lower, Go's runtime ends it at some moment with a trace: it reserves 1.3 GB at the
// start, of which it uses little. Below some 0.8 GB it does so before any code of ours.
const leastSpace = 1400 << 20

// checkSpace fails when there is a limit of address space (RLIMIT_AS) that the program
// cannot run with.
func checkSpace() error {
	var limit syscall.Rlimit
	if strconv.IntSize < 64 || syscall.Getrlimit(syscall.RLIMIT_AS, &limit) != nil || uint64(limit.Cur) >= leastSpace {
		return nil
	}
	return fmt.Errorf("the limit of address space (ulimit -v) is %d kB, and the program reserves more than that, though it uses little of it\nhint: lift it for this program, ulimit -v unlimited, or raise it to 2 GB: ulimit -v 2097152", limit.Cur>>10)
}
