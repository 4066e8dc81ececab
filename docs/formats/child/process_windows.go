package child

import (
	"syscall"
	"time"
)

const createNoWindow = 0x08000000 // CREATE_NO_WINDOW of CreateProcess

// processAttributes keeps the child without a console window.
func processAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{HideWindow: true, CreationFlags: createNoWindow}
}

func prepareProcess() {}

// processorTime returns what this process has used so far, 0 if that is not
// known.
func processorTime() time.Duration {
	self, err := syscall.GetCurrentProcess()
	if err != nil {
		return 0
	}
	var created, ended, kernel, user syscall.Filetime
	if err := syscall.GetProcessTimes(self, &created, &ended, &kernel, &user); err != nil {
		return 0
	}
	return durationOf(kernel) + durationOf(user)
}

// durationOf returns a span of time, which Windows counts in 100 ns.
func durationOf(f syscall.Filetime) time.Duration {
	return time.Duration(uint64(f.HighDateTime)<<32|uint64(f.LowDateTime)) * 100
}
