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

// failedWeight is the weight of a request with a wrong token against the rate limit.
const failedWeight = 10

// authenticate returns the user of a request that requires a scope, or responds with an error.
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

// writeRefusal writes an error response.
func writeRefusal(w http.ResponseWriter, why *signin.ErrorResponse) {
	if why.Challenge != "" {
		w.Header().Set("WWW-Authenticate", why.Challenge)
	}
	if why.Status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", "5")
	}
	http.Error(w, why.Reason, why.Status)
}

// refuseFolders responds to a user for whom there is no view.
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

// withView returns a request context with the view of its user.
func withView(ctx context.Context, s *access.View) context.Context {
	return context.WithValue(ctx, viewKey{}, s)
}

// viewOf returns the view of the sender of a request.
func viewOf(r *http.Request) *access.View {
	s, _ := r.Context().Value(viewKey{}).(*access.View)
	return s
}

// mcpServerOf returns the MCP server that handles a request.
func mcpServerOf(r *http.Request) *mcp.Server {
	if s := viewOf(r); s != nil {
		return s.Server
	}
	return nil
}

// sessionOwner returns the owner of a session that a request opens: the user together with the
// view.
func sessionOwner(ctx context.Context) string {
	return fmt.Sprintf("%p %s", ctx.Value(viewKey{}), signin.UserFrom(ctx).ID)
}

// userLogName returns the name of the sender of a request for the log.
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
// or the only user of a server without authentication.
func (s *Server) textsOwner(ctx context.Context) (name string, known bool) {
	return sessionOwner(ctx), s.o.Authenticator != nil || s.o.IsSingleUser
}

// mayWrite reports whether the user may call tools that are not read-only.
func (s *Server) mayWrite(ctx context.Context) bool {
	return s.o.Authenticator == nil || signin.UserFrom(ctx).HasScope(signin.ScopeIndex)
}

// allowCall reports whether the user's scopes suffice for a message; if not, it responds with an
// error. A message that cannot be parsed requires the scope index.
func (s *Server) allowCall(w http.ResponseWriter, r *http.Request, about bodyContent) bool {
	changes := about.unclear || slices.ContainsFunc(about.named, mcp.MayWrite)
	if s.o.Authenticator == nil || r.Method != http.MethodPost || !changes {
		return true
	}
	why := s.o.Authenticator.RequireScope(r, signin.UserFrom(r.Context()), signin.ScopeIndex)
	if why != nil {
		s.o.Stats.countRefusal(r, why)
		writeRefusal(w, why)
	}
	return why == nil
}

// streamsEach is how many streams a session may have, as a client that has lost its connection
// opens another one before the server notices.
const streamsEach = 2

// acquireStream counts a stream against the limit of its user, or of its address on a server
// without authentication, until give is called. Over the limit it responds with an error. In
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

// endWhenNotAdmitted ends a stream if its user is no longer admitted or sees other folders. It
// watches until stop is called.
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

// isStillAdmitted reports whether a request would still be allowed, with the same view. It returns
// true if that cannot be checked now.
func (s *Server) isStillAdmitted(r *http.Request) bool {
	user, refused := s.o.Authenticator.Authenticate(r, signin.ScopeRead)
	if refused != nil {
		return refused.Status == http.StatusServiceUnavailable
	}
	view, err := s.o.ChooseView(user)
	return err == nil && view == viewOf(r)
}
