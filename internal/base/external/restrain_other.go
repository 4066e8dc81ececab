//go:build unix && !linux

package external

import "syscall"

// attributes are none: a process outlives this program by the page that it reads, at most.
func attributes() *syscall.SysProcAttr { return nil }

// bound does nothing: only Linux takes limits for another process. The size of the picture
// bounds what a page takes.
func bound(int) {}
