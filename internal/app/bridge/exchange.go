package bridge

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	translated "vademecum/internal/base/message"
)

// Errors of an exchange with the server. After a permanent error, the exchange is not repeated. Other
// errors wrap these when the cause is known.
var (
	errUnsent               = translated.Errorf("the server cannot be reached")                            // the server has not received the message
	errLost                 = translated.Errorf("the connection to the server was lost before its answer") // it is unknown whether the server has processed the message
	errSession              = translated.Errorf("the server no longer knows the session")                  // the server has been restarted
	ErrSignInRefused        = translated.Errorf("the server refuses the sign-in")                          // permanent
	ErrUntrustedCertificate = translated.Errorf("the certificate of the server is not trusted")            // permanent
	errMoved                = translated.Errorf("the server has moved: give its new URL")                  // permanent
)

// retryLaterError reports that a request was not carried out, and when the server wants the next
// attempt. It matches errUnsent.
type retryLaterError struct {
	error
	after time.Duration
}

func (l retryLaterError) Unwrap() error { return errUnsent }

// newRequest returns an HTTP request with the headers of a session.
func (b *bridge) newRequest(ctx context.Context, method string, s session, body []byte) (*http.Request, error) {
	r, err := http.NewRequestWithContext(ctx, method, b.o.URL, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	maps.Copy(r.Header, b.o.Header)
	if b.o.Token != "" {
		r.Header.Set("Authorization", "Bearer "+b.o.Token)
	}
	if s.id != "" {
		r.Header.Set("Mcp-Session-Id", s.id)
	}
	if s.version != "" {
		r.Header.Set("Mcp-Protocol-Version", s.version)
	}
	return r, nil
}

// post sends a message to the server. It calls pass with each message of the HTTP response until
// the response to m has arrived, if m expects one.
func (b *bridge) post(ctx context.Context, s session, m message, pass func([]byte, envelope)) (http.Header, error) {
	if m.isStateless() {
		s = session{version: m.version}
	}
	r, err := b.newRequest(ctx, http.MethodPost, s, m.text)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	if m.isStateless() {
		r.Header.Set("Mcp-Method", m.method)
		if m.name != "" {
			r.Header.Set("Mcp-Name", headerValue(m.name))
		}
	}
	answer, err := b.client.Do(r)
	if err != nil {
		return nil, asUnsent(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode/100 != 2 {
		return nil, b.statusError(answer, s, m, pass)
	}
	b.noteReached()
	if !m.isRequest() {
		return answer.Header, nil
	}
	switch kind, _, _ := mime.ParseMediaType(answer.Header.Get("Content-Type")); kind {
	case "application/json":
		return answer.Header, passBody(answer.Body, pass)
	case "text/event-stream":
		defer drain(answer.Body)
		return answer.Header, b.passEvents(ctx, s, m, newEventReader(answer.Body), pass)
	}
	return nil, fmt.Errorf("%s answers %q, which is not MCP", b.o.URL, answer.Header.Get("Content-Type"))
}

// asUnsent returns errUnsent, with its cause, if the server cannot have received the message, and
// errLost if it may have.
func asUnsent(err error) error {
	var op *net.OpError
	if certificate := new(tls.CertificateVerificationError); errors.As(err, &certificate) {
		return fmt.Errorf("%w: %w", ErrUntrustedCertificate, certificate.Err)
	}
	if errors.As(err, &op) && op.Op == "dial" {
		return fmt.Errorf("%w: %w", errUnsent, op)
	}
	return lostError(withoutURL(err))
}

// withoutURL returns an HTTP error without the URL and the method in it.
func withoutURL(err error) error {
	if of := new(url.Error); errors.As(err, &of) {
		return of.Err
	}
	return err
}

// passBody calls pass with the message in the body of an HTTP response, or with each message of a
// batch.
func passBody(body io.Reader, pass func([]byte, envelope)) error {
	text, err := io.ReadAll(io.LimitReader(body, maxMessage+1))
	switch {
	case err != nil:
		return fmt.Errorf("%w: %w", errLost, err)
	case len(text) > maxMessage:
		return errTooLong
	}
	var line bytes.Buffer
	if err := json.Compact(&line, text); err != nil {
		return errors.New("the server answers with what is no message")
	}
	var e envelope
	_ = json.Unmarshal(line.Bytes(), &e) // a batch is none
	pass(line.Bytes(), e)
	return nil
}

// passEvents calls pass with the messages of a stream until the response to m has arrived. If the
// stream breaks, it is resumed, provided that the server stores events.
func (b *bridge) passEvents(ctx context.Context, s session, m message, from *eventReader, pass func([]byte, envelope)) error {
	answered := false
	one := func(text []byte, e envelope) {
		answered = answered || e.answers(m)
		pass(text, e)
	}
	err := eachMessage(from, one, func() bool { return answered && len(m.of) == 0 })
	for tries := 0; !answered && from.last != "" && s.id != "" && ctx.Err() == nil; tries++ {
		if !pause(ctx, cmp.Or(from.retry, b.backoff(tries))) || tries == resumeTries {
			break
		}
		if err = b.resumeStream(ctx, s, from, one, func() bool { return answered }); errors.Is(err, errSession) {
			break // the response is lost with the session
		}
	}
	if answered || ctx.Err() != nil {
		return ctx.Err()
	}
	return lostError(err)
}

// lostError returns errLost with its cause.
func lostError(why error) error {
	if errors.Is(why, errLost) || errors.Is(why, io.EOF) {
		return errLost
	}
	return fmt.Errorf("%w: %w", errLost, why)
}

// drain reads a stream to its end, so that its connection can be used for the next request.
func drain(body io.ReadCloser) {
	late := time.AfterFunc(time.Second, func() { _ = body.Close() })
	defer late.Stop()
	_, _ = io.Copy(io.Discard, io.LimitReader(body, 64<<10))
}

// resumeTries is how often a stream is resumed to get a response.
const resumeTries = 5

// resumeStream resumes a stream after the last event that was received, and calls pass with its
// messages until enough returns true.
func (b *bridge) resumeStream(ctx context.Context, s session, from *eventReader, pass func([]byte, envelope), enough func() bool) error {
	r, err := b.newRequest(ctx, http.MethodGet, s, nil)
	if err != nil {
		return err
	}
	r.Header.Set("Accept", "text/event-stream")
	if from.last != "" {
		r.Header.Set("Last-Event-ID", from.last)
	}
	answer, err := b.client.Do(r)
	if err != nil {
		return asUnsent(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return b.statusError(answer, s, message{}, pass)
	}
	b.noteReached()
	if from.begun != nil {
		from.begun()
	}
	more := newEventReader(answer.Body)
	more.last, more.retry = from.last, from.retry
	err = eachMessage(more, pass, enough)
	from.last, from.retry = more.last, more.retry
	return err
}

// eachMessage calls pass with the messages of a stream until enough returns true or the stream
// ends.
func eachMessage(from *eventReader, pass func([]byte, envelope), enough func() bool) error {
	for !enough() {
		data, err := from.next()
		if err != nil {
			return err
		}
		var line bytes.Buffer
		if json.Compact(&line, data) != nil || line.Len() == 0 {
			continue // not a message, such as the event that begins a stream
		}
		var e envelope
		_ = json.Unmarshal(line.Bytes(), &e)
		pass(line.Bytes(), e)
	}
	return nil
}

// statusError returns the error for an HTTP status other than success. If the HTTP response
// contains the JSON-RPC response to m, it is passed on instead.
func (b *bridge) statusError(answer *http.Response, s session, m message, pass func([]byte, envelope)) error {
	text, _ := io.ReadAll(io.LimitReader(answer.Body, 64<<10)) // as much as can be read
	said := strings.TrimSpace(string(text))
	if strings.HasPrefix(said, "<") { // a page for people
		said = ""
	}
	switch status := answer.StatusCode; {
	case status == http.StatusUnauthorized && b.o.Header != nil && b.o.Header.Get("Authorization") == "":
		return fmt.Errorf("%w: it asks for a token, and none is sent", ErrSignInRefused)
	case status == http.StatusUnauthorized && b.o.Header == nil && b.o.Token == "":
		return fmt.Errorf("%w: it asks for a token, and %s is not set", ErrSignInRefused, TokenVariable)
	case status == http.StatusUnauthorized || status == http.StatusForbidden, status == http.StatusBadRequest && answer.Header.Get("WWW-Authenticate") != "":
		return fmt.Errorf("%w (%s): %s", ErrSignInRefused, answer.Status, said)
	case status == http.StatusNotFound && s.id != "":
		return errSession
	case status == http.StatusTooManyRequests, status == http.StatusBadGateway, status == http.StatusServiceUnavailable:
		after, _ := strconv.Atoi(answer.Header.Get("Retry-After"))
		return retryLaterError{fmt.Errorf("%w now (%s): %s", errUnsent, answer.Status, said), time.Duration(max(after, 0)) * time.Second}
	case status == http.StatusGatewayTimeout:
		return fmt.Errorf("%w (%s)", errLost, answer.Status)
	case status/100 == 3:
		return fmt.Errorf("%w (%s)", errMoved, answer.Header.Get("Location"))
	}
	var e envelope
	var line bytes.Buffer
	if json.Unmarshal(text, &e) == nil && e.Error != nil && m.id != nil && e.answers(m) && json.Compact(&line, text) == nil {
		pass(line.Bytes(), e)
		return nil
	}
	why := strings.TrimSuffix("the server answers "+answer.Status+": "+said, ": ")
	if at := withMCPPath(b.o.URL); answer.StatusCode == http.StatusNotFound && at != b.o.URL {
		why += "; a server of this program is at " + RedactURL(at)
	}
	return errors.New(why)
}
