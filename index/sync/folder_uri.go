package sync

import (
	"context"
	"path/filepath"

	"vademecum/index/catalog"
)

// placeKey is the key of the folder's path on the machine that indexes it. Machines that do not see
// the folder use this path, so that its documents have the same URIs everywhere.
const placeKey = "place"

// AgreeOnPath stores the path of a folder that other machines may serve, unless a path is already
// stored. On a machine that does not see the folder, it uses the path stored by one that does.
func (s *Syncer) AgreeOnPath(ctx context.Context, folder int, opened catalog.Catalog) error {
	f := s.Folders[folder]
	if !f.Storage.IsShared() {
		return nil
	}
	told, err := opened.Values().Get(ctx, placeKey)
	switch {
	case err != nil:
		return err
	case !f.IsRemote() && told == "":
		return opened.Values().Set(ctx, placeKey, f.Dir())
	case f.IsRemote() && told == "":
		return catalog.ErrLibraryNotFound
	case f.IsRemote() && filepath.IsAbs(told):
		f.SetDir(told)
	}
	return nil
}

// SavePath stores the path of the folder on this machine, which is now the indexer.
func (s *Syncer) SavePath(ctx context.Context, folder int) {
	f, opened := s.Folders[folder], s.Store.Follower(folder)
	told, err := opened.Values().Get(ctx, placeKey)
	if err == nil && told != f.Dir() {
		err = opened.Values().Set(ctx, placeKey, f.Dir())
	}
	if err != nil && ctx.Err() == nil && !catalog.IsDatabaseError(err) { // the loop logs it
		s.Log.Warn("could not say where the folder is", "folder", f.Dir(), "error", err)
	}
}
