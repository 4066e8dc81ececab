package mcp

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// HTTPOptions configures an Endpoint.
type HTTPOptions struct {
	// ChooseServer returns the Server that handles a request, or nil for none. It must return the same
	// one for all requests of a user.
	ChooseServer func(*http.Request) *Server

	// SessionOwner returns the user who sent a request, given its context. A session that the request opens
	// can be used only by that user. If nil, users are not told apart.
	SessionOwner func(context.Context) string

	// LogUserName returns the name that the log shows for the sender of a request, given its context; if
	// nil, "local" is logged.
	LogUserName func(context.Context) string

	// MayWrite reports whether the sender of a request, given its context, may call tools that are not
	// read-only; these tools are not offered to others. In a session, the first request decides. If
	// nil, all senders may.
	MayWrite func(context.Context) bool

	// TextOwner returns the owner of the texts that a request without a session adds, given the
	// context of the request; known is false if its sender cannot be told apart from others. If nil,
	// the owner is that of SessionOwner.
	TextOwner func(context.Context) (name string, known bool)

	ProxyPathPrefix     string        // prefix that a proxy adds to the path of the endpoint; "" for none
	MaxSessions         int           // maximum number of open sessions; 0 means 1,000
	MaxSessionsPerOwner int           // maximum number of open sessions per owner; 0 means MaxSessions
	IdleTimeout         time.Duration // how long a session without requests and streams stays open; 0 means 30 minutes
	MaxBodyBytes        int64         // maximum size of a request in bytes; 0 means 4 MiB
}

// Endpoint is an HTTP handler that serves MCP at one URL, in all versions of the protocol. Versions
// from 2026-07-28 on have no sessions. In the oldest version (HTTP+SSE), a GET request opens a
// stream whose first event names the URL for messages.
type Endpoint struct {
	o         HTTPOptions
	sessions  *sessions
	stateful  http.Handler
	stateless http.Handler
	sse       *sseHandler
}

const (
	sessionHeader = "Mcp-Session-Id"
	versionHeader = "Mcp-Protocol-Version"

	// firstStateless is the first version of the protocol without sessions.
	firstStateless = "2026-07-28"
)

// sessionIdle is the default of HTTPOptions.IdleTimeout.
const sessionIdle = 30 * time.Minute

// NewEndpoint returns an Endpoint. It closes idle sessions only while RunIdleSessionCleanup runs.
func NewEndpoint(o HTTPOptions) *Endpoint {
	if o.SessionOwner == nil {
		o.SessionOwner = func(context.Context) string { return "" }
	}
	if o.LogUserName == nil {
		o.LogUserName = func(context.Context) string { return local }
	}
	if o.MayWrite == nil {
		o.MayWrite = func(context.Context) bool { return true }
	}
	if o.TextOwner == nil {
		o.TextOwner = func(ctx context.Context) (string, bool) { return o.SessionOwner(ctx), true }
	}
	if o.MaxSessions == 0 {
		o.MaxSessions = 1000
	}
	if o.IdleTimeout == 0 {
		o.IdleTimeout = sessionIdle
	}
	if o.MaxBodyBytes == 0 {
		o.MaxBodyBytes = mcp.DefaultMaxRequestBodyBytes
	}
	e := &Endpoint{o: o, sessions: newSessions(o.MaxSessions, o.MaxSessionsPerOwner)}
	chosen := func(r *http.Request) *mcp.Server {
		if s := o.ChooseServer(r); s != nil {
			return s.sdk
		}
		return nil
	}
	// The SDK's guard refuses proxies on the same machine. The user of an Endpoint has to check
	// Host and Origin instead.
	e.stateful = mcp.NewStreamableHTTPHandler(chosen, &mcp.StreamableHTTPOptions{
		EventStore: mcp.NewMemoryEventStore(nil), DisableLocalhostProtection: true, MaxRequestBodyBytes: o.MaxBodyBytes,
	})
	e.stateless = mcp.NewStreamableHTTPHandler(chosen, &mcp.StreamableHTTPOptions{
		Stateless: true, PropagateRequestCancellation: true, DisableLocalhostProtection: true, MaxRequestBodyBytes: o.MaxBodyBytes,
	})
	e.sse = &sseHandler{o: o, sessions: e.sessions, sends: make(map[string]*mcp.SSEServerTransport)}
	return e
}

// RunIdleSessionCleanup closes sessions that have been idle for too long. It blocks until ctx is done,
// and then closes all sessions.
func (e *Endpoint) RunIdleSessionCleanup(ctx context.Context) {
	tick := time.NewTicker(e.o.IdleTimeout / 30)
	defer tick.Stop()
	for {
		select {
		case now := <-tick.C:
			e.sessions.closeMatching(func(s *openSession) bool { return s.requests == 0 && now.Sub(s.used) >= e.o.IdleTimeout })
		case <-ctx.Done():
			e.CloseSessions()
			return
		}
	}
}

// CloseSessions closes all open sessions.
func (e *Endpoint) CloseSessions() { e.sessions.closeMatching(func(*openSession) bool { return true }) }

// SessionCount returns the number of open sessions.
func (e *Endpoint) SessionCount() int { return e.sessions.count() }

// CanServe reports whether the Endpoint handles a request with this method and these headers,
// regardless of its sender. Other requests must not be passed to ServeHTTP.
func (e *Endpoint) CanServe(r *http.Request) bool {
	switch {
	case r.Method == http.MethodPost:
		return true
	case isStateless(r):
		return false
	case r.Header.Get(sessionHeader) != "":
		return r.Method == http.MethodGet || r.Method == http.MethodDelete
	}
	return r.Method == http.MethodGet
}

// ServeHTTP passes a request to the handler for its version of the protocol.
func (e *Endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	r = r.WithContext(context.WithValue(r.Context(), callerKey{}, caller{user: e.o.LogUserName(r.Context()), onlyReads: !e.o.MayWrite(r.Context())}))
	switch {
	case isSSE(r):
		e.sse.ServeHTTP(w, r)
	case isStateless(r):
		e.serveStateless(w, r)
	case r.Header.Get(sessionHeader) != "":
		e.serveSession(w, r)
	default:
		e.openSession(w, r)
	}
}

// isStateless reports whether a request uses a protocol version without sessions.
func isStateless(r *http.Request) bool { return r.Header.Get(versionHeader) >= firstStateless }

// isSSE reports whether a request belongs to the transport HTTP+SSE, in which the request for a
// stream has no session yet, and messages name their session in the query.
func isSSE(r *http.Request) bool {
	if r.Method == http.MethodPost {
		return r.URL.Query().Has(sseSession)
	}
	return r.Method == http.MethodGet && r.Header.Get(sessionHeader) == "" && !isStateless(r)
}

// serveStateless handles a request that belongs to no session.
func (e *Endpoint) serveStateless(w http.ResponseWriter, r *http.Request) {
	name, known := e.o.TextOwner(r.Context())
	from := requestOwner{known, name, e.o.IdleTimeout}
	e.stateless.ServeHTTP(w, withNameFromBody(r).WithContext(context.WithValue(r.Context(), requestOwnerKey{}, from)))
}

// serveSession handles a request in a session. If the session belongs to another user, it responds
// as if the session did not exist.
func (e *Endpoint) serveSession(w http.ResponseWriter, r *http.Request) {
	session, leave, ok := e.sessions.enterSession(r.Header.Get(sessionHeader), e.o.SessionOwner(r.Context()))
	if !ok {
		http.Error(w, "session not found", http.StatusNotFound)
		return
	}
	defer leave()
	if r.Method == http.MethodPost {
		passed, ok := e.sessions.enterOrRefuse(session, w, r)
		if !ok {
			return
		}
		defer passed()
	}
	e.stateful.ServeHTTP(w, r)
}

// openSession handles a request that may open a session.
func (e *Endpoint) openSession(w http.ResponseWriter, r *http.Request) {
	owner := e.o.SessionOwner(r.Context())
	release, err := e.sessions.reserve(owner)
	if err != nil {
		refuseSession(w, err)
		return
	}
	defer release()
	place := &sessionPlace{e.sessions, owner, release}
	e.stateful.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), sessionPlaceKey{}, place)))
}

// refuseSession responds that no session can be opened: with 503 if too many are open in all, with
// 429 if too many of the user are.
func refuseSession(w http.ResponseWriter, why error) {
	status := http.StatusServiceUnavailable
	if errors.Is(why, errManyOfOwner) {
		status = http.StatusTooManyRequests
	}
	w.Header().Set("Retry-After", "60")
	http.Error(w, why.Error(), status)
}
