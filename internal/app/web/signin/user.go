// Package signin identifies the sender of a request by a token of this server or of an identity
// provider. Tokens are never stored in plain text; those that browsers keep are encrypted.
package signin

import (
	"context"
	"slices"
	"time"

	"vademecum/internal/base/message"
)

// Scopes of users.
const (
	ScopeRead        = "read"  // allows searching and reading documents
	ScopeUpdateIndex = "index" // allows calling index_docs, and everything that ScopeRead allows

	// ScopeMetrics allows reading /metrics and nothing else. It is separate because metrics cover
	// all folders, including those that a reader may not see, and because the token of a monitoring
	// system should not give access to documents.
	ScopeMetrics = "metrics"
)

// DocumentScopes are the scopes for reading documents and for updating the index, unlike ScopeMetrics.
var DocumentScopes = []string{ScopeRead, ScopeUpdateIndex}

// allScopes are all scopes that a token can have.
var allScopes = append(slices.Clip(DocumentScopes), ScopeMetrics)

// User is the sender of a request. The zero value is an anonymous user.
type User struct {
	ID        string // unique across all issuers
	Name      string // name in access rules
	Groups    []string
	Scopes    []string
	ExpiresAt time.Time // when the user's token expires; zero means never
	TokenHash string    // hash of the user's token in hexadecimal, if it is one of this server; otherwise ""
}

// HasScope reports whether the user has a scope.
func (u User) HasScope(scope string) bool {
	return slices.Contains(u.Scopes, scope) || scope == ScopeRead && slices.Contains(u.Scopes, ScopeUpdateIndex)
}

// Errors of a Checker.
var (
	ErrInvalidToken     = message.Errorf("the token is not valid here")
	ErrCheckUnavailable = message.Errorf("who you are cannot be checked now; try again in a moment")
	ErrExpiredToken     = message.Errorf("%v: it has expired", ErrInvalidToken)
)

// Checker finds out the user of a token. The error of Check matches ErrInvalidToken or ErrCheckUnavailable,
// and contains no part of the token.
type Checker interface {
	Check(ctx context.Context, token string) (User, error)

	// CanAcceptTokens reports whether any token can be valid at present.
	CanAcceptTokens() bool
}

type userKey struct{}

// WithUser returns a context for a request of a user.
func WithUser(ctx context.Context, u User) context.Context {
	return context.WithValue(ctx, userKey{}, u)
}

// UserFrom returns the user whose request a context belongs to; the zero value if it belongs to
// none.
func UserFrom(ctx context.Context) User {
	u, _ := ctx.Value(userKey{}).(User)
	return u
}
