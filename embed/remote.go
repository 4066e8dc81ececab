package embed

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"sync/atomic"
	"time"
)

const (
	connectTimeout = 5 * time.Second
	answerTimeout  = 60 * time.Second // from connecting to the last byte

	passageTries = 3
	limitedTries = 6                      // when the server says that it is asked too often
	queryTries   = 2                      // whoever asks waits two seconds
	firstDelay   = 500 * time.Millisecond // at most, doubled for each further try

	querySlots = 4 // requests for queries in flight, besides those for passages
)

// remote is the Embedder that asks a server with OpenAI's embeddings API
// (POST /embeddings, https://platform.openai.com/docs/api-reference/embeddings).
// What it learns about the server holds for all calls.
type remote struct {
	endpoint
	client  *http.Client
	length  length
	limiter *limiter
	sizes   *sizes
	pause   pause
	queries chan struct{} // one for each request for a query in flight
	health  health
	tickets atomic.Int64 // given out to calls
}

var _ Embedder = (*remote)(nil)

func newRemote(e endpoint) (Embedder, error) {
	if e.key == "" && e.keyNeeded {
		return nil, fmt.Errorf("%s needs a key: set OPENAI_API_KEY (or VADEMECUM_API_KEY) in the environment", e.identity)
	}
	r := &remote{
		endpoint: e,
		client:   newHTTPClient(),
		limiter:  newLimiter(e.loopback()),
		sizes:    newSizes(e.loopback()),
		queries:  make(chan struct{}, querySlots),
		health:   health{probing: make(chan struct{}, 1)},
	}
	r.length.want = e.dimensions
	return r, nil
}

// newHTTPClient returns a client that follows no redirect: the texts go to the
// host that the user has named and to no other.
func newHTTPClient() *http.Client {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.DialContext = (&net.Dialer{Timeout: connectTimeout, KeepAlive: 30 * time.Second}).DialContext
	t.TLSHandshakeTimeout = connectTimeout
	t.MaxIdleConnsPerHost = mostRequests + querySlots
	return &http.Client{
		Transport: t,
		Timeout:   answerTimeout,
		CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse
		},
	}
}

// slot waits until one more request may be in flight; the call with the lowest
// ticket comes first. A query has slots of its own, lest it wait for passages.
func (r *remote) slot(ctx context.Context, kind Kind, ticket int64) (release func(), err error) {
	if kind == Passage {
		return r.limiter.release, r.limiter.acquire(ctx, ticket)
	}
	select {
	case r.queries <- struct{}{}:
		return func() { <-r.queries }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// send asks for the vectors of one batch, again as long as the failure looks
// transient.
func (r *remote) send(ctx context.Context, kind Kind, inputs []string, tokens int) ([][]float32, error) {
	first, tries := r.health.requests.Load()+1, passageTries
	if kind == Query {
		tries = queryTries
	}
	before := "" // what the last failure said
	steady := true
	for try := 1; ; try++ {
		if err := r.pause.wait(ctx, kind); err != nil {
			return nil, err
		}
		vectors, err := r.sendOnce(ctx, kind, inputs, tokens)
		f, ok := errors.AsType[*failure](err)
		if !ok {
			return vectors, err
		}
		steady = steady && (before == "" || before == f.message)
		before = f.message
		if f.general { // of an earlier request perhaps, and not to be changed
			return nil, f
		}
		if kind == Passage && f.status == http.StatusTooManyRequests {
			tries = limitedTries
		}
		if !f.transient || try >= tries {
			f.first, f.steady = first, steady
			if f.status == http.StatusTooManyRequests {
				return nil, r.health.failed(f)
			}
			return nil, f
		}
		if f.retryAfter > 0 {
			continue // all wait
		}
		if err := sleep(ctx, rand.N(firstDelay<<(try-1))); err != nil {
			return nil, err
		}
	}
}

// sendOnce sends one request and notes what it tells about the service.
func (r *remote) sendOnce(ctx context.Context, kind Kind, inputs []string, tokens int) ([][]float32, error) {
	leave, err := r.health.enter(ctx, kind)
	if err != nil {
		return nil, err
	}
	defer leave()
	number, began := r.health.requests.Add(1), time.Now()
	vectors, err := r.ask(ctx, kind, inputs)
	if err == nil {
		r.health.answered(kind, number)
		if kind == Passage {
			r.limiter.succeeded(tokens, time.Since(began))
		}
		return vectors, nil
	}
	f, ok := errors.AsType[*failure](err)
	if !ok {
		return nil, err
	}
	if f.slowDown() || f.timeLimit {
		r.limiter.cut(began)
	}
	if f.retryAfter > 0 {
		r.pause.extend(time.Now().Add(f.retryAfter), f)
	}
	if f.general {
		return nil, r.health.failed(f)
	}
	return nil, f
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

// explain ends a call that failed. A query whose caller would not wait any
// longer spares the next ones the wait.
func (r *remote) explain(ctx context.Context, kind Kind, err error) error {
	if ctx.Err() != nil { // whatever its cause
		err = ctx.Err()
	}
	if kind == Query && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		r.health.queries.failed(&failure{
			message: r.base.Host + " did not answer the last question in time",
			general: true,
		})
	}
	return fmt.Errorf("embed with %s: %w", r.identity, err)
}
