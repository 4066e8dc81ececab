package docs

import (
	"errors"
	"io"
	"io/fs"
	"os"
)

// The path of an unmounted drive may be an empty directory, its mount point. Then the
// folder is missing, and its files were not deleted.

// errUnmounted reports that a folder looks unmounted.
var errUnmounted = errors.New("empty, and not the directory that it was")

// Identity returns an identifier of the folder's current directory, "" if unknown.
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

// RememberIdentity makes an empty directory of another identity count as missing. "" is no
// identity: nothing is known of an earlier directory.
func (f *Folder) RememberIdentity(identity string) { f.known.Store(&identity) }

// RememberedIdentity returns the identity remembered last.
func (f *Folder) RememberedIdentity() string {
	if known := f.known.Load(); known != nil {
		return *known
	}
	return ""
}

// checkMounted fails when what is at the path of the folder is only the place for it.
func (f *Folder) checkMounted(there fs.FileInfo) error {
	known := f.RememberedIdentity()
	if now := directoryID(there); known == "" || now == "" || now == known {
		return nil
	}
	dir, err := os.Open(f.real)
	if err != nil {
		return nil // which the next to open it reports
	}
	defer dir.Close()
	if _, err := dir.Readdirnames(1); errors.Is(err, io.EOF) {
		return errUnmounted
	}
	return nil
}
