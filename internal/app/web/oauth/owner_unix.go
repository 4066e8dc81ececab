//go:build unix

package oauth

import (
	"os"
	"syscall"
)

// copyOwner gives a new file the owner of the file that it will replace, so that the server can
// still read the file after a command of the administrator has replaced it.
func copyOwner(f *os.File, of string) error {
	uid, gid, ok := ownerFor(of)
	if !ok {
		return nil
	}
	return f.Chown(uid, gid)
}

// giveToOwnerOf gives a file the owner of another existing file, if possible. The administrator may have
// created the file, and the server has to lock it.
func giveToOwnerOf(file, existing string) {
	if uid, gid, ok := ownerFor(existing); ok {
		_ = os.Lchown(file, uid, gid) // if that fails, the server reports that it cannot lock the file
	}
}

// ownerFor returns the owner of an existing file, to be given to a file that the administrator writes.
// ok is false if the file does not exist or this process is not the administrator's.
func ownerFor(existing string) (uid, gid int, ok bool) {
	info, err := os.Stat(existing)
	if err != nil || os.Geteuid() != 0 {
		return 0, 0, false
	}
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, 0, false
	}
	return int(s.Uid), int(s.Gid), true
}

// isTrusted reports whether a symbolic link belongs to the user of this process or the
// administrator.
func isTrusted(link os.FileInfo) bool {
	s, ok := link.Sys().(*syscall.Stat_t)
	return ok && (s.Uid == 0 || int(s.Uid) == os.Geteuid())
}
