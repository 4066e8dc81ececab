package mcp

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// sessions are the open sessions over HTTP. The SDK (v1.8.0) neither counts them nor
// knows their owners, and closes those that only listen.
type sessions struct {
	most int // of all
	each int // of one owner; 0: as many as there may be

	mu      sync.Mutex
	open    map[string]*openSession // by the name that clients have for it
	opening int                     // requests that may become sessions
	owned   map[string]int          // sessions and such requests of each owner
}

type openSession struct {
	owner    string
	end      func()
	requests int // that are being answered, streams among them
	used     time.Time
	load     requestQuota // load of requests, also those whose client may have gone
}

func newSessions(most, each int) *sessions {
	return &sessions{most: most, each: each, open: make(map[string]*openSession), owned: make(map[string]int)}
}

// Why no session is opened.
var (
	errManySessions = errors.New("too many sessions are open; try again in a minute")
	errManyOfOwner  = errors.New("you have too many sessions open; end some, or try again in a minute")
)

// reserve keeps a place for a session of an owner until done is called. When there is
// none, an unused session is closed: its client learns of it with its next request, and
// opens another.
func (ss *sessions) reserve(owner string) (done func(), err error) {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	of := func(s *openSession) bool { return s.owner == owner }
	if ss.each > 0 && ss.owned[owner] >= ss.each && !ss.endLeastUsed(time.Now(), of) {
		return nil, errManyOfOwner
	}
	ofAll := func(*openSession) bool { return true }
	if len(ss.open)+ss.opening >= ss.most && !ss.endLeastUsed(time.Now(), ofAll) {
		return nil, errManySessions
	}
	ss.opening++
	ss.owned[owner]++
	return sync.OnceFunc(func() {
		ss.mu.Lock()
		defer ss.mu.Unlock()
		ss.opening--
		ss.decrementOwner(owner)
	}), nil
}

// decrementOwner counts one session less of an owner. It is called with ss.mu held.
func (ss *sessions) decrementOwner(owner string) {
	if ss.owned[owner]--; ss.owned[owner] == 0 {
		delete(ss.owned, owner)
	}
}

// settles is how long a session is left alone after a request, as long as another can
// go: its client is about to send another.
const settles = 10 * time.Second

// endLeastUsed ends, among the sessions that meant selects, the longest unused one of the
// owner with most sessions: an owner who opens many displaces only their own. The caller
// holds ss.mu.
func (ss *sessions) endLeastUsed(now time.Time, meant func(*openSession) bool) bool {
	last := ss.leastUsedName(func(s *openSession) bool { return now.Sub(s.used) >= settles && meant(s) })
	if last == "" {
		last = ss.leastUsedName(meant)
	}
	if last == "" {
		return false
	}
	go ss.open[last].end()
	ss.decrementOwner(ss.open[last].owner)
	delete(ss.open, last)
	return true
}

// leastUsedName returns the session to end among those that meant selects, "" if each is
// in use. The caller holds ss.mu.
func (ss *sessions) leastUsedName(meant func(*openSession) bool) (last string) {
	for name, s := range ss.open {
		if s.requests > 0 || !meant(s) {
			continue
		}
		before := ss.open[last]
		if before == nil || ss.owned[s.owner] > ss.owned[before.owner] || ss.owned[s.owner] == ss.owned[before.owner] && s.used.Before(before.used) {
			last = name
		}
	}
	return last
}

// add adds a session, which end closes.
func (ss *sessions) add(name, owner string, end func()) {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	ss.open[name] = &openSession{owner: owner, end: end, used: time.Now(), load: newRequestQuota()}
	ss.owned[owner]++
}

// remove forgets a session that has ended.
func (ss *sessions) remove(name string) {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	if s := ss.open[name]; s != nil {
		delete(ss.open, name)
		ss.decrementOwner(s.owner)
	}
}

// enterSession begins a request in a session of the owner's.
func (ss *sessions) enterSession(name, owner string) (of *openSession, leave func(), ok bool) {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	s := ss.open[name]
	if s == nil || s.owner != owner {
		return nil, nil, false
	}
	s.requests++
	return s, func() {
		ss.mu.Lock()
		s.requests--
		s.used = time.Now()
		ss.mu.Unlock()
	}, true
}

// openSessionOf returns the session of streamable HTTP that a request belongs to, or nil.
// Its context is that of the request which opened the session.
func openSessionOf(ctx context.Context, req mcp.Request) *openSession {
	p, ofHTTP := ctx.Value(sessionPlaceKey{}).(*sessionPlace)
	if !ofHTTP {
		return nil
	}
	p.sessions.mu.Lock()
	defer p.sessions.mu.Unlock()
	return p.sessions.open[req.GetSession().ID()]
}

// countRequests counts requests in sessions of streamable HTTP while they are answered,
// whether or not their clients wait for that.
func countRequests(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if s := openSessionOf(ctx, req); s != nil {
			l := requestLoad{requests: 1}
			if p, ok := req.GetParams().(*mcp.CallToolParamsRaw); ok {
				l.bytes = len(p.Arguments)
			}
			s.load.asked.add(l)
			defer s.load.asked.subtract(l)
		}
		return next(ctx, method, req)
	}
}

func (ss *sessions) count() int {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	return len(ss.open)
}

// closeMatching ends the sessions that are meant.
func (ss *sessions) closeMatching(meant func(*openSession) bool) {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	for _, s := range ss.open {
		if meant(s) {
			go s.end() // it may wait for requests that are being answered
		}
	}
}

// sessionPlace is where the session opened by a request is added. From then on the place
// that release returns would be counted twice, and the client has its answer before the
// request is done.
type sessionPlace struct {
	sessions *sessions
	owner    string
	release  func()
}

type sessionPlaceKey struct{}

// registerSession makes a session that begins known before its client can use it.
func registerSession(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		p, ofHTTP := ctx.Value(sessionPlaceKey{}).(*sessionPlace)
		if session, ok := req.GetSession().(*mcp.ServerSession); ok && ofHTTP && method == methodInitialize && session.ID() != "" && openSessionOf(ctx, req) == nil {
			p.sessions.add(session.ID(), p.owner, func() { _ = session.Close() })
			p.release()
			go func() {
				_ = session.Wait() // why it ended does not matter here
				p.sessions.remove(session.ID())
			}()
		}
		return next(ctx, method, req)
	}
}
