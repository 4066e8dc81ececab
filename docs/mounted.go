package docs

import (
	"errors"
	"io"
	"io/fs"
	"os"
)

// The path of a drive that is not mounted may lead to an empty directory, its mount
// point. Then the folder is missing: nobody has deleted all that was in it.

// errUnmounted says that a folder looks so.
var errUnmounted = errors.New("empty, and not the directory that it was")

// Identity tells the directory that the folder is now from others, "" where that is not
// known.
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

// RememberIdentity has an empty directory of another identity count as missing from now on. ""
// is none: nothing is known of what was in the folder.
func (f *Folder) RememberIdentity(identity string) { f.known.Store(&identity) }

// RememberedIdentity is the identity that was remembered last.
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
