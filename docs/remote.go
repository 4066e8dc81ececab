package docs

import (
	"errors"
	"path/filepath"
)

// ErrAway reports that the files of a folder are not accessible from this machine.
var ErrAway = errors.New("its files are on other machines")

// NewRemote returns a folder whose files are on other machines: they are not read, but
// its documents have a path. Until SetDir sets that path, name replaces it.
func NewRemote(name string) *Folder {
	f := newFolder()
	f.SetDir(string(filepath.Separator) + name)
	return f
}

// IsRemote reports whether the files of the folder are on other machines.
func (f *Folder) IsRemote() bool { return f.away.Load() != nil }

// SetDir sets the path that a remote folder has on the machines that see it.
func (f *Folder) SetDir(dir string) { f.away.Store(&dir) }
