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
		h.receiveMessage(w, r)
		return
	}
	h.openSession(w, r)
}

// openSession begins a session, which lasts as long as its stream.
func (h *sseHandler) openSession(w http.ResponseWriter, r *http.Request) {
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
		Endpoint: h.o.Below + r.URL.EscapedPath() + "?" + sseSession + "=" + name, Response: w, MaxRequestBodyBytes: h.o.MaxBody,
	}
	h.setTransport(name, transport)
	defer h.setTransport(name, nil)
	h.sessions.add(name, owner, end) // the client may send as soon as it is connected
	defer h.sessions.remove(name)
	of, leave, ok := h.sessions.enterSession(name, owner)
	if !ok {
		return // it was ended
	}
	defer leave()
	done()
	ctx = context.WithValue(ctx, callerKey{}, caller{user: h.o.NameOf(ctx), session: sessionLabel(name), onlyReads: !h.o.MayWrite(ctx)})
	h.serveSession(ctx, server, &countedTransport{transport, of.load})
}

// serveSession answers what is sent, until ctx ends or the client is gone.
func (h *sseHandler) serveSession(ctx context.Context, server *Server, transport mcp.Transport) {
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

// setTransport makes a session's messages known, or with nil forgets them.
func (h *sseHandler) setTransport(name string, t *mcp.SSEServerTransport) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if t == nil {
		delete(h.sends, name)
		return
	}
	h.sends[name] = t
}

// receiveMessage passes on a message that a client sends.
func (h *sseHandler) receiveMessage(w http.ResponseWriter, r *http.Request) {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		http.Error(w, "Content-Type must be 'application/json'", http.StatusUnsupportedMediaType)
		return
	}
	name := r.URL.Query().Get(sseSession)
	h.mu.Lock()
	transport := h.sends[name]
	h.mu.Unlock()
	session, leave, ok := h.sessions.enterSession(name, h.o.OwnerOf(r.Context()))
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

// countedTransport counts what is asked over HTTP+SSE until its answer is written: a
// message is taken long before that.
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
	calls map[jsonrpc.ID]accountedLoad // that are not answered
}

// accountedLoad is a load and where it counts.
type accountedLoad struct {
	in   *loadLimit
	load requestLoad
}

func (c accountedLoad) release() { c.in.subtract(c.load) }

// Read counts a request. A request whose ID is in use is refused: the SDK (v1.8.0) would
// not answer it.
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

// countRequest takes in a request: a ping beside those for which there is no room.
func (c *countedConnection) countRequest(r *jsonrpc.Request) accountedLoad {
	at := accountedLoad{c.load.asked, requestLoad{1, len(r.Params)}}
	if r.Method == methodPing && c.load.asked.isFull() {
		at.in = c.load.ahead
	}
	at.in.add(at.load)
	return at
}

// answerRefusal answers what is not passed on, which counts until then, too.
func (c *countedConnection) answerRefusal(ctx context.Context, id jsonrpc.ID, at accountedLoad) {
	defer at.release()
	_ = c.Connection.Write(ctx, &jsonrpc.Response{ID: id, Error: invalidRequest(idInUse)}) // a client that is gone is noticed by the stream
}

// noteRequest notes a request, unless its ID is in use.
func (c *countedConnection) noteRequest(id jsonrpc.ID, at accountedLoad) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.calls[id]; ok {
		return false
	}
	c.calls[id] = at
	return true
}

// Write stops counting a request that it answers, and frees its ID before: a client that
// reads the answer may reuse the ID at once.
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
