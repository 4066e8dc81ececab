package oauth

import (
	"context"
	"slices"
	"strings"

	"vademecum/internal/web/signin"
)

// grantOwner is whose a grant is, and what they may do now: with a token less when that has
// been revoked or changed, and of a provider only while it is that of the server.
func (s *Server) grantOwner(g *Grant) (u signin.User, ok bool) {
	if g.Token != "" {
		return s.o.Tokens.ByHash(g.Token)
	}
	known := s.o.Provider != "" && strings.HasPrefix(g.UserID, s.o.Provider+" ")
	return signin.User{ID: g.UserID, Name: g.User, Groups: g.Groups, Scopes: g.May}, known
}

// Check is called with each request. Its error is ErrExpired for a token that counted once, and
// ErrInvalid for all others: more would help who makes them up.
func (s *Server) Check(_ context.Context, token string) (signin.User, error) {
	if !strings.HasPrefix(token, kindAccess) {
		return signin.User{}, signin.ErrInvalid
	}
	id, ok := s.o.Grants.grantIDOf(kindAccess, token)
	if !ok {
		return signin.User{}, signin.ErrInvalid
	}
	g := s.o.Grants.currentBook().find(id)
	if g == nil || g.Resource != s.resourceURL() {
		return signin.User{}, signin.ErrInvalid
	}
	i := slices.IndexFunc(g.Access, func(a accessToken) bool { return matchesHash(a.Hash, token) })
	u, known := s.grantOwner(g)
	now := s.o.now()
	switch {
	case i < 0 || !known || !now.Before(g.Until):
		return signin.User{}, signin.ErrInvalid
	case !isValidAt(g.Access[i].Made, accessLasts, now):
		return signin.User{}, signin.ErrExpired
	}
	u.Scopes = sharedScopes(g.Access[i].Scopes, u)
	u.Until = g.Access[i].Made.Add(accessLasts)
	return u, nil
}

// sharedScopes are the scopes that a user has, too.
func sharedScopes(scopes []string, u signin.User) []string {
	return slices.DeleteFunc(slices.Clone(scopes), func(scope string) bool { return !u.HasScope(scope) })
}

// IsReady tells whether somebody has agreed to something.
func (s *Server) IsReady() bool { return len(s.o.Grants.currentBook().Grants) > 0 }
