package docs

import (
	"errors"
	"path/filepath"
)

// ErrAway says that the files of a folder cannot be seen from this machine.
var ErrAway = errors.New("its files are on other machines")

// NewRemote is a folder whose files are on other machines: nothing is read of it, but its
// documents have a path. Until Stand tells where that is, it is called by a name.
func NewRemote(name string) *Folder {
	f := newFolder()
	f.SetDir(string(filepath.Separator) + name)
	return f
}

// IsRemote tells whether the folder is one of other machines.
func (f *Folder) IsRemote() bool { return f.away.Load() != nil }

// SetDir says which path a folder that is away has on the machines that see it.
func (f *Folder) SetDir(dir string) { f.away.Store(&dir) }
