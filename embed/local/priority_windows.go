package local

import (
	"runtime"

	"golang.org/x/sys/windows"
)

var setThreadPriority = windows.NewLazySystemDLL("kernel32.dll").NewProc("SetThreadPriority")

// lowerThreadPriority makes the rest of the goroutine run on a thread that yields to other threads
// on the machine, and ends with the goroutine. If that fails, the priority stays.
func lowerThreadPriority() {
	const belowNormal = ^uintptr(0) // THREAD_PRIORITY_BELOW_NORMAL, -1
	runtime.LockOSThread()
	_, _, _ = setThreadPriority.Call(uintptr(windows.CurrentThread()), belowNormal)
}
