package signin

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"log/slog"
	"time"

	"vademecum/internal/base/message"
)

// Sessions are the sessions of users who have signed in with a browser. A session is valid as long
// as its token, and only for the pages. It is stored in an encrypted cookie, so that it outlasts
// the server.
type Sessions struct {
	authenticator Authenticator
	key           *Key
	revocations   *revocations
	log           *slog.Logger
}

// session is the content of the cookie. Its token is checked on each request.
type session struct {
	ID    string    `json:"id"`
	User  string    `json:"user"` // hashed
	Token string    `json:"token"`
	Begun time.Time `json:"begun"`
	Used  time.Time `json:"used"` // time of the last request, precise to renewEvery
}

// Limits of sessions.
const (
	longestIdle = 12 * time.Hour // time without a request
	renewEvery  = 5 * time.Minute
	longestStay = 7 * 24 * time.Hour

	// MaxCookieLength is the maximum length of the cookie value in bytes, as browsers limit the cookies
	// of a host.
	MaxCookieLength = 11 << 10
)

// forSession is the purpose for which sessions are encrypted.
const forSession = "vademecum session 1"

// NewSessions returns the sessions of users of an authenticator.
func NewSessions(authenticator *Authenticator, key *Key, log *slog.Logger) *Sessions {
	return &Sessions{authenticator: *authenticator, key: key, revocations: newRevocations(key.folder, log), log: log}
}

// Errors of BeginSession.
var (
	ErrInsufficientScope = message.Errorf("the token lacks the scope %s", ScopeRead)
	ErrTokenTooLong      = message.Errorf("the token is too long to be kept by a browser")
)

// BeginSession opens a session for the user of a token, and returns its cookie value. The error is
// ErrInsufficientScope, ErrTokenTooLong or one of a Checker.
func (s *Sessions) BeginSession(ctx context.Context, token string) (sealed string, u User, err error) {
	return s.ReplaceSession(ctx, "", token)
}

// ReplaceSession is BeginSession for a browser whose previous session, if any, ends. If it has the
// same user, the ID is kept so that one revocation is enough: with some identity providers users
// sign in again every few minutes.
func (s *Sessions) ReplaceSession(ctx context.Context, old, token string) (sealed string, u User, err error) {
	if u, err = s.checkReader(ctx, token); err != nil {
		return "", User{}, err
	}
	now := time.Now()
	next := session{rand.Text(), userHash(u.ID), token, now, now}
	before, found := s.findUnended(old)
	if found && before.User == next.User {
		next.ID = before.ID
		next.Begun = laterOf(now, before.Begun.Add(1)) // another server's clock may be ahead
	}
	if sealed = s.seal(next); len(sealed) > MaxCookieLength {
		return "", User{}, ErrTokenTooLong
	}
	switch {
	case !found:
	case before.User == next.User:
		s.revocations.replace(before, now)
	default:
		s.revocations.revoke(before, now)
	}
	return sealed, u, nil
}

// findUnended returns the session in a cookie if it was not revoked; its token may have expired.
func (s *Sessions) findUnended(sealed string) (it session, ok bool) {
	if it, ok = s.openUnexpired(sealed); !ok {
		return session{}, false
	}
	ended, _ := s.revocations.has(it) // if that is unknown, it is revoked once more
	return it, !ended
}

// seal returns the cookie value of a session.
func (s *Sessions) seal(it session) string {
	text, _ := json.Marshal(it) // never fails for these types
	return s.key.seal(forSession, string(text))
}

// checkReader returns the user of a token that has the scope read.
func (s *Sessions) checkReader(ctx context.Context, token string) (User, error) {
	u, err := s.authenticator.checkToken(ctx, token)
	if err == nil && !u.HasScope(ScopeRead) {
		err = ErrInsufficientScope
	}
	return u, err
}

// openUnexpired returns the session in a cookie unless it is invalid or has expired.
func (s *Sessions) openUnexpired(sealed string) (it session, ok bool) {
	if len(sealed) > MaxCookieLength {
		return session{}, false
	}
	text, err := s.key.open(forSession, sealed)
	if err != nil || json.Unmarshal([]byte(text), &it) != nil || it.isExpired(time.Now()) {
		return session{}, false
	}
	return it, true
}

// UserOf returns the user of a session, and its new cookie value; "" if it does not change. The
// error matches ErrInvalid if the session has ended, and ErrExpired if only its token has expired.
func (s *Sessions) UserOf(ctx context.Context, sealed string) (u User, renewed string, err error) {
	it, ok := s.openUnexpired(sealed)
	if !ok {
		return User{}, "", ErrInvalid
	}
	ended, err := s.revocations.has(it)
	if err != nil {
		s.log.Warn("it cannot be known who has signed out", "error", err)
		return User{}, "", ErrUnavailable
	}
	if ended {
		return User{}, "", ErrInvalid
	}
	u, err = s.checkReader(ctx, it.Token)
	switch now := time.Now(); {
	case errors.Is(err, ErrUnavailable), errors.Is(err, ErrExpired):
		return User{}, "", err
	case err != nil || userHash(u.ID) != it.User:
		return User{}, "", ErrInvalid
	case now.Sub(it.Used) >= renewEvery:
		it.Used = now
		return u, s.seal(it), nil
	}
	return u, "", nil
}

// EndSession ends a session for good.
func (s *Sessions) EndSession(sealed string) {
	if it, ok := s.findUnended(sealed); ok {
		s.revocations.revoke(it, time.Now())
	}
}

func (it *session) isExpired(now time.Time) bool {
	return now.Sub(it.Used) > longestIdle || now.Sub(it.Begun) > longestStay
}
