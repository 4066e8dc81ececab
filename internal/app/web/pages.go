package web

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"vademecum/internal/app/web/guard"
	"vademecum/internal/app/web/page"
	"vademecum/internal/app/web/signin"
)

// newPages returns the web pages of the server, with its authentication.
func (s *Server) newPages() *page.Pages {
	return page.New(page.Options{
		Authenticator: s.o.Authenticator, OAuthServer: s.o.OAuthServer, SessionKey: s.o.SessionKey, LocalSignIn: s.o.LocalSignIn, ChooseView: s.o.ChooseView, Logger: s.o.Logger, ServerDescription: s.o.ServerDescription,
		AllowRequest: s.allowPageRequest, OpenStream: s.openStream, IsSecure: s.isSecure, IsOwner: func(r *http.Request) bool { return signin.IsKnownOwnConnection(r.RemoteAddr) }, SenderName: s.userLogName, SenderAddress: s.loggedAddress, LogQueries: s.o.LogQueries, PathPrefix: s.below,
	})
}

// servePage handles a request of a browser.
func (s *Server) servePage(w *replyWriter, r *http.Request) {
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	s.pages.ServeHTTP(w, r.WithContext(ctx))
}

// allowPageRequest counts a request for a page against the rate limit: of its user, or as one with
// a wrong token if failed is set. Over the limit it responds with an error and returns false.
func (s *Server) allowPageRequest(w http.ResponseWriter, r *http.Request, user string, failed bool) bool {
	if failed {
		s.o.Stats.refused.Add(1, "invalid")
		s.refusals.logRefusal(s.rateLimitKey(r), s.loggedAddress(r), "at", r.URL.Path, "reason", "no valid token with which documents can be read")
		return s.countWrongToken(w, r)
	}
	if s.o.Authenticator != nil && !s.users.Allow(user, 1) {
		s.refuseTooMany(w, "user")
		return false
	}
	return true
}

// openStream counts a stream to a browser. The stream ends with the server, or when still returns
// false. If the user has too many, openStream responds with an error and ok is false.
func (s *Server) openStream(w http.ResponseWriter, r *http.Request, still func(context.Context) bool) (ctx context.Context, done func(), ok bool) {
	give, ok := s.acquireStream(w, r)
	if !ok {
		return nil, nil, false
	}
	ctx, cancel := context.WithCancel(r.Context())
	unhook := context.AfterFunc(s.ends, cancel)
	stop := s.endWhenNotAdmitted(func() bool { return still(ctx) }, cancel)
	return ctx, func() {
		stop()
		unhook()
		cancel()
		give()
	}, true
}

// isSecure reports whether a request came over TLS, to this server or to the trusted proxy in front
// of it.
func (s *Server) isSecure(r *http.Request) bool {
	if r.TLS != nil || s.o.TrustProxy && strings.EqualFold(r.Header.Get("X-Forwarded-Proto"), "https") {
		return true
	}
	public, err := url.Parse(s.o.PublicURL)
	return err == nil && public.Scheme == "https" && guard.IsHostOf(public, r.Host) && !guard.IsLoopback(r.Host)
}
