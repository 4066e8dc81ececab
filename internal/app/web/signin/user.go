// Package signin says who sends a request: by a token that this server gave, or one
// that a provider of identities did. Tokens are never written anywhere: browsers keep
// them sealed.
package signin

import (
	"context"
	"slices"
	"time"

	"vademecum/internal/base/message"
)

// What a user may do.
const (
	ScopeRead  = "read"  // ask and read
	ScopeIndex = "index" // call index_docs, and what ScopeRead allows

	// ScopeMetrics lets one read /metrics and nothing else. It is apart from the others
	// as what is counted tells of all folders, also of those that a reader may not see,
	// and as the token of whoever watches a server need not open a document.
	ScopeMetrics = "metrics"
)

// Scopes are the scopes of whoever uses the documents.
var Scopes = []string{ScopeRead, ScopeIndex}

// AllScopes are those that a token can have.
var AllScopes = append(slices.Clip(Scopes), ScopeMetrics)

// User is who sends a request. The zero value is nobody in particular.
type User struct {
	ID     string // no other user has it, whoever says who they are
	Name   string // by which rules mean the user
	Groups []string
	Scopes []string
	Until  time.Time // when what says so expires; zero: never
	Token  string    // the hash of the token of this server by which they are known, "" for others
}

// HasScope tells whether a user has a scope.
func (u User) HasScope(scope string) bool {
	return slices.Contains(u.Scopes, scope) || scope == ScopeRead && slices.Contains(u.Scopes, ScopeIndex)
}

// Errors of a Checker.
var (
	ErrInvalid     = message.Errorf("the token is not valid here")
	ErrUnavailable = message.Errorf("who you are cannot be checked now; try again in a moment")
	ErrExpired     = message.Errorf("%v: it has expired", ErrInvalid)
)

// Checker knows whose a token is. Its error matches ErrInvalid or ErrUnavailable,
// and holds nothing of the token.
type Checker interface {
	Check(ctx context.Context, token string) (User, error)

	// IsReady tells whether there may be a token that it knows.
	IsReady() bool
}

type userKey struct{}

// WithUser returns a context of a user's request.
func WithUser(ctx context.Context, u User) context.Context {
	return context.WithValue(ctx, userKey{}, u)
}

// UserFrom is the user whose request a context is of.
func UserFrom(ctx context.Context) User {
	u, _ := ctx.Value(userKey{}).(User)
	return u
}
