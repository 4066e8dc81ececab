//go:build unix

package docs

import "syscall"

// withoutWaiting opens a pipe that took the place of a file at once, though it
// has no other end. Files and directories are opened as ever.
const withoutWaiting = syscall.O_NONBLOCK
