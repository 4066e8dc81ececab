//go:build unix

package local

import "syscall"

// withoutWaiting opens a pipe that took the place of a file at once, though it has no other end.
const withoutWaiting = syscall.O_NONBLOCK
