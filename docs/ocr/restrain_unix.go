//go:build unix

package ocr

import "syscall"

// lowest is the priority of a process that everything else goes before (setpriority(2)).
const lowest = 19

func attributes() *syscall.SysProcAttr { return nil }

// restrain has a process that was started stay behind all others, and bounds what it
// takes where that can be done. An error changes nothing.
func restrain(pid int) {
	_ = syscall.Setpriority(syscall.PRIO_PROCESS, pid, lowest)
	bound(pid)
}
