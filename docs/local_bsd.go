//go:build darwin || freebsd

package docs

import (
	"os"

	"golang.org/x/sys/unix"
)

// isLocal reports whether only this machine can change a directory.
func isLocal(dir *os.File) bool {
	var s unix.Statfs_t
	return unix.Fstatfs(int(dir.Fd()), &s) == nil && s.Flags&unix.MNT_LOCAL != 0
}
