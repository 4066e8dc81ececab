//go:build unix

package local

import "syscall"

// withoutWaiting makes opening a pipe that replaced a file return at once, even if its other end is
// not open.
const withoutWaiting = syscall.O_NONBLOCK
