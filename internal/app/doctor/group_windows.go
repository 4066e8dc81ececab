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

// endGroup ends the process of a command and its children, which can be found only while the
// process is running.
func endGroup(c *exec.Cmd, _ bool) {
	// fails if it has already ended
	_ = exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(c.Process.Pid)).Run()
}
