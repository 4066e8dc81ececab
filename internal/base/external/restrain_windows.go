package external

import (
	"syscall"

	"golang.org/x/sys/windows"
)

// maxMemory is the memory in bytes that a process may take. A page takes 150 MB.
const maxMemory = 2 << 30

// attributes keeps the process without a console window, and behind others.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{HideWindow: true, CreationFlags: windows.CREATE_NO_WINDOW | windows.BELOW_NORMAL_PRIORITY_CLASS}
}

// restrain bounds what a process that was started takes, and has it end with this program. An
// error changes nothing.
func restrain(pid int) (release func()) { return Contain(pid, maxMemory) }
