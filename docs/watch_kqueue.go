//go:build darwin || freebsd || netbsd || openbsd || dragonfly

package docs

import "syscall"

// maxWatched returns how many files and directories may be watched. These systems need an open
// descriptor for each. The rest of the limit is left for the program, which could not even read a
// file if watching took all descriptors.
func maxWatched() int {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return 0
	}
	return int(min(int64(limit.Cur/2), 1<<20))
}
