package extract

import "syscall"

const createNoWindow = 0x08000000 // CREATE_NO_WINDOW of CreateProcess

// childAttributes keeps the child without a console window.
func childAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{HideWindow: true, CreationFlags: createNoWindow}
}

func prepareChild() {}
