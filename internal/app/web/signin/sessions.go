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

// Sessions are the sessions of users who have signed in with a browser. A session is valid for the
// web pages only, and no longer than its token. It is stored in an encrypted cookie, and so
// survives a restart of the server.
type Sessions struct {
	authenticator Authenticator
	key           *EncryptionKey
	revocations   *revocations
	log           *slog.Logger
}

// session is the content of a session cookie. Its token is checked at each request.
type session struct {
	ID    string    `json:"id"`
	User  string    `json:"user"` // hashed
	Token string    `json:"token"`
	Begun time.Time `json:"begun"`
	Used  time.Time `json:"used"` // time of the latest request; it may be up to renewEvery too early
}

// Limits of sessions.
const (
	longestIdle = 12 * time.Hour     // maximum time without a request
	renewEvery  = 5 * time.Minute    // minimum interval at which the cookie is renewed
	longestStay = 7 * 24 * time.Hour // maximum time since the session began

	// MaxCookieBytes is the maximum length of the cookie value in bytes. Browsers limit the cookies
	// of a host.
	MaxCookieBytes = 11 << 10
)

// sessionCookiePurpose is the purpose for which session cookies are encrypted: a text that was encrypted for
// another purpose is not accepted as one.
const sessionCookiePurpose = "vademecum session 1"

// NewSessions returns the sessions of users whose tokens an authenticator accepts.
func NewSessions(authenticator *Authenticator, key *EncryptionKey, log *slog.Logger) *Sessions {
	return &Sessions{authenticator: *authenticator, key: key, revocations: &revocations{folder: key.folder, log: log, known: make(map[string]revocation)}, log: log}
}

// Errors of BeginSession.
var (
	ErrInsufficientScope = message.Errorf("the token lacks the scope %s", ScopeRead)
	ErrTokenTooLong      = message.Errorf("the token is too long to be kept by a browser")
)

// BeginSession begins a session for the user of a token, and returns the value of its cookie. The
// error is ErrInsufficientScope, ErrTokenTooLong or one of a Checker. It ends the session that the
// browser had before, given by the value of its cookie; "" if there was none. If both have the same
// user, the new session gets the ID of the old one, so that one revocation suffices for both: with
// some identity providers users sign in again every few minutes.
func (s *Sessions) BeginSession(ctx context.Context, oldCookie, token string) (cookie string, u User, err error) {
	if u, err = s.checkReader(ctx, token); err != nil {
		return "", User{}, err
	}
	now := time.Now()
	next := session{rand.Text(), userHash(u.ID), token, now, now}
	before, found := s.findUnended(oldCookie)
	if found && before.User == next.User {
		next.ID = before.ID
		next.Begun = laterOf(now, before.Begun.Add(1)) // another server's clock may be ahead
	}
	if cookie = s.seal(next); len(cookie) > MaxCookieBytes {
		return "", User{}, ErrTokenTooLong
	}
	switch {
	case !found:
	case before.User == next.User:
		s.revocations.replace(before, now)
	default:
		s.revocations.revoke(before, now)
	}
	return cookie, u, nil
}

// findUnended returns the session in a cookie value unless it was revoked; its token may have
// expired.
func (s *Sessions) findUnended(cookie string) (it session, ok bool) {
	if it, ok = s.openUnexpired(cookie); !ok {
		return session{}, false
	}
	ended, _ := s.revocations.has(it) // if that is unknown, the session is revoked once more
	return it, !ended
}

// seal returns the cookie value for a session.
func (s *Sessions) seal(it session) string {
	text, _ := json.Marshal(it) // never fails for these types
	return s.key.seal(sessionCookiePurpose, string(text))
}

// checkReader returns the user of a token. The error is ErrInsufficientScope if the user may not
// read.
func (s *Sessions) checkReader(ctx context.Context, token string) (User, error) {
	u, err := s.authenticator.checkToken(ctx, token)
	if err == nil && !u.HasScope(ScopeRead) {
		err = ErrInsufficientScope
	}
	return u, err
}

// openUnexpired returns the session in a cookie value; ok is false if the value is invalid or the
// session has expired.
func (s *Sessions) openUnexpired(cookie string) (it session, ok bool) {
	if len(cookie) > MaxCookieBytes {
		return session{}, false
	}
	text, err := s.key.open(sessionCookiePurpose, cookie)
	if err != nil || json.Unmarshal([]byte(text), &it) != nil || it.isExpired(time.Now()) {
		return session{}, false
	}
	return it, true
}

// UserOf returns the user of the session in a cookie value, and the new value of the cookie, which
// is "" if it does not change. The error matches ErrInvalidToken if the session has ended, and
// ErrExpiredToken if only its token has expired.
func (s *Sessions) UserOf(ctx context.Context, cookie string) (u User, renewed string, err error) {
	it, ok := s.openUnexpired(cookie)
	if !ok {
		return User{}, "", ErrInvalidToken
	}
	ended, err := s.revocations.has(it)
	if err != nil {
		s.log.Warn("it cannot be known who has signed out", "error", err)
		return User{}, "", ErrCheckUnavailable
	}
	if ended {
		return User{}, "", ErrInvalidToken
	}
	u, err = s.checkReader(ctx, it.Token)
	switch now := time.Now(); {
	case errors.Is(err, ErrCheckUnavailable), errors.Is(err, ErrExpiredToken):
		return User{}, "", err
	case err != nil || userHash(u.ID) != it.User:
		return User{}, "", ErrInvalidToken
	case now.Sub(it.Used) >= renewEvery:
		it.Used = now
		return u, s.seal(it), nil
	}
	return u, "", nil
}

// EndSession ends the session in a cookie value for good.
func (s *Sessions) EndSession(cookie string) {
	if it, ok := s.findUnended(cookie); ok {
		s.revocations.revoke(it, time.Now())
	}
}

func (it *session) isExpired(now time.Time) bool {
	return now.Sub(it.Used) > longestIdle || now.Sub(it.Begun) > longestStay
}
