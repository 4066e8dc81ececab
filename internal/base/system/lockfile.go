// Lock files. A link in the place of a lock file may lead elsewhere, and opening a pipe
// may block for ever.

package system

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"

	"github.com/gofrs/flock"
)

// NewLock returns a lock on a file, which is created when the lock is taken. See
// RemoveIrregular.
func NewLock(file string) *flock.Flock {
	RemoveIrregular(file)
	return flock.New(file)
}

// RemoveIrregular removes a link, pipe or socket in the place of a lock file. A folder is left,
// as it may hold files of the user, and so is what cannot be removed: opening it returns the
// reason why there is no lock.
func RemoveIrregular(file string) {
	if info, err := os.Lstat(file); err == nil && isIrregular(info) {
		removeAside(file)
	}
}

// removeAside removes something odd from the place of a lock file. If another process was
// faster and has its lock there by now, it is put back.
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

// putBack gives a file its name back, unless there is a newer one.
func putBack(aside, file string) error {
	err := os.Link(aside, file)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return nil
	}
	return os.Rename(aside, file) // a folder, or where there are no links
}

// IsLockable reports whether a file exists that can be locked.
func IsLockable(file string) bool {
	info, err := os.Lstat(file)
	return err == nil && isRegular(info)
}

func isIrregular(info fs.FileInfo) bool { return !isRegular(info) && !info.IsDir() }

func isRegular(info fs.FileInfo) bool { return info.Mode().IsRegular() }
