//go:build unix && !linux

package external

import "syscall"

// attributes returns nil: on this system a process may outlive this program until it has finished
// its work.
func attributes() *syscall.SysProcAttr { return nil }

// bound does nothing, because only Linux allows setting the limits of another process. The memory
// for recognising text is limited by the size of the picture.
func bound(int) {}
