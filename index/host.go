package index

import (
	"context"

	"vademecum/index/catalog/sqlite"
)

// hostKey is of the remote host that gets the texts for a model.
const hostKey = "host"

// tellHost says which host receives the text of a folder, the first time that
// it does.
func (ix *Index) tellHost(ctx context.Context, folder int, c *sqlite.Catalog) error {
	told, err := c.Value(ctx, c.ModelKey(hostKey))
	if err != nil || told == ix.host {
		return err
	}
	if ix.host != "" {
		ix.log.Warn("the text of the folder, and of questions, is sent to the host of the embedding model from now on",
			"folder", ix.folders[folder].Dir(), "host", ix.host, "model", ix.embedder.Model())
	}
	return c.SetValue(ctx, c.ModelKey(hostKey), ix.host)
}
