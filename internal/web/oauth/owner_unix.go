//go:build unix

package oauth

import (
	"os"
	"syscall"
)

// copyOwner gives a file the owner of the one that it takes the place of: a command of the
// administrator must not keep the server from reading it.
func copyOwner(f *os.File, of string) error {
	uid, gid, ok := ownerFor(of)
	if !ok {
		return nil
	}
	return f.Chown(uid, gid)
}

// leaveToOwner gives a file that the administrator may have made beside another the owner of
// that, where it can: the server takes the same lock.
func leaveToOwner(file, of string) {
	if uid, gid, ok := ownerFor(of); ok {
		_ = os.Lchown(file, uid, gid) // the server says if it cannot take it
	}
}

// ownerFor is whom what the administrator writes beside a file has to belong to. There is none
// where the file is not there, and nobody but the owner writes without their rights.
func ownerFor(of string) (uid, gid int, ok bool) {
	info, err := os.Stat(of)
	if err != nil || os.Geteuid() != 0 {
		return 0, 0, false
	}
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, 0, false
	}
	return int(s.Uid), int(s.Gid), true
}

// isTrusted tells a link that this user or the administrator has made.
func isTrusted(link os.FileInfo) bool {
	s, ok := link.Sys().(*syscall.Stat_t)
	return ok && (s.Uid == 0 || int(s.Uid) == os.Geteuid())
}
