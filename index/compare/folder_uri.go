package compare

import (
	"context"
	"path/filepath"

	"vademecum/index/catalog"
)

// placeKey is where the folder is on the machine that indexes it: documents have the
// same URIs on machines that do not see it.
const placeKey = "place"

// AgreeOnPath says where a folder is that other machines may serve, unless one has
// said so, or takes over what one has said that sees it.
func (c *Comparer) AgreeOnPath(ctx context.Context, folder int, opened catalog.Catalog) error {
	f := c.Folders[folder]
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
		return catalog.ErrAbsent
	case f.IsRemote() && filepath.IsAbs(told):
		f.SetDir(told)
	}
	return nil
}

// SavePath says where the folder is on this machine, which indexes it now.
func (c *Comparer) SavePath(ctx context.Context, folder int) {
	f, opened := c.Folders[folder], c.Store.Follower(folder)
	told, err := opened.Values().Get(ctx, placeKey)
	if err == nil && told != f.Dir() {
		err = opened.Values().Set(ctx, placeKey, f.Dir())
	}
	if err != nil && ctx.Err() == nil && !catalog.IsDatabaseError(err) { // the loop tells
		c.Log.Warn("could not say where the folder is", "folder", f.Dir(), "error", err)
	}
}
