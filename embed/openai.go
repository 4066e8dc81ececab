package embed

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	openai "github.com/sashabaranov/go-openai"
)

const (
	batchSize = 64 // texts a request

	connectTimeout = 5 * time.Second
	answerTimeout  = 60 * time.Second // from connecting to the last byte

	tries         = 3
	firstDelay    = 500 * time.Millisecond // doubled for each further try
	maxRetryAfter = 10 * time.Second       // a server that asks for more gets no further try
)

// remote is the Embedder that asks a server with OpenAI's embeddings API
// (POST /embeddings, https://platform.openai.com/docs/api-reference/embeddings).
type remote struct {
	endpoint
	client *http.Client
	length atomic.Int64                               // of the vectors; 0 until the first answer
	sleep  func(context.Context, time.Duration) error // replaced in tests
}

var _ Embedder = (*remote)(nil)

func newRemote(e endpoint) (*remote, error) {
	if e.key == "" && e.keyNeeded {
		return nil, fmt.Errorf("%s needs a key: set OPENAI_API_KEY (or VADEMECUM_API_KEY) in the environment", e.identity)
	}
	r := &remote{endpoint: e, client: newHTTPClient(), sleep: sleep}
	r.length.Store(int64(e.dimensions))
	return r, nil
}

// newHTTPClient returns a client that follows no redirect: the texts go to the
// host that the user has named and to no other.
func newHTTPClient() *http.Client {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.DialContext = (&net.Dialer{Timeout: connectTimeout, KeepAlive: 30 * time.Second}).DialContext
	t.TLSHandshakeTimeout = connectTimeout
	return &http.Client{
		Transport: t,
		Timeout:   answerTimeout,
		CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse
		},
	}
}

func (r *remote) Model() string { return r.identity }

// Embed sends both kinds as they are.
func (r *remote) Embed(ctx context.Context, _ Kind, texts []string) ([][]float32, error) {
	vectors := make([][]float32, 0, len(texts))
	for start := 0; start < len(texts); start += batchSize {
		batch := texts[start:min(start+batchSize, len(texts))]
		got, err := r.embedBatch(ctx, batch)
		if err != nil {
			return nil, fmt.Errorf("embed with %s: %w", r.identity, err)
		}
		vectors = append(vectors, got...)
	}
	return vectors, nil
}

// embedBatch asks up to tries times, as long as the failure looks transient.
func (r *remote) embedBatch(ctx context.Context, batch []string) ([][]float32, error) {
	delay := firstDelay
	for try := 1; ; try++ {
		vectors, err := r.ask(ctx, batch)
		var f *failure
		if err == nil || !errors.As(err, &f) || !f.transient || try == tries {
			return vectors, err
		}
		if f.retryAfter > maxRetryAfter {
			return nil, fmt.Errorf("%w (it asks to wait %s)", err, f.retryAfter.Round(time.Second))
		}
		if err := r.sleep(ctx, max(delay, f.retryAfter)); err != nil {
			return nil, err
		}
		delay *= 2
	}
}

// ask sends one request and checks the answer.
func (r *remote) ask(ctx context.Context, batch []string) ([][]float32, error) {
	x := &exchange{client: r.client}
	config := openai.DefaultConfig(r.key)
	config.BaseURL = r.base.String()
	config.HTTPClient = x
	answer, err := openai.NewClientWithConfig(config).CreateEmbeddings(ctx, openai.EmbeddingRequestStrings{
		Input:      fillBlank(batch),
		Model:      openai.EmbeddingModel(r.model),
		Dimensions: r.dimensions,
	})
	if err != nil || len(answer.Data) == 0 {
		return nil, r.explain(ctx, x, err)
	}
	vectors, err := arrange(answer.Data, len(batch))
	if err == nil {
		err = r.checkLength(len(vectors[0]))
	}
	if err != nil {
		return nil, fmt.Errorf("answer of %s: %w", r.base.Host, err)
	}
	return vectors, nil
}

// checkLength holds every answer to the number of dimensions that was asked
// for, or else to that of the first answer.
func (r *remote) checkLength(n int) error {
	if r.length.CompareAndSwap(0, int64(n)) {
		return nil
	}
	want := int(r.length.Load())
	switch {
	case n == want:
		return nil
	case r.dimensions != 0:
		return fmt.Errorf("asked for %d dimensions, got %d: the model may not let them be chosen", want, n)
	}
	return fmt.Errorf("vectors had %d dimensions before and have %d now", want, n)
}

// fillBlank replaces texts without a visible character, which several services
// refuse, by a full stop.
func fillBlank(batch []string) []string {
	filled := make([]string, len(batch))
	for i, text := range batch {
		if strings.TrimSpace(text) == "" {
			text = "."
		}
		filled[i] = text
	}
	return filled
}

// sleep waits for d, or until ctx is done and then returns its error.
func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
