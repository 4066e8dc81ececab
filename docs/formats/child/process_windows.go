package child

import (
	"syscall"
	"time"
)

const createNoWindow = 0x08000000 // CREATE_NO_WINDOW of CreateProcess

// processAttributes starts the child without a console window.
func processAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{HideWindow: true, CreationFlags: createNoWindow}
}

func prepareProcess() {}

// processorTime returns the processor time used by this process, or 0 if unknown.
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

// durationOf converts a duration that Windows counts in units of 100 ns.
func durationOf(f syscall.Filetime) time.Duration {
	return time.Duration(uint64(f.HighDateTime)<<32|uint64(f.LowDateTime)) * 100
}
