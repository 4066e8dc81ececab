package mcp

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// listens delivers notifications to subscriptions/listen streams (protocol
// 2026-07-28). The SDK (v1.8.0) keeps one stream for each session and forgets
// the earlier ones; a client may hold several, so the streams are kept here
// and the SDK's own deliveries to them are dropped.
type listens struct {
	mu     sync.Mutex
	open   map[*listen]bool
	notify mcp.MethodHandler // sends to the client
}

// listen is one open stream.
type listen struct {
	session *mcp.ServerSession
	id      any // of the request, which names the stream; nil until acknowledged
	wants   mcp.NotificationSubscriptions
}

type listenKey struct{}

const (
	methodListen      = "subscriptions/listen"
	methodUpdated     = "notifications/resources/updated"
	methodListChanged = "notifications/resources/list_changed"
	methodAcked       = "notifications/subscriptions/acknowledged"
	notifyLimit       = 10 * time.Second
)

func newListens() *listens { return &listens{open: make(map[*listen]bool)} }

// receive registers a stream for as long as its request lasts.
func (ls *listens) receive(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		p, ok := req.GetParams().(*mcp.SubscriptionsListenParams)
		session, isServer := req.GetSession().(*mcp.ServerSession)
		if method != methodListen || !ok || !isServer || p.Notifications == nil {
			return next(ctx, method, req)
		}
		l := &listen{session: session, wants: *p.Notifications}
		ls.set(l, true)
		defer ls.set(l, false)
		return next(context.WithValue(ctx, listenKey{}, l), method, req)
	}
}

func (ls *listens) set(l *listen, open bool) {
	ls.mu.Lock()
	defer ls.mu.Unlock()
	if open {
		ls.open[l] = true
	} else {
		delete(ls.open, l)
	}
}

// send learns a stream's name from the acknowledgement that opens it, and
// drops what the SDK sends to streams.
func (ls *listens) send(next mcp.MethodHandler) mcp.MethodHandler {
	ls.notify = next
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		id, toStream := subscriptionID(req.GetParams())
		switch {
		case method == methodAcked && toStream:
			if l, ok := ctx.Value(listenKey{}).(*listen); ok {
				ls.mu.Lock()
				l.id = id
				ls.mu.Unlock()
			}
		case toStream && (method == methodUpdated || method == methodListChanged):
			return nil, nil
		}
		return next(ctx, method, req)
	}
}

func subscriptionID(p mcp.Params) (id any, ok bool) {
	if p == nil || p.GetMeta() == nil {
		return nil, false
	}
	id, ok = p.GetMeta()[mcp.MetaKeySubscriptionID]
	return id, ok
}

// updated tells the streams that subscribed to uri.
func (ls *listens) updated(ctx context.Context, uri string) {
	for _, l := range ls.where(func(l *listen) bool { return slices.Contains(l.wants.ResourceSubscriptions, uri) }) {
		ls.deliver(ctx, methodUpdated, &mcp.ServerRequest[*mcp.ResourceUpdatedNotificationParams]{
			Session: l.session,
			Params:  &mcp.ResourceUpdatedNotificationParams{Meta: l.meta(), URI: uri},
		})
	}
}

// listChanged tells the streams that asked for changes of the list.
func (ls *listens) listChanged(ctx context.Context) {
	for _, l := range ls.where(func(l *listen) bool { return l.wants.ResourcesListChanged }) {
		ls.deliver(ctx, methodListChanged, &mcp.ServerRequest[*mcp.ResourceListChangedParams]{
			Session: l.session,
			Params:  &mcp.ResourceListChangedParams{Meta: l.meta()},
		})
	}
}

func (l *listen) meta() mcp.Meta { return mcp.Meta{mcp.MetaKeySubscriptionID: l.id} }

func (ls *listens) where(wanted func(*listen) bool) []*listen {
	ls.mu.Lock()
	defer ls.mu.Unlock()
	return slices.DeleteFunc(slices.Collect(maps.Keys(ls.open)), func(l *listen) bool { return l.id == nil || !wanted(l) })
}

func (ls *listens) deliver(ctx context.Context, method string, req mcp.Request) {
	ctx, cancel := context.WithTimeout(ctx, notifyLimit)
	defer cancel()
	_, _ = ls.notify(ctx, method, req) // a client that is gone is noticed elsewhere
}
