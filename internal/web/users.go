package web

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"vademecum/internal/web/access"
	"vademecum/internal/web/guard"
	"vademecum/internal/web/signin"
	"vademecum/mcp"
)

// failedWeight is how many requests one without a valid token counts as.
const failedWeight = 10

// authenticate says who sends a request that takes a scope, or refuses it.
func (s *Server) authenticate(w http.ResponseWriter, r *http.Request, scope string) (user signin.User, ok bool) {
	if s.o.Door == nil {
		return user, true
	}
	user, refused := s.o.Door.Authenticate(r, scope)
	switch {
	case refused != nil:
		s.o.Stats.countRefusal(r, refused)
		s.logRefusal(r, user, refused)
		tries := r.Header.Get("Authorization") != ""
		if tries && refused.Status != http.StatusServiceUnavailable && !s.countWrongToken(w, r) {
			return user, false
		}
		writeRefusal(w, refused)
		return user, false
	case !s.users.Allow(user.ID, 1):
		s.refuseTooMany(w, "user")
		return user, false
	}
	return user, true
}

// writeRefusal sends a refusal.
func writeRefusal(w http.ResponseWriter, why *signin.Refusal) {
	if why.Challenge != "" {
		w.Header().Set("WWW-Authenticate", why.Challenge)
	}
	if why.Status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", "5")
	}
	http.Error(w, why.Reason, why.Status)
}

// refuseFolders tells a user that there is nothing for them, or not now.
func (s *Server) refuseFolders(w http.ResponseWriter, err error) {
	if errors.Is(err, access.ErrNone) {
		http.Error(w, err.Error(), http.StatusForbidden)
		return
	}
	s.o.Logger.Error("folders cannot be served", "error", err)
	w.Header().Set("Retry-After", "60")
	http.Error(w, "the folders cannot be served now", http.StatusServiceUnavailable)
}

type viewKey struct{}

// withView returns a context of a request of whoever sees a shelf.
func withView(ctx context.Context, s *access.View) context.Context {
	return context.WithValue(ctx, viewKey{}, s)
}

// viewOf is what who sends a request sees.
func viewOf(r *http.Request) *access.View {
	s, _ := r.Context().Value(viewKey{}).(*access.View)
	return s
}

// mcpServerOf is the server that answers a request.
func mcpServerOf(r *http.Request) *mcp.Server {
	if s := viewOf(r); s != nil {
		return s.Server
	}
	return nil
}

// sessionOwner names who may use a session: the user, while they see the same folders.
func sessionOwner(ctx context.Context) string {
	return fmt.Sprintf("%p %s", ctx.Value(viewKey{}), signin.UserFrom(ctx).ID)
}

// userLogName is who sends a request, as the log tells it.
func (s *Server) userLogName(ctx context.Context) string {
	user := signin.UserFrom(ctx)
	switch {
	case s.o.Door != nil:
		return cmp.Or(user.Name, user.ID)
	case s.o.OneUser:
		return "local"
	}
	return "anonymous"
}

// textsOwner names whose texts those are that a request in no session gives: of the user
// whoever has signed in, or where nobody is asked, of the one user there is.
func (s *Server) textsOwner(ctx context.Context) (name string, known bool) {
	return sessionOwner(ctx), s.o.Door != nil || s.o.OneUser
}

// mayWrite tells whether the user may call what does more than read.
func (s *Server) mayWrite(ctx context.Context) bool {
	return s.o.Door == nil || signin.UserFrom(ctx).HasScope(signin.ScopeIndex)
}

// allowCall tells whether the user may do what a message asks for, and refuses it.
// What cannot be read needs all that there is.
func (s *Server) allowCall(w http.ResponseWriter, r *http.Request, about bodyContent) bool {
	changes := about.unclear || slices.ContainsFunc(about.named, mcp.MayWrite)
	if s.o.Door == nil || r.Method != http.MethodPost || !changes {
		return true
	}
	why := s.o.Door.RequireScope(r, signin.UserFrom(r.Context()), signin.ScopeIndex)
	if why != nil {
		s.o.Stats.countRefusal(r, why)
		writeRefusal(w, why)
	}
	return why == nil
}

// streamsEach is how many streams there may be for each session: a client whose
// connection was lost opens another before the server knows.
const streamsEach = 2

// acquireStream counts a stream by its user, or by the address where nobody is asked who
// they are, until give is called; or refuses it. Those of the versions without
// sessions are bounded by nothing else.
func (s *Server) acquireStream(w http.ResponseWriter, r *http.Request) (give func(), ok bool) {
	who := signin.UserFrom(r.Context()).ID
	if s.o.Door == nil {
		if who = s.rateLimitKey(r); guard.IsLoopback(who) {
			return func() {}, true
		}
	}
	give, err := s.streams.Acquire(who)
	if err == nil {
		return give, true
	}
	s.o.Stats.limited.Add(1, "streams")
	w.Header().Set("Retry-After", "60")
	if errors.Is(err, guard.ErrShare) {
		http.Error(w, "you have too many streams open; close some, or try again in a minute", http.StatusTooManyRequests)
		return nil, false
	}
	http.Error(w, "too many streams are open; try again in a minute", http.StatusServiceUnavailable)
	return nil, false
}

// endWhenNotAdmitted ends a stream when the user who opened it would not be let in any more, or sees
// other folders, until stop is called.
func (s *Server) endWhenNotAdmitted(still func() bool, end func()) (stop func()) {
	if s.o.Door == nil {
		return func() {}
	}
	done := make(chan struct{})
	go func() {
		tick := time.NewTicker(s.o.pace.again)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				if !still() {
					end()
					return
				}
			}
		}
	}()
	return func() { close(done) }
}

// isStillAdmitted tells whether a request would be answered as it was, as far as that can
// be known now.
func (s *Server) isStillAdmitted(r *http.Request) bool {
	user, refused := s.o.Door.Authenticate(r, signin.ScopeRead)
	if refused != nil {
		return refused.Status == http.StatusServiceUnavailable
	}
	shelf, err := s.o.Choose(user)
	return err == nil && shelf == viewOf(r)
}
