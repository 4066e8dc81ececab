package external

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

// Contain puts a process into a job, with which it ends: when the job is released, or when
// this program has ended in whatever way. memory is how many bytes it may take, 0 for any
// number. An error changes nothing.
func Contain(pid int, memory uintptr) (release func()) {
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
