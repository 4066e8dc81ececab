//go:build darwin || freebsd || netbsd || openbsd || dragonfly

package docs

import "syscall"

// maxWatched returns how many files and directories may be watched. These systems watch
// by an open descriptor each; what is left is for the rest of the program, which could
// not even read a file if watching took them all.
func maxWatched() int {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return 0
	}
	return int(min(int64(limit.Cur/2), 1<<20))
}
