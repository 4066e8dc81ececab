//go:build unix

package child

import (
	"os"
	"runtime"
	"syscall"
	"time"
)

// processAttributes gives the child a process group of its own: an interrupt
// from the terminal is for the parent to handle.
func processAttributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// maxOrphan is the processor time, in seconds, after which the system ends a child. A
// reader that cannot be interrupted, such as machine code in a loop, would otherwise
// outlive a parent that was killed.
const maxOrphan = 60 * 60

// prepareProcess keeps a crash from leaving a core dump, and has Linux end the
// child, not its parent, where memory runs out (proc_pid_oom_score_adj(5)). An
// error changes nothing.
//
// The priority stays as it is: a child that waits for others would be taken
// for one that hangs.
func prepareProcess() {
	_ = syscall.Setrlimit(syscall.RLIMIT_CORE, &syscall.Rlimit{})
	_ = syscall.Setrlimit(syscall.RLIMIT_CPU, &syscall.Rlimit{Cur: maxOrphan, Max: maxOrphan})
	if runtime.GOOS == "linux" {
		_ = os.WriteFile("/proc/self/oom_score_adj", []byte("1000"), 0)
	}
}

// processorTime returns what this process has used so far, 0 if that is not
// known.
func processorTime() time.Duration {
	var used syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &used) // leaves it zero
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
