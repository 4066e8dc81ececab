package mcp

import (
	"context"
	"crypto/rand"
	"mime"
	"net/http"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// sseSession is the query parameter by which a message of HTTP+SSE names its session.
const sseSession = "sessionid"

// sseHandler serves the transport HTTP+SSE. The handler of the SDK (v1.8.0) would let anyone send
// messages to anyone's session, and does not limit the number of sessions.
type sseHandler struct {
	o        HTTPOptions
	sessions *sessions

	mu    sync.Mutex
	sends map[string]*mcp.SSEServerTransport // by session ID
}

func (h *sseHandler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodPost {
		h.receiveMessage(w, r)
		return
	}
	h.openSession(w, r)
}

// openSession opens a session, which lasts as long as its stream.
func (h *sseHandler) openSession(w http.ResponseWriter, r *http.Request) {
	owner := h.o.SessionOwner(r.Context())
	done, err := h.sessions.reserve(owner)
	if err != nil {
		refuseSession(w, err)
		return
	}
	defer done()
	server := h.o.ChooseServer(r)
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
		Endpoint: h.o.ProxyPathPrefix + r.URL.EscapedPath() + "?" + sseSession + "=" + name, Response: w, MaxRequestBodyBytes: h.o.MaxBodyBytes,
	}
	h.setTransport(name, transport)
	defer h.setTransport(name, nil)
	h.sessions.add(name, owner, end) // the client may send as soon as it is connected
	defer h.sessions.remove(name)
	of, leave, ok := h.sessions.enterSession(name, owner)
	if !ok {
		return // the session was ended
	}
	defer leave()
	done()
	ctx = context.WithValue(ctx, callerKey{}, caller{user: h.o.LogUserName(ctx), session: sessionLabel(name), onlyReads: !h.o.MayWrite(ctx)})
	h.serveSession(ctx, server, &countedTransport{transport, of.load})
}

// serveSession serves a session until ctx is done or the client disconnects.
func (h *sseHandler) serveSession(ctx context.Context, server *Server, transport mcp.Transport) {
	session, err := server.sdk.Connect(ctx, transport, nil)
	if err != nil {
		return // the client has disconnected
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = session.Wait() // the reason does not matter
	}()
	select {
	case <-ctx.Done():
		_ = session.Close()
		<-ended
	case <-ended:
	}
}

// setTransport sets the transport that receives the messages of a session, or removes it if t is
// nil.
func (h *sseHandler) setTransport(id string, t *mcp.SSEServerTransport) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if t == nil {
		delete(h.sends, id)
		return
	}
	h.sends[id] = t
}

// receiveMessage passes a message from a client to the transport of its session.
func (h *sseHandler) receiveMessage(w http.ResponseWriter, r *http.Request) {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		http.Error(w, "Content-Type must be 'application/json'", http.StatusUnsupportedMediaType)
		return
	}
	name := r.URL.Query().Get(sseSession)
	h.mu.Lock()
	transport := h.sends[name]
	h.mu.Unlock()
	session, leave, ok := h.sessions.enterSession(name, h.o.SessionOwner(r.Context()))
	if !ok || transport == nil {
		http.Error(w, "session not found", http.StatusNotFound)
		return
	}
	defer leave()
	passed, ok := h.sessions.enterOrRefuse(session, w, r)
	if !ok {
		return
	}
	defer passed()
	transport.ServeHTTP(w, r)
}

// countedTransport counts requests over HTTP+SSE until their responses are written, which may be
// long after the message was accepted.
type countedTransport struct {
	*mcp.SSEServerTransport
	load requestQuota
}

// Connect implements mcp.Transport.
func (t *countedTransport) Connect(ctx context.Context) (mcp.Connection, error) {
	c, err := t.SSEServerTransport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &countedConnection{Connection: c, load: t.load, calls: make(map[jsonrpc.ID]accountedLoad)}, nil
}

type countedConnection struct {
	mcp.Connection
	load requestQuota

	mu    sync.Mutex
	calls map[jsonrpc.ID]accountedLoad // unanswered requests
}

// accountedLoad is a load and the limit in which it is counted.
type accountedLoad struct {
	in   *loadLimit
	load requestLoad
}

func (c accountedLoad) release() { c.in.subtract(c.load) }

// Read reads a message, and counts it if it is a request. A request is refused if its ID belongs to
// an unanswered one, as the SDK (v1.8.0) would not answer it.
func (c *countedConnection) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		m, err := c.Connection.Read(ctx)
		r, ok := m.(*jsonrpc.Request)
		if err != nil || !ok || !r.IsCall() {
			return m, err
		}
		at := c.countRequest(r)
		if c.noteRequest(r.ID, at) {
			return m, nil
		}
		go c.answerRefusal(ctx, r.ID, at)
	}
}

// countRequest counts a request. A ping at the limit is counted among the waiting requests.
func (c *countedConnection) countRequest(r *jsonrpc.Request) accountedLoad {
	at := accountedLoad{c.load.asked, requestLoad{1, len(r.Params)}}
	if r.Method == methodPing && c.load.asked.isFull() {
		at.in = c.load.ahead
	}
	at.in.add(at.load)
	return at
}

// answerRefusal responds to a request that is not passed on, and counts its load until then.
func (c *countedConnection) answerRefusal(ctx context.Context, id jsonrpc.ID, at accountedLoad) {
	defer at.release()
	_ = c.Connection.Write(ctx, &jsonrpc.Response{ID: id, Error: invalidRequest(idInUse)}) // the stream notices if the client is gone
}

// noteRequest records a request as unanswered, and reports false if another one has its ID.
func (c *countedConnection) noteRequest(id jsonrpc.ID, at accountedLoad) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.calls[id]; ok {
		return false
	}
	c.calls[id] = at
	return true
}

// Write sends a message. If the message is a response, the request no longer counts, and its ID is
// free before the response is sent, as a client may reuse the ID at once.
func (c *countedConnection) Write(ctx context.Context, m jsonrpc.Message) error {
	if r, ok := m.(*jsonrpc.Response); ok {
		if at, ok := c.removeRequest(r.ID); ok {
			defer at.release()
		}
	}
	return c.Connection.Write(ctx, m)
}

func (c *countedConnection) removeRequest(id jsonrpc.ID) (at accountedLoad, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	at, ok = c.calls[id]
	delete(c.calls, id)
	return at, ok
}
