package mcp

import (
	"context"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"vademecum/index"
)

// changeNotifier notifies clients of changes. It tracks what each client knows, since the SDK
// (v1.8.0) sends the same notifications to all clients, including sessions that are not initialised
// yet, and supports only one subscriptions/listen stream (protocol 2026-07-28) per session.
type changeNotifier struct {
	mu       sync.Mutex
	sessions map[*mcp.ServerSession]*sessionState
	all      map[*changeListener]bool
	notify   mcp.MethodHandler // sends a notification to a client
	look     chan struct{}     // holds a token when a client may have to be notified
}

// sessionState is what the client of a session knows of the documents and their list.
type sessionState struct {
	known  map[string]version // versions of documents, by URI, as last read or notified
	list   int                // number of the state of the list when last listed or notified; notListed if it never was
	direct *changeListener    // listener of a session in the protocol versions up to 2025-11-25
}

// changeListener is a receiver of notifications about changes: a session or, in protocol
// 2026-07-28, a stream.
type changeListener struct {
	session *mcp.ServerSession
	owner   textsOwner // owner of texts, of whose texts it is notified as well
	id      any        // ID of the request that opened the stream; nil for a session
	open    bool       // the session is initialised, or the stream has been acknowledged
	telling bool       // a notification is being sent; further ones wait for it
	list    int        // number of the state of the list that the client knows; notListed if it does not want to be notified of changes
	follows map[string]*subscription
}

// subscription is a subscription to a document or a part of it.
type subscription struct {
	document string // URI without a fragment
	seen     version
}

// version distinguishes the states of a document: it is the beginning of the hash of its content.
type version uint64

const (
	noVersion   version = 0 // the document does not exist
	onlyVersion version = 1 // version of a text, which cannot change: its name is its hash
)

func versionOf(bytes uint64) version { return max(1, version(bytes)) }

// versionOfPart returns the version of the document from which a part was read.
func versionOfPart(p index.DocumentPart) version {
	if isTextURI(p.Document.URI) {
		return onlyVersion
	}
	return versionOf(index.HashPrefix(p.Hash))
}

type changeListenerKey struct{}

const (
	methodListen      = "subscriptions/listen"
	methodUpdated     = "notifications/resources/updated"
	methodListChanged = "notifications/resources/list_changed"
	methodAcked       = "notifications/subscriptions/acknowledged"
	methodInitialized = "notifications/initialized"
	notifyLimit       = 10 * time.Second

	notListed = -1
	maxKnown  = 10_000 // documents tracked per session
)

func newChangeNotifier() *changeNotifier {
	return &changeNotifier{sessions: make(map[*mcp.ServerSession]*sessionState), all: make(map[*changeListener]bool), look: make(chan struct{}, 1)}
}

// stateOf returns the state of a session. The caller holds ls.mu.
func (ls *changeNotifier) stateOf(session *mcp.ServerSession) *sessionState {
	if r := ls.sessions[session]; r != nil {
		return r
	}
	r := &sessionState{known: make(map[string]version), list: notListed, direct: &changeListener{session: session, owner: textsOwner{session: session}, list: notListed}}
	ls.sessions[session], ls.all[r.direct] = r, true
	go func() {
		_ = session.Wait() // the reason does not matter
		ls.mu.Lock()
		defer ls.mu.Unlock()
		delete(ls.sessions, session)
		delete(ls.all, r.direct)
	}()
	return r
}

func (r *sessionState) notesVersion(document string, v version) {
	if _, ok := r.known[document]; !ok && len(r.known) >= maxKnown {
		for other := range r.known { // an arbitrary one
			delete(r.known, other)
			break
		}
	}
	r.known[document] = v
}

// noteRead records the version of a document that a session has read.
func (ls *changeNotifier) noteRead(session *mcp.ServerSession, document string, v version) {
	ls.mu.Lock()
	defer ls.mu.Unlock()
	ls.stateOf(session).notesVersion(document, v)
}

// noteListed records the number of the state of the list that a session has received.
func (ls *changeNotifier) noteListed(session *mcp.ServerSession, state int) {
	ls.mu.Lock()
	defer ls.mu.Unlock()
	r := ls.stateOf(session)
	r.list, r.direct.list = state, state
}

// activate makes a listener receive notifications.
func (ls *changeNotifier) activate(l *changeListener) {
	ls.mu.Lock()
	l.open = true
	ls.mu.Unlock()
	ls.wakeUp()
}

func (ls *changeNotifier) wakeUp() {
	select {
	case ls.look <- struct{}{}:
	default:
	}
}

// trackSubscriptions is middleware that tracks subscriptions and streams.
func (s *Server) trackSubscriptions(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		session, ok := req.GetSession().(*mcp.ServerSession)
		if !ok {
			return next(ctx, method, req)
		}
		switch p := req.GetParams().(type) {
		case *mcp.SubscribeParams:
			return s.subscribe(ctx, session, p.URI, func() (mcp.Result, error) { return next(ctx, method, req) })
		case *mcp.UnsubscribeParams:
			s.listeners.mu.Lock()
			delete(s.listeners.stateOf(session).direct.follows, p.URI)
			s.listeners.mu.Unlock()
		case *mcp.SubscriptionsListenParams:
			if p.Notifications != nil {
				l := s.openStream(ctx, session, p.Notifications)
				defer s.closeStream(l)
				ctx = context.WithValue(ctx, changeListenerKey{}, l)
			}
		}
		result, err := next(ctx, method, req)
		if method == methodInitialized && err == nil {
			s.listeners.mu.Lock()
			direct := s.listeners.stateOf(session).direct
			s.listeners.mu.Unlock()
			s.listeners.activate(direct)
		}
		return result, err
	}
}

// subscribe subscribes a session of the older protocols to a document. It is then notified of
// versions other than the one that it has read or, if it has read none, the one that clients were
// last notified of. accept produces the response.
func (s *Server) subscribe(ctx context.Context, session *mcp.ServerSession, uri string, accept func() (mcp.Result, error)) (mcp.Result, error) {
	ls := s.listeners
	if ls.isAtLimit(session, uri) {
		return nil, errManyFollows
	}
	s.completeListOnce(ctx)
	document, now := s.currentVersion(textsOwner{session: session}, uri)
	result, err := accept()
	if err != nil {
		return result, err
	}
	ls.mu.Lock()
	r := ls.stateOf(session)
	if r.direct.follows[uri] == nil {
		r.direct.addSubscription(uri, r.subscriptionTo(document, now))
	}
	ls.mu.Unlock()
	ls.wakeUp()
	return result, nil
}

// isAtLimit reports whether a session must not subscribe to a further document. It may always
// subscribe again to one that it follows.
func (ls *changeNotifier) isAtLimit(session *mcp.ServerSession, uri string) bool {
	ls.mu.Lock()
	defer ls.mu.Unlock()
	follows := ls.stateOf(session).direct.follows
	return len(follows) >= maxFollows && follows[uri] == nil
}

// openStream adds a listener for a stream. It receives nothing until the stream is acknowledged.
func (s *Server) openStream(ctx context.Context, session *mcp.ServerSession, wants *mcp.NotificationSubscriptions) *changeListener {
	l := &changeListener{session: session, owner: textsOwnerOf(ctx, session), list: notListed}
	type found struct {
		document string
		now      version
	}
	all := make(map[string]found)
	if len(wants.ResourceSubscriptions) > 0 {
		s.completeListOnce(ctx)
	}
	for _, uri := range wants.ResourceSubscriptions {
		document, now := s.currentVersion(l.owner, uri)
		all[uri] = found{document, now}
	}
	s.listed.mu.Lock()
	state := s.listState(l.owner)
	s.listed.mu.Unlock()
	ls := s.listeners
	ls.mu.Lock()
	defer ls.mu.Unlock()
	r := ls.stateOf(session)
	for uri, f := range all {
		l.addSubscription(uri, r.subscriptionTo(f.document, f.now))
	}
	if wants.ResourcesListChanged {
		l.list = state
		if r.list != notListed {
			l.list = r.list
		}
	}
	ls.all[l] = true
	return l
}

func (s *Server) closeStream(l *changeListener) {
	s.listeners.mu.Lock()
	defer s.listeners.mu.Unlock()
	delete(s.listeners.all, l)
}

func (l *changeListener) addSubscription(uri string, to *subscription) {
	if l.follows == nil {
		l.follows = make(map[string]*subscription)
	}
	l.follows[uri] = to
}

func (r *sessionState) subscriptionTo(document string, now version) *subscription {
	if known, ok := r.known[document]; ok {
		now = known
	}
	return &subscription{document, now}
}

// completeListOnce waits until the list of resources has been complete once. A document that cannot
// be read yet counts as a change when it is read.
func (s *Server) completeListOnce(ctx context.Context) {
	s.listed.mu.Lock()
	complete := s.listed.complete
	s.listed.mu.Unlock()
	if !complete && s.library.WaitFresh(ctx, index.WaitPurposeAnswer) == nil {
		s.notifyResourceChanges(nil)
	}
}

// currentVersion returns the document that a canonical URI points into, and the version that
// clients were last notified of. It does not look up newer ones, as some clients change the
// document before their subscription is confirmed.
func (s *Server) currentVersion(h textsOwner, uri string) (document string, now version) {
	document, _, _ = strings.Cut(uri, "#")
	s.listed.mu.Lock()
	defer s.listed.mu.Unlock()
	return document, s.listedVersion(h, document)
}

// filterNotifications is middleware that learns the ID of a stream from the notification that
// acknowledges it, and drops the SDK's own notifications about resources.
func (ls *changeNotifier) filterNotifications(next mcp.MethodHandler) mcp.MethodHandler {
	ls.notify = next
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if method == methodUpdated || method == methodListChanged {
			return nil, nil
		}
		result, err := next(ctx, method, req)
		if l, ok := ctx.Value(changeListenerKey{}).(*changeListener); ok && method == methodAcked && err == nil {
			ls.mu.Lock()
			l.id = req.GetParams().GetMeta()[mcp.MetaKeySubscriptionID]
			ls.mu.Unlock()
			ls.activate(l)
		}
		return result, err
	}
}

// notification is a notification to be sent to a listener.
type notification struct {
	to  *changeListener
	uri string // URI of what has changed; "" for the list
}

// dueNotifications returns the notifications that are to be sent, each once: for the documents and
// lists whose present state, which find and listOf return for an owner of texts, differs from what
// the client knows. If quiet is set, notifications about the list are held back, and waiting
// reports whether there are any.
func (ls *changeNotifier) dueNotifications(find func(h textsOwner, uri string) version, listOf func(textsOwner) int, quiet bool) (due []notification, waiting bool) {
	ls.mu.Lock()
	defer ls.mu.Unlock()
	for l := range ls.all {
		if !l.open || l.telling {
			continue
		}
		r := ls.stateOf(l.session)
		for uri, to := range l.follows {
			if v := find(l.owner, to.document); v != to.seen {
				to.seen = v
				r.notesVersion(to.document, v)
				due = append(due, notification{l, uri})
			}
		}
		switch list := listOf(l.owner); {
		case l.list == notListed || l.list == list:
		case quiet:
			waiting = true
		default:
			l.list, r.list = list, list
			due = append(due, notification{l, ""})
		}
	}
	return due, waiting
}

// sendAll sends notifications concurrently, so that a client that reads slowly delays only its own.
func (ls *changeNotifier) sendAll(ctx context.Context, due []notification) {
	of := make(map[*changeListener][]notification)
	for _, n := range due {
		of[n.to] = append(of[n.to], n)
	}
	ls.mu.Lock()
	defer ls.mu.Unlock()
	for l, notices := range of {
		l.telling = true
		go func() {
			for _, n := range notices {
				ls.sendNotification(ctx, n)
			}
			ls.mu.Lock()
			l.telling = false
			ls.mu.Unlock()
			ls.wakeUp()
		}()
	}
}

// sendNotification sends a notification. It ignores errors, as a disconnected client is noticed
// elsewhere.
func (ls *changeNotifier) sendNotification(ctx context.Context, n notification) {
	ctx, cancel := context.WithTimeout(ctx, notifyLimit)
	defer cancel()
	var meta mcp.Meta
	if n.to.id != nil {
		meta = mcp.Meta{mcp.MetaKeySubscriptionID: n.to.id}
	}
	if n.uri == "" {
		_, _ = ls.notify(ctx, methodListChanged, &mcp.ServerRequest[*mcp.ResourceListChangedParams]{
			Session: n.to.session, Params: &mcp.ResourceListChangedParams{Meta: meta},
		})
		return
	}
	_, _ = ls.notify(ctx, methodUpdated, &mcp.ServerRequest[*mcp.ResourceUpdatedNotificationParams]{
		Session: n.to.session, Params: &mcp.ResourceUpdatedNotificationParams{Meta: meta, URI: n.uri},
	})
}
