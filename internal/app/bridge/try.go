package bridge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"net/http"
)

// initialize is the request with which a host begins a session.
const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"vademecum-doctor","version":"1"}}}`

// ServerInfo is the name and the version that a server states in its response to initialize.
type ServerInfo struct {
	Name, Version string
}

// InitializeRequest returns an initialize request, the first message of a session, as one line.
func InitializeRequest() []byte { return []byte(initialize + "\n") }

// ParseInitializeResponse parses the response to InitializeRequest. err is the reason if the server
// refuses the request; ok is false if the line is not the response.
func ParseInitializeResponse(line []byte) (s ServerInfo, ok bool, err error) {
	var e envelope
	if json.Unmarshal(line, &e) != nil || string(e.ID) != "1" || e.Method != "" {
		return s, false, nil
	}
	s, err = serverOf(e)
	return s, true, err
}

func serverOf(e envelope) (s ServerInfo, err error) {
	var result struct {
		ProtocolVersion string
		ServerInfo      ServerInfo
	}
	var refused struct{ Message string }
	switch {
	case json.Unmarshal(e.Error, &refused) == nil && refused.Message != "":
		return s, errors.New(refused.Message)
	case json.Unmarshal(e.Result, &result) != nil || result.ProtocolVersion == "":
		return s, errors.New("the answer to initialize is none of MCP")
	}
	return result.ServerInfo, nil
}

// TrySession begins a session at a URL and ends it, and returns what the server says about itself.
// It follows redirects, as the HTTP clients of hosts do, and does not retry.
func TrySession(ctx context.Context, o Options) (s ServerInfo, err error) {
	b := &bridge{o: o, client: o.newClient(), asked: make(map[string]pendingRequest), harmless: make(map[string]bool), ctx: ctx}
	ask, _ := parseMessage([]byte(initialize)) // it is valid
	var answer envelope
	header, err := b.post(ctx, session{}, ask, func(_ []byte, e envelope) {
		if e.answers(ask) {
			answer = e
		}
	})
	if err != nil {
		return s, err
	}
	b.noteInitialized(ask, header, answer.Result)
	defer b.endSession()
	return serverOf(answer)
}

// TrySSE returns an error unless a URL serves the older transport HTTP+SSE: a stream that begins
// with the URL for messages.
func TrySSE(ctx context.Context, o Options) error {
	b := &bridge{o: o, client: o.newClient()}
	r, err := b.newRequest(ctx, http.MethodGet, session{}, nil)
	if err != nil {
		return err
	}
	r.Header.Set("Accept", "text/event-stream")
	answer, err := b.client.Do(r)
	if err != nil {
		return asUnsent(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return b.statusError(answer, session{}, message{}, func([]byte, envelope) {})
	}
	if kind, _, _ := mime.ParseMediaType(answer.Header.Get("Content-Type")); kind != "text/event-stream" {
		return fmt.Errorf("%s answers %q, which is no stream of MCP", o.URL, answer.Header.Get("Content-Type"))
	}
	if _, err := newEventReader(answer.Body).next(); err != nil {
		return lostError(err)
	}
	return nil
}

// newClient returns the HTTP client for TrySession and TrySSE.
func (o Options) newClient() *http.Client {
	client := new(http.Client)
	if o.Transport != nil {
		client.Transport = o.Transport
	}
	return client
}
