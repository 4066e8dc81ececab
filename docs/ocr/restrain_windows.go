package ocr

import "syscall"

// Flags of CreateProcess.
const (
	createNoWindow = 0x08000000 // CREATE_NO_WINDOW
	idlePriority   = 0x00000040 // IDLE_PRIORITY_CLASS
)

// attributes keeps the process without a console window, and behind all others.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{HideWindow: true, CreationFlags: createNoWindow | idlePriority}
}

func restrain(int) {}
