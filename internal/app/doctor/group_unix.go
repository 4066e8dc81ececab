//go:build unix

package doctor

import (
	"os/exec"
	"syscall"
)

// setProcessGroup gives what is started a process group, so that its children can be ended
// with it.
func setProcessGroup(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// endGroup asks all processes of a group to end, or kills them.
func endGroup(c *exec.Cmd, kill bool) {
	signal := syscall.SIGTERM
	if kill {
		signal = syscall.SIGKILL
	}
	_ = syscall.Kill(-c.Process.Pid, signal) // it may have ended
}
