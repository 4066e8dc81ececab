//go:build unix && !solaris && !aix && !netbsd && !openbsd

package system

import "golang.org/x/sys/unix"

// freeBytesOn returns how many bytes a user may write to the disk of a folder.
func freeBytesOn(dir string) (bytes uint64, ok bool) {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return 0, false
	}
	return uint64(s.Bavail) * uint64(s.Bsize), true
}
