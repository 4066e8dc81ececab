package mcp

import (
	"context"
	"crypto/rand"
	"mime"
	"net/http"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// sseSession is the parameter by which a message of HTTP+SSE names its session.
const sseSession = "sessionid"

// sseHandler speaks HTTP+SSE. That of the SDK (v1.8.0) would let anyone send into
// anyone's session, and has no limit to them.
type sseHandler struct {
	o        HTTPOptions
	sessions *sessions

	mu    sync.Mutex
	sends map[string]*mcp.SSEServerTransport // by session
}

func newSSEHandler(ss *sessions, o HTTPOptions) *sseHandler {
	return &sseHandler{o: o, sessions: ss, sends: make(map[string]*mcp.SSEServerTransport)}
}

func (h *sseHandler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodPost {
		h.take(w, r)
		return
	}
	h.open(w, r)
}

// open begins a session, which lasts as long as its stream.
func (h *sseHandler) open(w http.ResponseWriter, r *http.Request) {
	owner := h.o.OwnerOf(r.Context())
	done, err := h.sessions.reserve(owner)
	if err != nil {
		refuseSession(w, err)
		return
	}
	defer done()
	server := h.o.Choose(r)
	if server == nil {
		http.Error(w, "no server available", http.StatusBadRequest)
		return
	}
	ctx, end := context.WithCancel(r.Context())
	defer end()
	name := rand.Text()
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-cache, no-transform")
	transport := &mcp.SSEServerTransport{
		Endpoint: r.URL.EscapedPath() + "?" + sseSession + "=" + name, Response: w, MaxRequestBodyBytes: h.o.MaxBody,
	}
	h.set(name, transport)
	defer h.set(name, nil)
	h.sessions.add(name, owner, end) // the client may send as soon as it is connected
	defer h.sessions.remove(name)
	leave, _ := h.sessions.enter(name, owner)
	defer leave()
	done()
	ctx = context.WithValue(ctx, callerKey{}, caller{h.o.NameOf(ctx), sessionLabel(name)})
	h.serve(ctx, server, transport)
}

// serve answers what is sent, until ctx ends or the client is gone.
func (h *sseHandler) serve(ctx context.Context, server *Server, transport *mcp.SSEServerTransport) {
	session, err := server.sdk.Connect(ctx, transport, nil)
	if err != nil {
		return // the client is gone
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = session.Wait() // why it ended does not matter here
	}()
	select {
	case <-ctx.Done():
		_ = session.Close()
		<-ended
	case <-ended:
	}
}

// set makes a session's messages known, or with nil forgets them.
func (h *sseHandler) set(name string, t *mcp.SSEServerTransport) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if t == nil {
		delete(h.sends, name)
		return
	}
	h.sends[name] = t
}

// take passes on a message that a client sends.
func (h *sseHandler) take(w http.ResponseWriter, r *http.Request) {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		http.Error(w, "Content-Type must be 'application/json'", http.StatusUnsupportedMediaType)
		return
	}
	name := r.URL.Query().Get(sseSession)
	h.mu.Lock()
	transport := h.sends[name]
	h.mu.Unlock()
	leave, ok := h.sessions.enter(name, h.o.OwnerOf(r.Context()))
	if !ok || transport == nil {
		http.Error(w, "session not found", http.StatusNotFound)
		return
	}
	defer leave()
	transport.ServeHTTP(w, r)
}
