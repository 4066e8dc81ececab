//go:build unix

package oauth

import (
	"os"
	"syscall"
)

// copyOwner gives a file the owner of the one that it takes the place of: a command of the
// administrator must not keep the server from reading it.
func copyOwner(f *os.File, of string) error {
	info, err := os.Stat(of)
	if err != nil || os.Geteuid() != 0 {
		return nil // there is none, or nobody but the owner writes here
	}
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return nil
	}
	return f.Chown(int(s.Uid), int(s.Gid))
}

// isTrusted tells a link that this user or the administrator has made.
func isTrusted(link os.FileInfo) bool {
	s, ok := link.Sys().(*syscall.Stat_t)
	return ok && (s.Uid == 0 || int(s.Uid) == os.Geteuid())
}
