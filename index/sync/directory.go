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
func (s *Syncer) LoadDirectoryIdentity(ctx context.Context, folder int, opened catalog.Catalog) error {
	if s.Folders[folder].Storage.IsShared() {
		return nil
	}
	directory, err := opened.Values().Get(ctx, directoryKey)
	if err == nil {
		s.Folders[folder].ExpectIdentity(directory)
	}
	return err
}

// isTrustworthy reports whether a listing can replace a scan. An empty listing may be that of an
// unused mount point, because it was made before the identity of the folder's directory was loaded.
func (s *Syncer) isTrustworthy(folder int, l docs.Listing) bool {
	return len(l.Files) > 0 || s.Folders[folder].Storage.IsShared()
}

// SaveDirectoryIdentities stores the directory identities of folders that were just compared.
func (s *Syncer) SaveDirectoryIdentities(ctx context.Context, folders map[int]bool) {
	for i := range folders {
		f := s.Folders[i]
		directory := f.Identity()
		if f.Storage.IsShared() || directory == f.ExpectedIdentity() {
			continue
		}
		if len(s.Store.DocumentsIn(i, live.AnyPath)) == 0 {
			directory = ""
		}
		f.ExpectIdentity(directory)
		if !s.IsIndexer(i) {
			continue
		}
		if err := s.Store.Follower(i).Values().Set(ctx, directoryKey, directory); err != nil {
			s.Log.Debug("could not note the directory of the index", "folder", f.Dir(), "error", err)
		}
	}
}
