package upkeep

import (
	"context"

	"vademecum/docs"
	"vademecum/index/catalog"
	"vademecum/index/live"
)

// An index notes which directory its documents are from: an empty one in its place is
// where a drive is not mounted, and no reason to forget them. Libraries have means of
// their own, see unlike.go.

const directoryKey = "directory"

// recallDirectory has a folder know the directory that its index has noted.
func (k *Keeper) recallDirectory(ctx context.Context, folder int, c catalog.Catalog) error {
	if k.folders[folder].Home.IsShared() {
		return nil
	}
	directory, err := c.Values().Get(ctx, directoryKey)
	if err == nil {
		k.folders[folder].Remember(directory)
	}
	return err
}

// isOfFolder tells whether a listing may stand for a scan. An empty one may be of a mount
// point, as it was made before the directory of the folder was recalled.
func (k *Keeper) isOfFolder(folder int, l docs.Listing) bool {
	return len(l.Files) > 0 || k.folders[folder].Home.IsShared()
}

// rememberDirectories notes the directories of folders that have just been compared.
func (k *Keeper) rememberDirectories(ctx context.Context, folders map[int]bool) {
	for i := range folders {
		f := k.folders[i]
		directory := f.Identity()
		if f.Home.IsShared() || directory == f.Remembered() {
			continue
		}
		if len(k.store.DocumentsIn(i, live.Anywhere)) == 0 {
			directory = ""
		}
		f.Remember(directory)
		if !k.peers.Leads(i) {
			continue
		}
		if err := k.store.Follower(i).Values().Set(ctx, directoryKey, directory); err != nil {
			k.log.Debug("could not note the directory of the index", "folder", f.Dir(), "error", err)
		}
	}
}
