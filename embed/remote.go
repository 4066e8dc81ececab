package embed

import (
	"context"
	"errors"
	"sync/atomic"

	"vademecum/internal/base/message"
)

// remote is an Embedder that uses a server with OpenAI's embeddings API (POST /embeddings,
// https://platform.openai.com/docs/api-reference/embeddings).
type remote struct {
	httpService
	length  dimensionCheck
	sizes   *batchSizes
	tickets atomic.Int64 // last ticket issued to a call
}

var _ Embedder = (*remote)(nil)

func newRemoteEmbedder(e endpoint) (Embedder, error) {
	if e.key == "" && e.keyNeeded {
		return nil, message.Errorf("%s requires an API key: set OPENAI_API_KEY (or VADEMECUM_API_KEY) in the environment", e.identity)
	}
	r := &remote{httpService: newHTTPService(e), sizes: newBatchSizes(e.isLoopback())}
	r.length.want = e.dimensions
	return r, nil
}

// requestBatch requests the vectors of one batch.
func (r *remote) requestBatch(ctx context.Context, kind TextKind, inputs []string, tokens int) (vectors [][]float32, err error) {
	err = r.httpService.sendWithRetries(ctx, kind, tokens, func(ctx context.Context) (err error) {
		vectors, err = r.requestVectors(ctx, kind, inputs)
		return err
	})
	return vectors, err
}

// probeText is a text that no model refuses.
const probeText = "note"

// confirmService returns an error unless the service is known to have returned vectors after the
// request with the given number. It is called before a text is blamed for a failure.
func (r *remote) confirmService(ctx context.Context, kind TextKind, number int64) error {
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
	_, err := r.requestBatch(ctx, kind, []string{probeText}, 1)
	if f, ok := errors.AsType[*requestFailure](err); ok && !f.general {
		return r.health.failed(f)
	}
	return err
}

// embedError adds the model to an error, and wraps the reason.
func embedError(model string, why error) error {
	return message.Errorf("embed with %s: %v", model, why)
}
