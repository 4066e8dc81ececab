package docs

import (
	"errors"
	"path/filepath"
)

// ErrRemoteFolder reports that the files of a folder are not accessible from this machine.
var ErrRemoteFolder = errors.New("its files are on other machines")

// NewRemote returns a folder whose files are on other machines: they cannot be read, but its
// documents have paths. name stands in for the path of the folder until SetRemoteDir sets it.
func NewRemote(name string) *Folder {
	f := newFolder()
	f.SetRemoteDir(string(filepath.Separator) + name)
	return f
}

// IsRemote reports whether the files of the folder are on other machines.
func (f *Folder) IsRemote() bool { return f.away.Load() != nil }

// SetRemoteDir sets the path of a remote folder on the machines that have access to it.
func (f *Folder) SetRemoteDir(dir string) { f.away.Store(&dir) }
