// This file makes sure that a lock can be taken on a file: another thing in its
// place may lead elsewhere, or keep who opens it waiting for ever.

package system

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"

	"github.com/gofrs/flock"
)

// NewLock is a lock on a file, see Clear. The file is made when the lock is taken.
func NewLock(file string) *flock.Flock {
	RemoveIrregular(file)
	return flock.New(file)
}

// RemoveIrregular removes what stands in the place of a file to lock: a link, a pipe, a socket.
// A folder is left, as somebody may keep something in it, and so is what cannot be
// removed: to open those says why there is no lock.
func RemoveIrregular(file string) {
	if info, err := os.Lstat(file); err == nil && isIrregular(info) {
		removeAside(file)
	}
}

// removeAside takes what is odd out of the place of a file to lock. Another process may have
// been faster and have its lock there by now: that is put back.
func removeAside(file string) {
	aside := file + ".aside-" + rand.Text()
	if os.Rename(file, aside) != nil {
		return
	}
	if info, err := os.Lstat(aside); err == nil && !isIrregular(info) && putBack(aside, file) != nil {
		return
	}
	_ = os.Remove(aside)
}

// putBack gives a file its name again, unless there is a newer one, which counts then.
func putBack(aside, file string) error {
	err := os.Link(aside, file)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return nil
	}
	return os.Rename(aside, file) // a folder, or where there are no links
}

// IsLockable tells whether there is a file that can be locked.
func IsLockable(file string) bool {
	info, err := os.Lstat(file)
	return err == nil && isRegular(info)
}

func isIrregular(info fs.FileInfo) bool { return !isRegular(info) && !info.IsDir() }

func isRegular(info fs.FileInfo) bool { return info.Mode().IsRegular() }
