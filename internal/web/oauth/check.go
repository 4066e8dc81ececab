package oauth

import (
	"context"
	"slices"
	"strings"

	"vademecum/internal/web/signin"
)

// owner is whose a grant is, and what they may do now: with a token less when that has
// been revoked or changed, and of a provider only while it is that of the server.
func (s *Server) owner(g *Grant) (u signin.User, ok bool) {
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
	id, ok := s.o.Grants.grantOf(kindAccess, token)
	if !ok {
		return signin.User{}, signin.ErrInvalid
	}
	g := s.o.Grants.current().find(id)
	if g == nil || g.Resource != s.resource() {
		return signin.User{}, signin.ErrInvalid
	}
	i := slices.IndexFunc(g.Access, func(a accessToken) bool { return isOf(a.Hash, token) })
	u, known := s.owner(g)
	now := s.o.now()
	switch {
	case i < 0 || !known || !now.Before(g.Until):
		return signin.User{}, signin.ErrInvalid
	case !holds(g.Access[i].Made, accessLasts, now):
		return signin.User{}, signin.ErrExpired
	}
	u.Scopes = shared(g.Access[i].Scopes, u)
	u.Until = g.Access[i].Made.Add(accessLasts)
	return u, nil
}

// shared are the scopes that a user has, too.
func shared(scopes []string, u signin.User) []string {
	return slices.DeleteFunc(slices.Clone(scopes), func(scope string) bool { return !u.May(scope) })
}

// IsReady tells whether somebody has agreed to something.
func (s *Server) IsReady() bool { return len(s.o.Grants.current().Grants) > 0 }
