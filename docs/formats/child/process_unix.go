//go:build unix

package child

import (
	"os"
	"runtime"
	"syscall"
	"time"
)

// processAttributes puts the child into its own process group: the parent handles interrupts from
// the terminal.
func processAttributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// maxOrphan is the processor time, in seconds, after which the system ends a child. Otherwise a
// reader that cannot be interrupted, such as machine code in a loop, would outlive a parent that
// was killed.
const maxOrphan = 60 * 60

// prepareProcess disables core dumps, and makes Linux kill the child rather than its parent if
// memory runs out (proc_pid_oom_score_adj(5)). Errors are ignored.
//
// It does not lower the priority: a child that gets no processor time would be mistaken for one
// that hangs.
func prepareProcess() {
	_ = syscall.Setrlimit(syscall.RLIMIT_CORE, &syscall.Rlimit{})
	_ = syscall.Setrlimit(syscall.RLIMIT_CPU, &syscall.Rlimit{Cur: maxOrphan, Max: maxOrphan})
	if runtime.GOOS == "linux" {
		_ = os.WriteFile("/proc/self/oom_score_adj", []byte("1000"), 0)
	}
}

// processorTime returns the processor time used by this process, or 0 if unknown.
func processorTime() time.Duration {
	var used syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &used) // zero on error
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
