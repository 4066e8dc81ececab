package web

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"vademecum/internal/app/web/access"
	"vademecum/internal/app/web/guard"
	"vademecum/internal/app/web/signin"
	"vademecum/mcp"
)

// failedWeight is how many requests a request with a wrong token counts as in the rate limit.
const failedWeight = 10

// authenticate returns the user of a request that requires a scope. If the user is not admitted, it
// responds with an error and ok is false.
func (s *Server) authenticate(w http.ResponseWriter, r *http.Request, scope string) (user signin.User, ok bool) {
	if s.o.Authenticator == nil {
		return user, true
	}
	user, refused := s.o.Authenticator.Authenticate(r, scope)
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

// writeRefusal sends an error response.
func writeRefusal(w http.ResponseWriter, why *signin.ErrorResponse) {
	if why.Challenge != "" {
		w.Header().Set("WWW-Authenticate", why.Challenge)
	}
	if why.Status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", "5")
	}
	http.Error(w, why.Reason, why.Status)
}

// refuseFolders responds to a user whose view could not be opened, or who may see no folder.
func (s *Server) refuseFolders(w http.ResponseWriter, err error) {
	if errors.Is(err, access.ErrNoFolderVisible) {
		http.Error(w, err.Error(), http.StatusForbidden)
		return
	}
	s.o.Logger.Error("folders cannot be served", "error", err)
	w.Header().Set("Retry-After", "60")
	http.Error(w, "the folders cannot be served now", http.StatusServiceUnavailable)
}

type viewKey struct{}

// withView returns a context with the view of the user who sent the request.
func withView(ctx context.Context, s *access.View) context.Context {
	return context.WithValue(ctx, viewKey{}, s)
}

// viewOf returns the view of the user who sent a request; nil if there is none.
func viewOf(r *http.Request) *access.View {
	s, _ := r.Context().Value(viewKey{}).(*access.View)
	return s
}

// mcpServerOf returns the MCP server that handles a request: that of the user's view.
func mcpServerOf(r *http.Request) *mcp.Server {
	if s := viewOf(r); s != nil {
		return s.Server
	}
	return nil
}

// sessionOwner returns the owner of a session: the user together with the view.
func sessionOwner(ctx context.Context) string {
	return fmt.Sprintf("%p %s", ctx.Value(viewKey{}), signin.UserFrom(ctx).ID)
}

// userLogName returns the name that the log shows for the sender of a request.
func (s *Server) userLogName(ctx context.Context) string {
	user := signin.UserFrom(ctx)
	switch {
	case s.o.Authenticator != nil:
		return cmp.Or(user.Name, user.ID)
	case s.o.IsSingleUser:
		return "local"
	}
	return "anonymous"
}

// textsOwner returns the owner of texts that a request without a session adds: the signed-in user,
// or the single user of a server without authentication. known is false if there is neither.
func (s *Server) textsOwner(ctx context.Context) (name string, known bool) {
	return sessionOwner(ctx), s.o.Authenticator != nil || s.o.IsSingleUser
}

// mayWrite reports whether the sender of a request may call tools that are not read-only.
func (s *Server) mayWrite(ctx context.Context) bool {
	return s.o.Authenticator == nil || signin.UserFrom(ctx).HasScope(signin.ScopeUpdateIndex)
}

// allowCall reports whether the user's scopes suffice for what a message calls; if not, it responds
// with an error. A message that cannot be parsed requires the scope index.
func (s *Server) allowCall(w http.ResponseWriter, r *http.Request, about bodyContent) bool {
	changes := about.unclear || slices.ContainsFunc(about.named, mcp.MayWrite)
	if s.o.Authenticator == nil || r.Method != http.MethodPost || !changes {
		return true
	}
	why := s.o.Authenticator.RequireScope(r, signin.UserFrom(r.Context()), signin.ScopeUpdateIndex)
	if why != nil {
		s.o.Stats.countRefusal(r, why)
		writeRefusal(w, why)
	}
	return why == nil
}

// streamsEach is how many streams a session may have: a client that has lost its connection opens
// another stream before the server notices.
const streamsEach = 2

// acquireStream counts a stream until give is called, for its user or, on a server without
// authentication, for its address. Over the limit it responds with an error and ok is false. In
// protocol versions without sessions nothing else limits streams.
func (s *Server) acquireStream(w http.ResponseWriter, r *http.Request) (give func(), ok bool) {
	who := signin.UserFrom(r.Context()).ID
	if s.o.Authenticator == nil {
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
	if errors.Is(err, guard.ErrHolderQuotaExceeded) {
		http.Error(w, "you have too many streams open; close some, or try again in a minute", http.StatusTooManyRequests)
		return nil, false
	}
	http.Error(w, "too many streams are open; try again in a minute", http.StatusServiceUnavailable)
	return nil, false
}

// endWhenNotAdmitted watches a stream until stop is called, and calls end once still returns false,
// as the user is no longer admitted or sees other folders.
func (s *Server) endWhenNotAdmitted(still func() bool, end func()) (stop func()) {
	if s.o.Authenticator == nil {
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

// isStillAdmitted reports whether a request would still be admitted, with the same view. It also
// returns true if that cannot be checked now.
func (s *Server) isStillAdmitted(r *http.Request) bool {
	user, refused := s.o.Authenticator.Authenticate(r, signin.ScopeRead)
	if refused != nil {
		return refused.Status == http.StatusServiceUnavailable
	}
	view, err := s.o.ChooseView(user)
	return err == nil && view == viewOf(r)
}
