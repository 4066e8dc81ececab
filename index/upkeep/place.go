package upkeep

import (
	"context"
	"path/filepath"

	"vademecum/index/catalog"
)

// placeKey is where the folder is on the machine that indexes it: documents have the
// same URIs on machines that do not see it.
const placeKey = "place"

// agreeOnPlace says where a folder is that other machines may serve, unless one has
// said so, or takes over what one has said that sees it.
func (k *Keeper) agreeOnPlace(ctx context.Context, folder int, c catalog.Catalog) error {
	f := k.folders[folder]
	if !f.Home.IsShared() {
		return nil
	}
	told, err := c.Values().Get(ctx, placeKey)
	switch {
	case err != nil:
		return err
	case !f.IsAway() && told == "":
		return c.Values().Set(ctx, placeKey, f.Dir())
	case f.IsAway() && told == "":
		return catalog.ErrAbsent
	case f.IsAway() && filepath.IsAbs(told):
		f.Stand(told)
	}
	return nil
}

// tellPlace says where the folder is on this machine, which indexes it now.
func (k *Keeper) tellPlace(ctx context.Context, folder int) {
	f, c := k.folders[folder], k.store.Follower(folder)
	told, err := c.Values().Get(ctx, placeKey)
	if err == nil && told != f.Dir() {
		err = c.Values().Set(ctx, placeKey, f.Dir())
	}
	if err != nil && ctx.Err() == nil && !catalog.IsOfDatabase(err) { // the loop tells
		k.log.Warn("could not say where the folder is", "folder", f.Dir(), "error", err)
	}
}
