package embedding

import (
	"context"

	"vademecum/index/store/catalog"
)

// EmbedHostKey is the key, one for each model, under which a catalogue stores the remote host that
// receives the texts to embed.
const EmbedHostKey = "host"

// LogHostOnce logs which remote host receives the texts of a folder to embed them, and records that in
// the catalogue, if it differs from the recorded host.
func (s *Service) LogHostOnce(ctx context.Context, folder int, c catalog.Catalog) error {
	key := c.Describe().ModelScopedKey(EmbedHostKey)
	told, err := c.Value(ctx, key)
	host := s.Embedder.Properties().Host
	if err != nil || told == host {
		return err
	}
	if host != "" {
		s.Log.Warn("the text of the folder, and of questions, is sent to the host of the embedding model from now on",
			"folder", s.Folders[folder].Dir(), "host", host, "model", s.Embedder.ModelIdentity())
	}
	return c.SetValue(ctx, key, host)
}
