package doctor

import (
	"os/exec"
	"strconv"
	"syscall"
)

const createNoWindow = 0x08000000 // CREATE_NO_WINDOW of CreateProcess

// setProcessGroup starts a command without a console window.
func setProcessGroup(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{HideWindow: true, CreationFlags: createNoWindow}
}

// endGroup asks all processes in the process group of a command to end, or kills them if kill is
// set.
func endGroup(c *exec.Cmd, _ bool) {
	// fails if it has already ended
	_ = exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(c.Process.Pid)).Run()
}
