package cli

import (
	"context"
	"errors"

	"vademecum/docs/ocr"
	"vademecum/index"
	"vademecum/index/notice"
	"vademecum/internal/base/message"
)

// modelError reports that the embedding model has failed: documents are indexed, but some passages
// have no vectors.
type modelError struct{ error }

func (e modelError) Unwrap() error { return e.error }

// sync brings the index up to date, including vectors, and shows progress on stderr.
func (p *program) sync(ctx context.Context, ix *index.Index, scope index.Scope) (notice.Report, error) {
	watching, stop := context.WithCancel(ctx)
	shown := make(chan struct{})
	go func() {
		defer close(shown)
		p.showProgress(watching, ix)
	}()
	report, err := p.syncAndEmbed(ctx, ix, scope)
	if errors.Is(err, index.ErrDamaged) { // the damage of the index was noticed only when texts or vectors were read
		report, err = p.syncAndEmbed(ctx, ix, scope)
	}
	if p.recognises && (err == nil || isPartialFailure(err)) {
		err = errors.Join(err, p.recognise(ctx, ix, &report))
	}
	stop()
	<-shown
	return report, err
}

// scansError reports scanned pages that cannot be recognised in the languages that the user has
// named, or that wait for another attempt. Documents are indexed, but without the text of these
// pages.
type scansError struct{ error }

func (e scansError) Unwrap() error { return e.error }

// recognise recognises the text of scanned pages, after everything else, and embeds it. A failure
// is only added as a note, unless running the command again may help: a user who has named a
// language wants the text of these pages, and a program that was killed may succeed another time.
func (p *program) recognise(ctx context.Context, ix *index.Index, report *notice.Report) error {
	err := ix.Recognise(ctx, report)
	switch {
	case ctx.Err() != nil:
		return err
	case errors.As(err, new(ocr.LanguageError)) || ocr.IsTransient(err):
		err = scansError{message.Errorf("the text of scanned pages is not recognised: %v", err)}
	default:
		err = nil
	}
	if failed := ix.Embed(ctx); failed != nil {
		err = errors.Join(err, modelError{message.Errorf("some passages have no vector: %v", failed)})
	}
	return err
}

func (p *program) syncAndEmbed(ctx context.Context, ix *index.Index, scope index.Scope) (notice.Report, error) {
	report, mismatch := ix.Sync(ctx, scope)
	if mismatch != nil && !isPartialFailure(mismatch) {
		return report, mismatch
	}
	embedding, cancel := ctx, context.CancelFunc(func() {})
	if p.modelPatience > 0 {
		embedding, cancel = context.WithTimeout(ctx, p.modelPatience)
	}
	defer cancel()
	err := ix.Embed(embedding)
	switch {
	case ctx.Err() != nil:
		return report, err
	case err == nil, embedding.Err() != nil: // the report already counts the passages without a vector
		return report, mismatch
	}
	return report, errors.Join(modelError{message.Errorf("some passages have no vector: %v", err)}, mismatch)
}

// isPartialFailure reports whether an error concerns only some of the folders, so that the others
// were brought up to date.
func isPartialFailure(err error) bool {
	var mismatch index.FolderMismatchError
	return errors.As(err, &mismatch) && mismatch.IsPartlyFresh
}
