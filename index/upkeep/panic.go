package upkeep

import (
	"context"
	"fmt"
	"time"

	"vademecum/index/catalog"
	"vademecum/index/ingest"
	"vademecum/index/live"
	"vademecum/index/search"
)

// reload makes memory anew from the catalogues when it is torn. Until it is
// through, questions are answered from what there was. The caller holds the
// token of k.syncing.
func (k *Keeper) reload(ctx context.Context) error {
	if !k.store.IsTorn() {
		return nil
	}
	k.reloaded.Store(time.Now().UnixNano())
	k.log.Warn("the index is loaded again after an internal error")
	err := k.guard.Catch("load the index again", func() error {
		texts, err := k.sentTexts(ctx)
		if err != nil {
			return err
		}
		return k.store.Reload(ctx, texts)
	})
	if err != nil {
		return fmt.Errorf("load the index again: %w", err)
	}
	k.Embedding.Wake()
	return nil
}

// sentTexts are the texts that clients sent, analysed anew.
func (k *Keeper) sentTexts(ctx context.Context) ([]catalog.Entry, error) {
	var texts []catalog.Entry
	for _, d := range k.store.DocumentsIn(search.NoFolder, live.Anywhere) {
		p, err := ingest.Text(ctx, ingest.OfText(d.Body.Text))
		if err != nil {
			return nil, err
		}
		texts = append(texts, p.Entry)
	}
	return texts, nil
}
