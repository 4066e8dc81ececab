//go:build unix && !linux

package external

import "syscall"

// attributes returns nil: on this system a process may outlive this program until it has finished
// its page.
func attributes() *syscall.SysProcAttr { return nil }

// bound does nothing: only Linux allows setting the limits of another process. The size of the
// picture limits the memory for a page.
func bound(int) {}
