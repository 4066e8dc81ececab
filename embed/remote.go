package embed

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
)

// remote is the Embedder that asks a server with OpenAI's embeddings API
// (POST /embeddings, https://platform.openai.com/docs/api-reference/embeddings).
type remote struct {
	service
	length  length
	sizes   *sizes
	tickets atomic.Int64 // given out to calls
}

var _ Embedder = (*remote)(nil)

func newRemote(e endpoint) (Embedder, error) {
	if e.key == "" && e.keyNeeded {
		return nil, fmt.Errorf("%s needs a key: set OPENAI_API_KEY (or VADEMECUM_API_KEY) in the environment", e.identity)
	}
	r := &remote{service: newService(e), sizes: newSizes(e.loopback())}
	r.length.want = e.dimensions
	return r, nil
}

// send asks for the vectors of one batch.
func (r *remote) send(ctx context.Context, kind Kind, inputs []string, tokens int) (vectors [][]float32, err error) {
	err = r.service.send(ctx, kind, tokens, func(ctx context.Context) (err error) {
		vectors, err = r.ask(ctx, kind, inputs)
		return err
	})
	return vectors, err
}

// probeText is one that no model refuses.
const probeText = "note"

// proveWell fails unless the service is known to have given vectors after the
// request of this number: before a text is blamed for a failure.
func (r *remote) proveWell(ctx context.Context, kind Kind, number int64) error {
	if r.health.answersSince(number) {
		return nil
	}
	select {
	case r.health.probing <- struct{}{}:
		defer func() { <-r.health.probing }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if r.health.answersSince(number) {
		return nil
	}
	_, err := r.send(ctx, kind, []string{probeText}, 1)
	if f, ok := errors.AsType[*failure](err); ok && !f.general {
		return r.health.failed(f)
	}
	return err
}

// explain ends a call that failed.
func (r *remote) explain(ctx context.Context, kind Kind, err error) error {
	return fmt.Errorf("embed with %s: %w", r.identity, r.reason(ctx, kind, err))
}
