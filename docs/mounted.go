package docs

import (
	"errors"
	"io"
	"io/fs"
	"os"
)

// The path of an unmounted drive may be an empty directory: its mount point. Then the folder is
// missing, and its files were not deleted.

// errUnmounted reports that a folder seems to be unmounted.
var errUnmounted = errors.New("empty, and not the directory that it was")

// Identity returns an identifier of the directory that was last opened as the folder, or "" if it
// is unknown.
func (f *Folder) Identity() string {
	root := f.lastRoot()
	if root == nil {
		return ""
	}
	info, err := root.Stat(".")
	if err != nil {
		return ""
	}
	return directoryID(info)
}

// ExpectIdentity makes an empty directory count as missing if its identity differs. "" means that
// no earlier directory is known.
func (f *Folder) ExpectIdentity(identity string) { f.known.Store(&identity) }

// ExpectedIdentity returns the identity last given to ExpectIdentity; "" if there is none.
func (f *Folder) ExpectedIdentity() string {
	if known := f.known.Load(); known != nil {
		return *known
	}
	return ""
}

// checkMounted returns errUnmounted if the directory at the path of the folder is empty and not the one
// expected, as when only the mount point of a drive is left.
func (f *Folder) checkMounted(there fs.FileInfo) error {
	known := f.ExpectedIdentity()
	if now := directoryID(there); known == "" || now == "" || now == known {
		return nil
	}
	dir, err := os.Open(f.real)
	if err != nil {
		return nil // the next attempt to open it reports the error
	}
	defer dir.Close()
	if _, err := dir.Readdirnames(1); errors.Is(err, io.EOF) {
		return errUnmounted
	}
	return nil
}
