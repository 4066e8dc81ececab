// Free disk space.

package system

import (
	"os"
	"path/filepath"
)

// FreeBytes returns how many bytes the user may write to the disk of a path, which need not exist;
// ok is false if the system does not report it.
func FreeBytes(path string) (bytes uint64, ok bool) { return freeBytesOn(ExistingAncestor(path)) }

// ExistingAncestor returns the path, or the nearest folder above it that exists.
func ExistingAncestor(path string) string {
	for {
		if _, err := os.Stat(path); err == nil || filepath.Dir(path) == path {
			return path
		}
		path = filepath.Dir(path)
	}
}
