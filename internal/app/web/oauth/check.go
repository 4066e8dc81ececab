package oauth

import (
	"context"
	"slices"
	"strings"

	"vademecum/internal/app/web/signin"
)

// userOf returns the user of a grant with the user's current rights. ok is false if the token that
// the user signed in with was revoked, or the server now uses another identity provider.
func (s *Server) userOf(g *Grant) (u signin.User, ok bool) {
	if g.UserTokenHash != "" {
		return s.o.UserTokens.UserByHash(g.UserTokenHash)
	}
	isOfProvider := s.o.ProviderIssuer != "" && strings.HasPrefix(g.UserID, s.o.ProviderIssuer+" ")
	return signin.User{ID: g.UserID, Name: g.UserName, Groups: g.Groups, Scopes: g.UserScopes}, isOfProvider
}

// Check returns the user of an access token. The error is signin.ErrExpiredToken if the token was valid,
// and signin.ErrInvalidToken otherwise, as more details would help to guess tokens.
func (s *Server) Check(_ context.Context, token string) (signin.User, error) {
	if !strings.HasPrefix(token, prefixAccess) {
		return signin.User{}, signin.ErrInvalidToken
	}
	id, ok := s.o.Grants.grantIDOf(prefixAccess, token)
	if !ok {
		return signin.User{}, signin.ErrInvalidToken
	}
	g := s.o.Grants.current().find(id)
	if g == nil || g.Resource != s.resourceURL() {
		return signin.User{}, signin.ErrInvalidToken
	}
	i := slices.IndexFunc(g.AccessTokens, func(a accessToken) bool { return matchesHash(a.Hash, token) })
	u, known := s.userOf(g)
	now := s.o.now()
	switch {
	case i < 0 || !known || !now.Before(g.ExpiresAt):
		return signin.User{}, signin.ErrInvalidToken
	case !isValidAt(g.AccessTokens[i].Created, accessTokenLifetime, now):
		return signin.User{}, signin.ErrExpiredToken
	}
	u.Scopes = commonScopes(g.AccessTokens[i].Scopes, u)
	u.ExpiresAt = g.AccessTokens[i].Created.Add(accessTokenLifetime)
	return u, nil
}

// commonScopes returns those of the scopes that the user has.
func commonScopes(scopes []string, u signin.User) []string {
	return slices.DeleteFunc(slices.Clone(scopes), func(scope string) bool { return !u.HasScope(scope) })
}

// CanAcceptTokens reports whether there is any grant.
func (s *Server) CanAcceptTokens() bool { return len(s.o.Grants.current().Grants) > 0 }
