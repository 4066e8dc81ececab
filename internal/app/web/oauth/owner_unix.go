//go:build unix

package oauth

import (
	"os"
	"syscall"
)

// copyOwner gives a new file the owner of the file that it will replace: after a command of the
// administrator the server must still be able to read it.
func copyOwner(f *os.File, of string) error {
	uid, gid, ok := ownerFor(of)
	if !ok {
		return nil
	}
	return f.Chown(uid, gid)
}

// giveToOwnerOf gives a file that the administrator may have created the owner of another one, if
// possible, as the server has to lock it.
func giveToOwnerOf(file, of string) {
	if uid, gid, ok := ownerFor(of); ok {
		_ = os.Lchown(file, uid, gid) // if that fails, the server reports that it cannot lock the file
	}
}

// ownerFor returns the owner for a file written by the administrator, which is that of the existing
// file. ok is false if the file does not exist or this is not the administrator.
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

// isTrusted reports whether a link belongs to this user or the administrator.
func isTrusted(link os.FileInfo) bool {
	s, ok := link.Sys().(*syscall.Stat_t)
	return ok && (s.Uid == 0 || int(s.Uid) == os.Geteuid())
}
