// Package hub defines the embedding models that the program knows by name, and downloads their
// files from a model hub.
//
// [Models] lists a few models, each at one commit of its repository. [Folder] returns where the
// files of a model are, in the user's cache directory, without a connection. [Hub.Fetch] downloads
// them: it is the only function that connects, and is called only if a user has requested a model.
// Each download is compared with the SHA-256 that the program has for the file, or else that the
// hub lists for the commit; its checksum is recorded next to the files, and [Verify] compares them
// with it.
//
// A hub is https://huggingface.co or any server with its API, whose address is in HF_ENDPOINT: GET
// /api/models/REPOSITORY/revision/COMMIT?blobs=true lists files, and GET
// /REPOSITORY/resolve/COMMIT/PATH returns one (https://huggingface.co/docs/hub/api).
package hub

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"vademecum/internal/base/message"
	"vademecum/internal/base/system"
)

// Environment variables that a Hub reads, besides those of proxies.
const (
	endpointVariable = "HF_ENDPOINT"
	tokenVariable    = "HF_TOKEN"
)

const publicHub = "https://huggingface.co"

// Hub is a server with models. It is safe for concurrent use.
type Hub struct {
	endpoint *url.URL
	token    string
	client   *http.Client

	stallTimeout time.Duration // time without a byte after which a request is given up
	pause        func(context.Context, time.Duration) error
	freeSpace    func(path string) (bytes uint64, ok bool)
}

// FromEnvironment returns the hub in HF_ENDPOINT, or the public one. HF_TOKEN is sent only to it, and
// never to targets of redirects. FromEnvironment opens no connection; the error says what is wrong
// with the address.
func FromEnvironment() (*Hub, error) {
	given := strings.TrimSpace(os.Getenv(endpointVariable))
	if given == "" {
		given = publicHub
	}
	u, err := url.Parse(strings.TrimRight(given, "/"))
	if err != nil || u.Hostname() == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" || !isPrivate(u) {
		return nil, message.Errorf("%s must be an address like https://hub.example.com; http:// is allowed only for this machine", endpointVariable)
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.ResponseHeaderTimeout = headerPatience
	transport.DisableCompression = true // so that lengths are those of the files
	h := &Hub{endpoint: u, token: strings.TrimSpace(os.Getenv(tokenVariable)), stallTimeout: stallPatience, pause: sleepContext, freeSpace: system.FreeBytes}
	h.client = &http.Client{Transport: transport, CheckRedirect: h.checkRedirect}
	return h, nil
}

const (
	headerPatience = 30 * time.Second
	stallPatience  = time.Minute
)

func sleepContext(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Host returns the hub's host, with its port if it has one.
func (h *Hub) Host() string { return h.endpoint.Host }

// isPrivate reports whether a connection to an address is protected from being read or modified.
func isPrivate(u *url.URL) bool {
	if u.Scheme == "http" {
		ip, err := netip.ParseAddr(u.Hostname())
		return u.Hostname() == "localhost" || err == nil && ip.IsLoopback()
	}
	return u.Scheme == "https"
}

const mostRedirects = 5

// checkRedirect permits redirects to where files are stored, without the token.
func (h *Hub) checkRedirect(r *http.Request, via []*http.Request) error {
	before := via[len(via)-1].URL
	switch {
	case len(via) > mostRedirects:
		return permanentError{message.Errorf("%s redirects more than %d times", before.Host, mostRedirects)}
	case !isPrivate(r.URL) || before.Scheme == "https" && r.URL.Scheme != "https":
		return permanentError{message.Errorf("%s redirects to %s://%s, which is not encrypted", before.Host, r.URL.Scheme, r.URL.Host)}
	case r.URL.Scheme != h.endpoint.Scheme || r.URL.Host != h.endpoint.Host:
		r.Header.Del("Authorization") // net/http keeps it for subdomains of the first host
	}
	return nil
}

// permanentError is an error that a retry cannot fix.
type permanentError struct{ error }

func (r permanentError) Unwrap() error { return r.error }

// temporaryError is an error that a retry may fix, such as a busy server.
type temporaryError struct {
	error
	retryAfter time.Duration // pause requested by the server; 0 if none
}

func (t temporaryError) Unwrap() error { return t.error }

// requestFrom sends a GET request for a path of the hub, from a byte offset to the end. The caller
// must close the body.
func (h *Hub) requestFrom(ctx context.Context, path, query string, from int64) (*http.Response, error) {
	u := *h.endpoint
	u.Path, u.RawQuery = u.Path+path, query
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, err
	}
	r.Header.Set("User-Agent", "vademecum")
	if h.token != "" {
		r.Header.Set("Authorization", "Bearer "+h.token)
	}
	if from > 0 {
		r.Header.Set("Range", fmt.Sprintf("bytes=%d-", from))
	}
	answer, err := h.client.Do(r)
	if err != nil {
		return nil, h.requestError(ctx, err)
	}
	if err := h.statusError(answer); err != nil {
		_ = answer.Body.Close()
		return nil, err
	}
	return answer, nil
}

// requestError explains a request without an answer. It omits the address, because redirects of the
// hub contain a signature.
func (h *Hub) requestError(ctx context.Context, err error) error {
	var refused permanentError
	if errors.As(err, &refused) {
		return refused
	}
	if cause := context.Cause(ctx); cause != nil {
		err = cause
	}
	var at *url.Error
	if errors.As(err, &at) {
		err = at.Err
	}
	err = message.Errorf("%s does not answer: %v", h.Host(), err)
	if errors.As(err, new(*tls.CertificateVerificationError)) {
		return permanentError{err}
	}
	return temporaryError{error: err}
}

// statusError returns the error for an HTTP status; nil for success.
func (h *Hub) statusError(answer *http.Response) error {
	switch code := answer.StatusCode; {
	case code == http.StatusOK, code == http.StatusPartialContent:
		return nil
	case code == http.StatusRequestedRangeNotSatisfiable:
		return errRange
	case code == http.StatusUnauthorized, code == http.StatusForbidden:
		return message.Errorf("%s refuses it (%s): set %s to a token that may read the model", h.Host(), answer.Status, tokenVariable)
	case code == http.StatusNotFound:
		return message.Errorf("%s has no such file or model (%s)", h.Host(), answer.Status)
	case code == http.StatusTooManyRequests, code >= 500:
		return temporaryError{message.Errorf("%s cannot give it now (%s)", h.Host(), answer.Status), retryAfter(answer.Header)}
	}
	return message.Errorf("%s returned status %s", h.Host(), answer.Status)
}

// errRange means that the server does not have the requested range.
var errRange = errors.New("there is no such part")

// retryAfter returns the pause requested by a server, in seconds or as a date (RFC 9110).
func retryAfter(header http.Header) time.Duration {
	value := header.Get("Retry-After")
	if seconds, err := strconv.Atoi(value); err == nil {
		return time.Duration(min(max(seconds, 0), 1<<20)) * time.Second
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(time.Until(at), 0)
	}
	return 0
}

// megabytes formats a size for people.
func megabytes(bytes int64) string { return fmt.Sprintf("%d MB", (bytes+500_000)/1_000_000) }
