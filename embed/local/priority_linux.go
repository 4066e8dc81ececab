package local

import (
	"runtime"
	"syscall"
)

// niceness is the niceness of a thread that yields to most others: it gets a tenth of a processor
// that another thread keeps busy.
const niceness = 10

// lowerThreadPriority makes the rest of the goroutine run on a thread that yields to other threads
// on the machine, and ends with the goroutine: on Linux, priorities belong to threads
// (setpriority(2), "C library/kernel differences"). If that fails, the priority stays.
func lowerThreadPriority() {
	runtime.LockOSThread()
	// the system call returns 20 minus the niceness
	if now, err := syscall.Getpriority(syscall.PRIO_PROCESS, 0); err == nil && now > 20-niceness {
		_ = syscall.Setpriority(syscall.PRIO_PROCESS, 0, niceness)
	}
}
