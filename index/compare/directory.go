package compare

import (
	"context"

	"vademecum/docs"
	"vademecum/index/catalog"
	"vademecum/index/live"
)

// An index stores the identity of the directory of its documents: an empty one in its place means
// that a drive is not mounted, and is no reason to remove them. Libraries have their own method,
// see match.go.

const directoryKey = "directory"

// LoadDirectoryIdentity loads the identity of a directory from its index into the folder.
func (c *Comparer) LoadDirectoryIdentity(ctx context.Context, folder int, opened catalog.Catalog) error {
	if c.Folders[folder].Storage.IsShared() {
		return nil
	}
	directory, err := opened.Values().Get(ctx, directoryKey)
	if err == nil {
		c.Folders[folder].RememberIdentity(directory)
	}
	return err
}

// isTrustworthy reports whether a listing can replace a scan. An empty one may be that of a mount
// point, as it was made before the directory of the folder was known.
func (c *Comparer) isTrustworthy(folder int, l docs.Listing) bool {
	return len(l.Files) > 0 || c.Folders[folder].Storage.IsShared()
}

// SaveDirectoryIdentities stores the identities of the directories of folders that have just been
// compared.
func (c *Comparer) SaveDirectoryIdentities(ctx context.Context, folders map[int]bool) {
	for i := range folders {
		f := c.Folders[i]
		directory := f.Identity()
		if f.Storage.IsShared() || directory == f.RememberedIdentity() {
			continue
		}
		if len(c.Store.DocumentsIn(i, live.AnyPath)) == 0 {
			directory = ""
		}
		f.RememberIdentity(directory)
		if !c.Leads(i) {
			continue
		}
		if err := c.Store.Follower(i).Values().Set(ctx, directoryKey, directory); err != nil {
			c.Log.Debug("could not note the directory of the index", "folder", f.Dir(), "error", err)
		}
	}
}
