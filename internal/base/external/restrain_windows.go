package external

import (
	"syscall"

	"golang.org/x/sys/windows"
)

// maxMemory is the memory limit of a process, in bytes. Recognising a page takes 150 MB.
const maxMemory = 2 << 30

// attributes returns attributes that start a process without a console window and at low priority.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{HideWindow: true, CreationFlags: windows.CREATE_NO_WINDOW | windows.BELOW_NORMAL_PRIORITY_CLASS}
}

// restrain limits the resources of a running process and makes it end with this program. Errors are
// ignored.
func restrain(pid int) (release func()) { return AssignJobObject(pid, maxMemory) }
