package local

import (
	"runtime"
	"syscall"
)

// niceness is that of a thread that most others go before: it has a tenth of a
// processor that another one keeps busy.
const niceness = 10

// lowerThreadPriority has the rest of the goroutine run on a thread that stays behind others of the
// machine, and ends with it: on Linux priorities are those of threads (setpriority(2), "C
// library/kernel differences"). An error changes nothing.
func lowerThreadPriority() {
	runtime.LockOSThread()
	if now, err := syscall.Getpriority(syscall.PRIO_PROCESS, 0); err == nil && now > 20-niceness { // the call gives 20 less the niceness
		_ = syscall.Setpriority(syscall.PRIO_PROCESS, 0, niceness)
	}
}
