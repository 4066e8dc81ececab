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
	// Choose returns the Server that answers a request, or nil for none. It returns the same
	// one for all requests of a user.
	Choose func(*http.Request) *Server

	// OwnerOf returns the user who sent a request. Only that user may use a session that the
	// request opens. If it is nil, there are no users.
	OwnerOf func(context.Context) string

	// NameOf returns the name of the sender of a request for the log; nil stands for local.
	NameOf func(context.Context) string

	// MayWrite reports whether the sender of a request may call tools that are not read-only; if it
	// is nil, all may. Others are not offered these tools. In a session the first request decides.
	MayWrite func(context.Context) bool

	// TextsOf returns the owner of the texts that a request outside of a session adds; known is
	// false where users are not distinguished. If it is nil, all have one owner.
	TextsOf func(context.Context) (name string, known bool)

	Below       string        // the path prefix under which clients reach the endpoint, "" for none
	MaxSessions int           // maximum of open sessions; 0: 1,000
	MaxOfOwner  int           // maximum of open sessions of one owner; 0: MaxSessions
	Idle        time.Duration // after which a session without a request or stream is closed; 0: 30 minutes
	MaxBody     int64         // maximum size of a request in bytes; 0: 4 MiB
}

// Endpoint answers MCP over HTTP at one URL, in all versions of the protocol. From
// 2026-07-28 on each request stands alone; earlier versions have sessions, and the oldest
// opens a stream by a GET which names the URL for messages.
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

	firstStateless = "2026-07-28"
)

// sessionIdle is HTTPOptions.Idle where it is 0.
const sessionIdle = 30 * time.Minute

// NewEndpoint returns an Endpoint. It closes idle sessions only while CloseIdleSessions runs.
func NewEndpoint(o HTTPOptions) *Endpoint {
	if o.OwnerOf == nil {
		o.OwnerOf = func(context.Context) string { return "" }
	}
	if o.NameOf == nil {
		o.NameOf = func(context.Context) string { return local }
	}
	if o.MayWrite == nil {
		o.MayWrite = func(context.Context) bool { return true }
	}
	if o.TextsOf == nil {
		o.TextsOf = func(ctx context.Context) (string, bool) { return o.OwnerOf(ctx), true }
	}
	if o.MaxSessions == 0 {
		o.MaxSessions = 1000
	}
	if o.Idle == 0 {
		o.Idle = sessionIdle
	}
	if o.MaxBody == 0 {
		o.MaxBody = mcp.DefaultMaxRequestBodyBytes
	}
	e := &Endpoint{o: o, sessions: newSessions(o.MaxSessions, o.MaxOfOwner)}
	chosen := func(r *http.Request) *mcp.Server {
		if s := o.Choose(r); s != nil {
			return s.sdk
		}
		return nil
	}
	// The guard of the SDK refuses proxies on the same machine: the caller that serves an
	// Endpoint has to check Host and Origin.
	e.stateful = mcp.NewStreamableHTTPHandler(chosen, &mcp.StreamableHTTPOptions{
		EventStore: mcp.NewMemoryEventStore(nil), DisableLocalhostProtection: true, MaxRequestBodyBytes: o.MaxBody,
	})
	e.stateless = mcp.NewStreamableHTTPHandler(chosen, &mcp.StreamableHTTPOptions{
		Stateless: true, PropagateRequestCancellation: true, DisableLocalhostProtection: true, MaxRequestBodyBytes: o.MaxBody,
	})
	e.sse = newSSEHandler(e.sessions, o)
	return e
}

// CloseIdleSessions closes sessions that have been idle for too long. It blocks until ctx is done,
// and closes all sessions then.
func (e *Endpoint) CloseIdleSessions(ctx context.Context) {
	tick := time.NewTicker(e.o.Idle / 30)
	defer tick.Stop()
	for {
		select {
		case now := <-tick.C:
			e.sessions.closeMatching(func(s *openSession) bool { return s.requests == 0 && now.Sub(s.used) >= e.o.Idle })
		case <-ctx.Done():
			e.CloseSessions()
			return
		}
	}
}

// CloseSessions closes all open sessions.
func (e *Endpoint) CloseSessions() { e.sessions.closeMatching(func(*openSession) bool { return true }) }

// SessionCount returns how many sessions are open.
func (e *Endpoint) SessionCount() int { return e.sessions.count() }

// IsServed reports whether an Endpoint handles requests of this method and these headers,
// regardless of the sender. Others must not be passed on.
func (e *Endpoint) IsServed(r *http.Request) bool {
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

// ServeHTTP passes a request on to the part that speaks its version.
func (e *Endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	r = r.WithContext(context.WithValue(r.Context(), callerKey{}, caller{user: e.o.NameOf(r.Context()), onlyReads: !e.o.MayWrite(r.Context())}))
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

// isStateless reports whether a request is of a version of the protocol without sessions.
func isStateless(r *http.Request) bool { return r.Header.Get(versionHeader) >= firstStateless }

// isSSE reports whether a request belongs to HTTP+SSE: its stream has no session yet, and
// its messages name theirs in the query.
func isSSE(r *http.Request) bool {
	if r.Method == http.MethodPost {
		return r.URL.Query().Has(sseSession)
	}
	return r.Method == http.MethodGet && r.Header.Get(sessionHeader) == "" && !isStateless(r)
}

// serveStateless answers a request that belongs to no session.
func (e *Endpoint) serveStateless(w http.ResponseWriter, r *http.Request) {
	name, known := e.o.TextsOf(r.Context())
	from := requestOwner{known, name, e.o.Idle}
	e.stateless.ServeHTTP(w, withNameFromBody(r).WithContext(context.WithValue(r.Context(), requestOwnerKey{}, from)))
}

// serveSession answers a request in a session. The session of another user is answered like one
// that does not exist.
func (e *Endpoint) serveSession(w http.ResponseWriter, r *http.Request) {
	session, leave, ok := e.sessions.enterSession(r.Header.Get(sessionHeader), e.o.OwnerOf(r.Context()))
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

// openSession answers a request that may begin a session.
func (e *Endpoint) openSession(w http.ResponseWriter, r *http.Request) {
	owner := e.o.OwnerOf(r.Context())
	release, err := e.sessions.reserve(owner)
	if err != nil {
		refuseSession(w, err)
		return
	}
	defer release()
	place := &sessionPlace{e.sessions, owner, release}
	e.stateful.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), sessionPlaceKey{}, place)))
}

// refuseSession answers that no session is opened: with 503 if there are too many in all, and with
// 429 if the user has too many.
func refuseSession(w http.ResponseWriter, why error) {
	status := http.StatusServiceUnavailable
	if errors.Is(why, errManyOfOwner) {
		status = http.StatusTooManyRequests
	}
	w.Header().Set("Retry-After", "60")
	http.Error(w, why.Error(), status)
}
