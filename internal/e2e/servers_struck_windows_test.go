package e2e

import (
	"fmt"
	"syscall"
)

// endingSignals is empty: programs of this system are ended by closing their input, or killed.
var endingSignals []ending

// stop stops a server, and goOn lets it go on.
var (
	stop = callOnProcess("NtSuspendProcess")
	goOn = callOnProcess("NtResumeProcess")
)

// callOnProcess calls a function of the system that takes a process.
func callOnProcess(name string) func(s *client) error {
	function := syscall.NewLazyDLL("ntdll.dll").NewProc(name)
	return func(s *client) error {
		const suspendAndResume = 0x800 // the right to do so
		process, err := syscall.OpenProcess(suspendAndResume, false, uint32(s.cmd.Process.Pid))
		if err != nil {
			return err
		}
		defer syscall.CloseHandle(process)
		if status, _, _ := function.Call(uintptr(process)); status != 0 {
			return fmt.Errorf("%s: status %x", name, status)
		}
		return nil
	}
}
