// Package system hides how operating systems differ: the cache folder and who may write
// to it, free disk space, lock files, and the programs of the desktop.
package system

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// CacheDir is the absolute path of the folder that this program keeps in the user's
// cache folder. It need not exist. The error says
// why the user has no cache folder.
func CacheDir() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(cache, "vademecum"), nil
}

// CheckOwner tells why what is at a path, and what is in it, may be the work of
// another user: one who may write there decides what the program reads, and what
// machine code it runs. Nil of what does not exist.
func CheckOwner(path string) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	}
	if why := writableByOthers(info); why != "" {
		return fmt.Errorf("%s %s", path, why)
	}
	return nil
}
