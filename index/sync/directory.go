package sync

import (
	"context"

	"vademecum/docs"
	"vademecum/index/catalog"
	"vademecum/index/live"
)

// An index stores the identity of the directory of its documents: if another, empty directory is in
// its place, a drive is probably not mounted, and the documents must not be removed. Libraries use
// a different check, see match.go.

const directoryKey = "directory"

// LoadDirectoryIdentity loads the stored identity of a folder's directory into the folder.
func (c *Comparer) LoadDirectoryIdentity(ctx context.Context, folder int, opened catalog.Catalog) error {
	if c.Folders[folder].Storage.IsShared() {
		return nil
	}
	directory, err := opened.Values().Get(ctx, directoryKey)
	if err == nil {
		c.Folders[folder].ExpectIdentity(directory)
	}
	return err
}

// isTrustworthy reports whether a listing can replace a scan. An empty listing may be that of an
// unused mount point, because it was made before the identity of the folder's directory was loaded.
func (c *Comparer) isTrustworthy(folder int, l docs.Listing) bool {
	return len(l.Files) > 0 || c.Folders[folder].Storage.IsShared()
}

// SaveDirectoryIdentities stores the directory identities of folders that were just compared.
func (c *Comparer) SaveDirectoryIdentities(ctx context.Context, folders map[int]bool) {
	for i := range folders {
		f := c.Folders[i]
		directory := f.Identity()
		if f.Storage.IsShared() || directory == f.ExpectedIdentity() {
			continue
		}
		if len(c.Store.DocumentsIn(i, live.AnyPath)) == 0 {
			directory = ""
		}
		f.ExpectIdentity(directory)
		if !c.IsIndexer(i) {
			continue
		}
		if err := c.Store.Follower(i).Values().Set(ctx, directoryKey, directory); err != nil {
			c.Log.Debug("could not note the directory of the index", "folder", f.Dir(), "error", err)
		}
	}
}
