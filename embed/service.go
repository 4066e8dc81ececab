package embed

import (
	"context"
	"errors"
	"math/rand/v2"
	"net"
	"net/http"
	"time"

	"vademecum/internal/base/message"
)

const (
	connectTimeout = 5 * time.Second
	answerTimeout  = 60 * time.Second // from connecting to the last byte

	passageTries = 3
	limitedTries = 6                      // if the server reports too many requests
	queryTries   = 2                      // a query waits at most two seconds
	firstDelay   = 500 * time.Millisecond // maximum, doubled for each further attempt

	querySlots = 4 // requests for queries in flight, in addition to those for passages
)

// httpService is a server that is queried over HTTP. Its state, such as a pause that it has asked for,
// applies to all requests.
type httpService struct {
	endpoint
	client  *http.Client
	limiter *concurrencyLimiter
	pause   retryPause
	queries chan struct{} // holds an element for each request for a query in flight
	health  serviceHealth
}

func newHTTPService(e endpoint) httpService {
	return httpService{
		endpoint: e,
		client:   newHTTPClient(),
		limiter:  newConcurrencyLimiter(e.isLoopback()),
		queries:  make(chan struct{}, querySlots),
		health:   serviceHealth{probing: make(chan struct{}, 1)},
	}
}

// newHTTPClient returns a client that follows no redirects: the texts go only to the host that the
// user has named.
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

// acquireSlot waits until one more request may be in flight; the call with the lowest ticket comes
// first. Queries have slots of their own, so that they do not wait for passages.
func (s *httpService) acquireSlot(ctx context.Context, kind TextKind, ticket int64) (release func(), err error) {
	if kind == Passage {
		return s.limiter.release, s.limiter.acquire(ctx, ticket)
	}
	select {
	case s.queries <- struct{}{}:
		return func() { <-s.queries }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// sendWithRetries sends a request of the given number of tokens by calling ask, and repeats it
// while the failure seems transient.
func (s *httpService) sendWithRetries(ctx context.Context, kind TextKind, tokens int, ask func(context.Context) error) error {
	first, tries := s.health.requests.Load()+1, passageTries
	if kind == Query {
		tries = queryTries
	}
	before := message.Message("") // previous failure
	steady := true
	for try := 1; ; try++ {
		if err := s.pause.wait(ctx, kind); err != nil {
			return err
		}
		err := s.sendOnce(ctx, kind, tokens, ask)
		f, ok := errors.AsType[*requestFailure](err)
		if !ok {
			return err
		}
		steady = steady && (before == "" || before == f.message)
		before = f.message
		if f.general { // possibly shared with another request, so it must not be modified
			return f
		}
		if kind == Passage && f.status == http.StatusTooManyRequests {
			tries = limitedTries
		}
		if !f.transient || try >= tries {
			f.first, f.steady = first, steady
			if f.status == http.StatusTooManyRequests {
				return s.health.failed(f)
			}
			return f
		}
		if f.retryAfter > 0 {
			continue // pause.wait delays all requests
		}
		if err := sleepContext(ctx, rand.N(firstDelay<<(try-1))); err != nil {
			return err
		}
	}
}

// sendOnce sends one request and records what it reveals about the service.
func (s *httpService) sendOnce(ctx context.Context, kind TextKind, tokens int, ask func(context.Context) error) error {
	leave, err := s.health.enter(ctx, kind)
	if err != nil {
		return err
	}
	defer leave()
	number, began := s.health.requests.Add(1), time.Now()
	err = ask(ctx)
	if err == nil {
		s.health.answered(kind, number)
		if kind == Passage {
			s.limiter.succeeded(tokens, time.Since(began))
		}
		return nil
	}
	f, ok := errors.AsType[*requestFailure](err)
	if !ok {
		return err
	}
	if f.isOverload() || f.timeLimit {
		s.limiter.halveLimit(began)
	}
	if f.retryAfter > 0 {
		s.pause.extend(time.Now().Add(f.retryAfter), f)
	}
	if f.general {
		return s.health.failed(f)
	}
	return f
}

// failureReason returns why a call failed. A query that timed out opens the circuit, so that the
// next ones need not wait.
func (s *httpService) failureReason(ctx context.Context, kind TextKind, err error) error {
	if ctx.Err() != nil { // regardless of the cause
		err = ctx.Err()
	}
	if kind == Query && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		s.health.queries.failed(&requestFailure{
			message: message.New("%s did not answer the last question in time", s.base.Host),
			general: true,
		})
	}
	return err
}
