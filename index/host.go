package index

import (
	"context"
	"fmt"
)

// hostKey is of the remote host that gets the texts for a model.
func hostKey(model int64) string { return fmt.Sprintf("host of model %d", model) }

// tellHost says which host receives the text of a folder, the first time that
// it does.
func (ix *Index) tellHost(ctx context.Context, folder int, c *catalogue) error {
	told, err := c.value(ctx, hostKey(c.model))
	if err != nil || told == ix.host {
		return err
	}
	if ix.host != "" {
		ix.log.Warn("the text of the folder, and of questions, is sent to the host of the embedding model from now on",
			"folder", ix.folders[folder].Dir(), "host", ix.host, "model", ix.embedder.Model())
	}
	return c.setValue(ctx, hostKey(c.model), ix.host)
}
