package external

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// attributes returns attributes that make a process end with the thread that starts it, and thus
// with this program.
func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }

func bound(pid int) {
	_ = unix.Prlimit(pid, unix.RLIMIT_AS, &unix.Rlimit{Cur: maxMemory, Max: maxMemory}, nil)
}
