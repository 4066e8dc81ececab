package embedding

import (
	"context"

	"vademecum/index/store/catalog"
)

// EmbedHostKey is the key, for each model, of the remote host that receives the texts to embed.
const EmbedHostKey = "host"

// RecordHost logs the host that receives the text of a folder, if it differs from the recorded one.
func (s *Service) RecordHost(ctx context.Context, folder int, c catalog.Catalog) error {
	key := c.Describe().ModelKey(EmbedHostKey)
	told, err := c.Values().Get(ctx, key)
	host := s.Embedder.Properties().Host
	if err != nil || told == host {
		return err
	}
	if host != "" {
		s.Log.Warn("the text of the folder, and of questions, is sent to the host of the embedding model from now on",
			"folder", s.Folders[folder].Dir(), "host", host, "model", s.Embedder.Model())
	}
	return c.Values().Set(ctx, key, host)
}
