package mcp

import (
	"context"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// sessions are those that are open over HTTP. The SDK (v1.8.0) neither counts them
// nor tells whose they are, and closes those that only listen.
type sessions struct {
	most int

	mu      sync.Mutex
	open    map[string]*openSession // by the name that clients have for it
	opening int                     // requests that may become sessions
}

type openSession struct {
	owner    string
	end      func()
	requests int // that are being answered, streams among them
	used     time.Time
}

func newSessions(most int) *sessions {
	return &sessions{most: most, open: make(map[string]*openSession)}
}

// reserve keeps a place for a session until done is called.
func (ss *sessions) reserve() (done func(), ok bool) {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	if len(ss.open)+ss.opening >= ss.most {
		return nil, false
	}
	ss.opening++
	return sync.OnceFunc(func() {
		ss.mu.Lock()
		defer ss.mu.Unlock()
		ss.opening--
	}), true
}

// add takes in a session, which end closes.
func (ss *sessions) add(name, owner string, end func()) {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	ss.open[name] = &openSession{owner: owner, end: end, used: time.Now()}
}

// remove forgets a session that has ended.
func (ss *sessions) remove(name string) {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	delete(ss.open, name)
}

// enter begins a request in a session of the owner's.
func (ss *sessions) enter(name, owner string) (leave func(), ok bool) {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	s := ss.open[name]
	if s == nil || s.owner != owner {
		return nil, false
	}
	s.requests++
	return func() {
		ss.mu.Lock()
		s.requests--
		s.used = time.Now()
		ss.mu.Unlock()
	}, true
}

func (ss *sessions) count() int {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	return len(ss.open)
}

// close ends the sessions that are meant.
func (ss *sessions) close(meant func(*openSession) bool) {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	for _, s := range ss.open {
		if meant(s) {
			go s.end() // it may wait for requests that are being answered
		}
	}
}

// place is where a session that a request begins is taken in.
type place struct {
	sessions *sessions
	owner    string
}

type placeKey struct{}

// takeIn makes a session that begins known before its client can use it.
func takeIn(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		p, ofHTTP := ctx.Value(placeKey{}).(*place)
		if session, ok := req.GetSession().(*mcp.ServerSession); ok && ofHTTP && method == methodInitialize && session.ID() != "" {
			p.sessions.add(session.ID(), p.owner, func() { _ = session.Close() })
			go func() {
				_ = session.Wait() // why it ended does not matter here
				p.sessions.remove(session.ID())
			}()
		}
		return next(ctx, method, req)
	}
}
