//go:build unix

package external

import "syscall"

// behind is the niceness of a process that most others go before (setpriority(2)): it has a
// tenth of a processor that another one keeps busy. With the lowest it would have a hundredth,
// and a page would take minutes.
const behind = 10

// restrain lowers the priority of a running process, and limits its resources where the
// system can. Errors are ignored.
func restrain(pid int) (release func()) {
	_ = syscall.Setpriority(syscall.PRIO_PROCESS, pid, behind)
	bound(pid)
	return func() {}
}
