//go:build unix

package external

import "syscall"

// behind is the niceness of a low-priority process (setpriority(2)): it gets a tenth of a processor
// that another process keeps busy. With the lowest priority it would get a hundredth, and a page
// would take minutes.
const behind = 10

// restrain lowers the priority of a running process, and limits its resources if the system allows
// it. Errors are ignored.
func restrain(pid int) (release func()) {
	_ = syscall.Setpriority(syscall.PRIO_PROCESS, pid, behind)
	bound(pid)
	return func() {}
}
