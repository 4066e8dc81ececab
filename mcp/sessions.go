package mcp

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// sessions are the open sessions over HTTP. They are tracked here, as the SDK (v1.8.0) neither
// counts sessions nor knows their owners, and closes those that only listen.
type sessions struct {
	most int // maximum number in all
	each int // maximum number per owner; 0 means no such limit

	mu      sync.Mutex
	open    map[string]*openSession // by session ID
	opening int                     // number of requests in progress that may open a session
	owned   map[string]int          // number of sessions and of such requests in progress, by owner
}

type openSession struct {
	owner    string
	end      func()
	requests int // requests in progress, including streams
	used     time.Time
	load     requestQuota // limit of its unanswered requests, including those whose client may be gone
}

func newSessions(most, each int) *sessions {
	return &sessions{most: most, each: each, open: make(map[string]*openSession), owned: make(map[string]int)}
}

// Reasons why no session is opened.
var (
	errManySessions = errors.New("too many sessions are open; try again in a minute")
	errManyOfOwner  = errors.New("you have too many sessions open; end some, or try again in a minute")
)

// reserve reserves the slot of a session for an owner until done is called. If none is free, it
// closes an unused session; the client of that one learns of it with its next request, and opens
// another.
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

// decrementOwner decrements the count of an owner. The caller holds ss.mu.
func (ss *sessions) decrementOwner(owner string) {
	if ss.owned[owner]--; ss.owned[owner] == 0 {
		delete(ss.owned, owner)
	}
}

// sessionGracePeriod is how long after a request a session is not closed if another one can be, as its client
// is probably about to send another request.
const sessionGracePeriod = 10 * time.Second

// endLeastUsed closes the least recently used of the unused sessions that accepts selects, and
// reports whether there is one. It chooses among those of the owner with the most sessions, so that
// an owner who opens many loses only their own. The caller holds ss.mu.
func (ss *sessions) endLeastUsed(now time.Time, accepts func(*openSession) bool) bool {
	last := ss.leastUsedName(func(s *openSession) bool { return now.Sub(s.used) >= sessionGracePeriod && accepts(s) })
	if last == "" {
		last = ss.leastUsedName(accepts)
	}
	if last == "" {
		return false
	}
	go ss.open[last].end()
	ss.decrementOwner(ss.open[last].owner)
	delete(ss.open, last)
	return true
}

// leastUsedName returns the ID of the session to close among those that accepts selects; "" if all
// are in use. The caller holds ss.mu.
func (ss *sessions) leastUsedName(accepts func(*openSession) bool) (last string) {
	for name, s := range ss.open {
		if s.requests > 0 || !accepts(s) {
			continue
		}
		before := ss.open[last]
		if before == nil || ss.owned[s.owner] > ss.owned[before.owner] || ss.owned[s.owner] == ss.owned[before.owner] && s.used.Before(before.used) {
			last = name
		}
	}
	return last
}

// add adds a session; end closes it.
func (ss *sessions) add(id, owner string, end func()) {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	ss.open[id] = &openSession{owner: owner, end: end, used: time.Now(), load: newRequestQuota()}
	ss.owned[owner]++
}

// remove removes a session that has ended.
func (ss *sessions) remove(id string) {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	if s := ss.open[id]; s != nil {
		delete(ss.open, id)
		ss.decrementOwner(s.owner)
	}
}

// enterSession returns the session with an ID, and counts a request in it as in progress until
// leave is called. ok is false if the owner has no such session.
func (ss *sessions) enterSession(id, owner string) (of *openSession, leave func(), ok bool) {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	s := ss.open[id]
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

// openSessionOf returns the open streamable HTTP session that a request belongs to; nil if there is
// none. It relies on the context of the session's first request, which the SDK passes with all its
// requests.
func openSessionOf(ctx context.Context, req mcp.Request) *openSession {
	p, ofHTTP := ctx.Value(sessionPlaceKey{}).(*sessionPlace)
	if !ofHTTP {
		return nil
	}
	p.sessions.mu.Lock()
	defer p.sessions.mu.Unlock()
	return p.sessions.open[req.GetSession().ID()]
}

// countRequests is middleware that counts the requests of each streamable HTTP session that are
// being handled, including those whose clients no longer wait.
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

// closeMatching closes the sessions that accepts selects.
func (ss *sessions) closeMatching(accepts func(*openSession) bool) {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	for _, s := range ss.open {
		if accepts(s) {
			go s.end() // it may wait for requests in progress
		}
	}
}

// sessionPlace is the slot that a request holds because it may open a session. Once the session
// itself is counted, release returns the slot: the request is still in progress then, and would be
// counted as well.
type sessionPlace struct {
	sessions *sessions
	owner    string
	release  func()
}

type sessionPlaceKey struct{}

// registerSession is middleware that records a new session before its client can use it.
func registerSession(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		p, ofHTTP := ctx.Value(sessionPlaceKey{}).(*sessionPlace)
		if session, ok := req.GetSession().(*mcp.ServerSession); ok && ofHTTP && method == methodInitialize && session.ID() != "" && openSessionOf(ctx, req) == nil {
			p.sessions.add(session.ID(), p.owner, func() { _ = session.Close() })
			p.release()
			go func() {
				_ = session.Wait() // the reason does not matter
				p.sessions.remove(session.ID())
			}()
		}
		return next(ctx, method, req)
	}
}
