// Lock files. A symbolic link in the place of a lock file may lead elsewhere, and opening a pipe
// may block forever.

package system

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"

	"github.com/gofrs/flock"
)

// NewFileLock returns a lock on a file, which is created when the lock is taken. It first calls
// RemoveIrregularLockFile.
func NewFileLock(file string) *flock.Flock {
	RemoveIrregularLockFile(file)
	return flock.New(file)
}

// RemoveIrregularLockFile removes a link, pipe or socket in the place of a lock file. It leaves a folder,
// which may contain files of the user, and anything that cannot be removed: opening that returns
// the reason why there is no lock.
func RemoveIrregularLockFile(file string) { RemoveLockFileIf(file, isIrregular) }

// RemoveLockFileIf removes what is in the place of a lock file if shouldRemove returns true for it.
// What cannot be removed stays there.
func RemoveLockFileIf(file string, shouldRemove func(os.FileInfo) bool) {
	if info, err := os.Lstat(file); err == nil && shouldRemove(info) {
		removeAside(file, shouldRemove)
	}
}

// removeAside removes a file from the place of a lock file. If another process has put its lock file
// there in the meantime, that is put back.
func removeAside(file string, shouldRemove func(os.FileInfo) bool) {
	aside := file + ".aside-" + rand.Text()
	if os.Rename(file, aside) != nil {
		return
	}
	if info, err := os.Lstat(aside); err == nil && !shouldRemove(info) && putBack(aside, file) != nil {
		return
	}
	_ = os.Remove(aside)
}

// putBack gives a file its original name, unless a newer file has it.
func putBack(aside, file string) error {
	err := os.Link(aside, file)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return nil
	}
	return os.Rename(aside, file) // for a folder, or if links are not supported
}

// IsLockable reports whether a file exists that can be locked.
func IsLockable(file string) bool {
	info, err := os.Lstat(file)
	return err == nil && isRegular(info)
}

func isIrregular(info fs.FileInfo) bool { return !isRegular(info) && !info.IsDir() }

func isRegular(info fs.FileInfo) bool { return info.Mode().IsRegular() }
