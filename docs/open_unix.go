//go:build unix

package docs

import "syscall"

// withoutWaiting makes opening return at once for a pipe that took the place of a file and has no
// writer. It makes no difference for files and directories.
const withoutWaiting = syscall.O_NONBLOCK
