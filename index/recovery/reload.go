package recovery

import (
	"context"
	"fmt"
	"time"

	"vademecum/index/catalog"
	"vademecum/index/ingest"
	"vademecum/index/live"
	"vademecum/index/search"
)

// Reload makes memory anew from the catalogues when it is torn. Until it is
// through, questions are answered from what there was. The caller holds the
// turn.
func (r *Recovery) Reload(ctx context.Context) error {
	if !r.Store.IsHalfChanged() {
		return nil
	}
	r.reloaded.Store(time.Now().UnixNano())
	r.Log.Warn("the index is loaded again after an internal error")
	err := r.Guard.Catch("load the index again", func() error {
		texts, err := r.sentTexts(ctx)
		if err != nil {
			return err
		}
		return r.Store.Reload(ctx, texts)
	})
	if err != nil {
		return fmt.Errorf("load the index again: %w", err)
	}
	r.Embedding.Wake()
	return nil
}

// sentTexts are the texts that clients sent, analysed anew.
func (r *Recovery) sentTexts(ctx context.Context) ([]catalog.Entry, error) {
	var texts []catalog.Entry
	for _, d := range r.Store.DocumentsIn(search.NoFolder, live.AnyPath) {
		p, err := ingest.PrepareText(ctx, ingest.DocumentOfText(d.Body.Text))
		if err != nil {
			return nil, err
		}
		texts = append(texts, p.Entry)
	}
	return texts, nil
}

// HasReloaded reports whether that was tried a moment ago.
func (r *Recovery) HasReloaded() bool { return isRecent(&r.reloaded, RetryAfter) }
