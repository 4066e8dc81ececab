// Package system hides differences between operating systems: the cache folder and its permissions,
// free disk space, lock files, and opening things on the desktop.
package system

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// CacheDir returns the absolute path of this program's folder in the user's cache folder. It need
// not exist. The error explains why there is no cache folder.
func CacheDir() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(cache, "vademecum"), nil
}

// CheckOwner returns an error if another user may have written a path or its content: such a user
// could decide what the program reads and which machine code it runs. It returns nil for a path
// that does not exist.
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
