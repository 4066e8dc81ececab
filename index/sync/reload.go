package sync

import (
	"context"
	"fmt"
	"time"

	"vademecum/index/catalog"
	"vademecum/index/ingest"
	"vademecum/index/live"
	"vademecum/index/search"
)

// Reload rebuilds memory from the catalogues if a change was interrupted half-way. Meanwhile
// queries are answered from the old content. The caller holds the turn.
func (s *Syncer) Reload(ctx context.Context) error {
	if !s.Store.IsPartiallyUpdated() {
		return nil
	}
	s.reloaded.Store(time.Now().UnixNano())
	s.Log.Warn("the index is loaded again after an internal error")
	err := s.Guard.Catch("load the index again", func() error {
		texts, err := s.sentTexts(ctx)
		if err != nil {
			return err
		}
		return s.Store.Reload(ctx, texts)
	})
	if err != nil {
		return fmt.Errorf("load the index again: %w", err)
	}
	s.Embedding.Wake()
	return nil
}

// sentTexts returns the texts sent by clients, analysed again.
func (s *Syncer) sentTexts(ctx context.Context) ([]catalog.Entry, error) {
	var texts []catalog.Entry
	for _, d := range s.Store.DocumentsIn(search.NoFolder, live.AnyPath) {
		p, err := ingest.PrepareText(ctx, ingest.DocumentOfText(d.Body.Text))
		if err != nil {
			return nil, err
		}
		texts = append(texts, p.Entry)
	}
	return texts, nil
}

// HasReloaded reports whether a reload was attempted recently.
func (s *Syncer) HasReloaded() bool { return isRecent(&s.reloaded, RepairRetryInterval) }
