//go:build unix

package extract

import "syscall"

// childAttributes gives the child a process group of its own: an interrupt
// from the terminal is for the parent to handle.
func childAttributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// prepareChild keeps a crash from leaving a core dump. An error changes
// nothing.
//
// The priority stays as it is: a child that waits for others would be taken
// for one that hangs.
func prepareChild() { _ = syscall.Setrlimit(syscall.RLIMIT_CORE, &syscall.Rlimit{}) }
