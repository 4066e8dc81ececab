package ocr

import "syscall"

// Flags of CreateProcess.
const (
	createNoWindow = 0x08000000 // CREATE_NO_WINDOW
	belowNormal    = 0x00004000 // BELOW_NORMAL_PRIORITY_CLASS
)

// attributes keeps the process without a console window, and behind others.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{HideWindow: true, CreationFlags: createNoWindow | belowNormal}
}

func restrain(int) {}
