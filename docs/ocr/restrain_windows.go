package ocr

import (
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// maxMemory is the memory in bytes that a process may take. A page takes 150 MB.
const maxMemory = 2 << 30

// attributes keeps the process without a console window, and behind others.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{HideWindow: true, CreationFlags: windows.CREATE_NO_WINDOW | windows.BELOW_NORMAL_PRIORITY_CLASS}
}

// restrain bounds what a process that was started takes, and has it end with this program: by
// a job, which is there until it is released or nobody has it any more. An error changes nothing.
func restrain(pid int) (release func()) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return func() {}
	}
	release = func() { _ = windows.CloseHandle(job) }
	limits := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{
		BasicLimitInformation: windows.JOBOBJECT_BASIC_LIMIT_INFORMATION{LimitFlags: windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE | windows.JOB_OBJECT_LIMIT_PROCESS_MEMORY},
		ProcessMemoryLimit:    maxMemory,
	}
	if _, err := windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation, uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits))); err != nil {
		return release
	}
	process, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(pid))
	if err != nil {
		return release
	}
	_ = windows.AssignProcessToJobObject(job, process)
	_ = windows.CloseHandle(process)
	return release
}
