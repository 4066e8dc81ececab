//go:build unix

package doctor

import (
	"os/exec"
	"syscall"
)

// setProcessGroup starts a command in a process group of its own, so that its children can be ended
// with it.
func setProcessGroup(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// endGroup asks all processes in the process group of a command to end, or kills them if kill is
// set.
func endGroup(c *exec.Cmd, kill bool) {
	signal := syscall.SIGTERM
	if kill {
		signal = syscall.SIGKILL
	}
	_ = syscall.Kill(-c.Process.Pid, signal) // it fails if the group has already ended
}
