// This file tells how much a disk has free.

package system

import (
	"os"
	"path/filepath"
)

// FreeBytes is how many bytes the user may write to the disk on which a path lies, or will lie
// once it is made; ok is false where the system does not tell.
func FreeBytes(path string) (bytes uint64, ok bool) { return freeBytesOn(ExistingAncestor(path)) }

// ExistingAncestor is a path, or the nearest folder above it that is there.
func ExistingAncestor(path string) string {
	for {
		if _, err := os.Stat(path); err == nil || filepath.Dir(path) == path {
			return path
		}
		path = filepath.Dir(path)
	}
}
