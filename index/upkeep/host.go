package upkeep

import (
	"context"

	"vademecum/index/catalog"
)

// hostKey is of the remote host that gets the texts for a model.
const hostKey = "host"

// tellHost says which host receives the text of a folder, the first time that
// it does.
func (k *Keeper) tellHost(ctx context.Context, folder int, c catalog.Catalog) error {
	told, err := c.Values().Get(ctx, c.Values().ModelKey(hostKey))
	host := k.store.Model.Host
	if err != nil || told == host {
		return err
	}
	if host != "" {
		k.log.Warn("the text of the folder, and of questions, is sent to the host of the embedding model from now on",
			"folder", k.folders[folder].Dir(), "host", host, "model", k.store.Embedder.Model())
	}
	return c.Values().Set(ctx, c.Values().ModelKey(hostKey), host)
}
