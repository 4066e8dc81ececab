package external

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

// AssignJobObject puts a process into a job object, which ends the process when it is released or when this
// program ends in any way. memory is the limit in bytes; 0 means none. Errors are ignored.
func AssignJobObject(pid int, memory uintptr) (release func()) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return func() {}
	}
	release = func() { _ = windows.CloseHandle(job) }
	limits := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{
		BasicLimitInformation: windows.JOBOBJECT_BASIC_LIMIT_INFORMATION{LimitFlags: windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE},
		ProcessMemoryLimit:    memory,
	}
	if memory > 0 {
		limits.BasicLimitInformation.LimitFlags |= windows.JOB_OBJECT_LIMIT_PROCESS_MEMORY
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
