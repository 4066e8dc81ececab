package signin

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"log/slog"
	"time"
)

// Sessions are the sessions of people who have signed in with a browser, which cannot send
// a token by itself. A session lasts as long as its token counts; it opens the pages,
// and never what is served to programs. The browser keeps it, sealed, so that it
// outlasts the server.
type Sessions struct {
	door        Authenticator
	key         *Key
	revocations *revocations
	log         *slog.Logger
}

// session is one, as a browser keeps it, sealed. It has the token, which is asked each
// time whether it counts.
type session struct {
	ID    string    `json:"id"`
	User  string    `json:"user"` // hashed
	Token string    `json:"token"`
	Begun time.Time `json:"begun"`
	Used  time.Time `json:"used"` // to within renewEvery
}

// Bounds of the sessions.
const (
	longestIdle = 12 * time.Hour // without a request
	renewEvery  = 5 * time.Minute
	longestStay = 7 * 24 * time.Hour

	// MostSealed is how long what names a session may be: browsers keep some kilobytes
	// for a host, and send them with each request.
	MostSealed = 11 << 10
)

// forSession is what a session is sealed for.
const forSession = "vademecum session 1"

// NewSessions keeps sessions of users whom a door lets in.
func NewSessions(door *Authenticator, key *Key, log *slog.Logger) *Sessions {
	return &Sessions{door: *door, key: key, revocations: newRevocations(key.folder, log), log: log}
}

// Errors of Begin.
var (
	ErrScope = errors.New("the token has not the scope " + ScopeRead)
	ErrLong  = errors.New("the token is too long to be kept by a browser")
)

// Begin opens a session for the holder of a token, and returns what names it. The error is
// ErrScope, ErrLong or one of a Checker.
func (s *Sessions) Begin(ctx context.Context, token string) (name string, u User, err error) {
	return s.Replace(ctx, "", token)
}

// Replace is Begin for a browser that may have a session already, which ends. That of
// the same user keeps its ID, under which one revocation is enough, however often people
// sign in again: a provider may have them do it every few minutes.
func (s *Sessions) Replace(ctx context.Context, old, token string) (name string, u User, err error) {
	if u, err = s.check(ctx, token); err != nil {
		return "", User{}, err
	}
	now := time.Now()
	next := session{rand.Text(), hashOf(u.ID), token, now, now}
	before, found := s.goesOn(old)
	if found && before.User == next.User {
		next.ID = before.ID
		next.Begun = later(now, before.Begun.Add(1)) // by another clock it may have begun just now
	}
	if name = s.name(next); len(name) > MostSealed {
		return "", User{}, ErrLong
	}
	switch {
	case !found:
	case before.User == next.User:
		s.revocations.replace(before, now)
	default:
		s.revocations.add(before, now)
	}
	return name, u, nil
}

// goesOn finds a session by its name that was not ended; its token may have expired.
func (s *Sessions) goesOn(name string) (it session, ok bool) {
	if it, ok = s.open(name); !ok {
		return session{}, false
	}
	ended, _ := s.revocations.has(it) // where it cannot be known it is ended once more
	return it, !ended
}

// name is what names a session.
func (s *Sessions) name(it session) string {
	text, _ := json.Marshal(it) // there is nothing in it that could fail
	return s.key.seal(forSession, string(text))
}

// check asks whose a token is, and that it lets one read.
func (s *Sessions) check(ctx context.Context, token string) (User, error) {
	u, err := s.door.check(ctx, token)
	if err == nil && !u.May(ScopeRead) {
		err = ErrScope
	}
	return u, err
}

// open finds a session by its name, the zero one if it is none that goes on.
func (s *Sessions) open(name string) (it session, ok bool) {
	if len(name) > MostSealed {
		return session{}, false
	}
	text, err := s.key.open(forSession, name)
	if err != nil || json.Unmarshal([]byte(text), &it) != nil || it.isOver(time.Now()) {
		return session{}, false
	}
	return it, true
}

// Who is the user whose session it is, and what names it from now on, "" for the same.
// The error matches ErrInvalid where there is none any more, and ErrExpired where only
// the token has come to its end.
func (s *Sessions) Who(ctx context.Context, name string) (u User, renewed string, err error) {
	it, ok := s.open(name)
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
	u, err = s.check(ctx, it.Token)
	switch now := time.Now(); {
	case errors.Is(err, ErrUnavailable), errors.Is(err, ErrExpired):
		return User{}, "", err
	case err != nil || hashOf(u.ID) != it.User:
		return User{}, "", ErrInvalid
	case now.Sub(it.Used) >= renewEvery:
		it.Used = now
		return u, s.name(it), nil
	}
	return u, "", nil
}

// End closes a session for good.
func (s *Sessions) End(name string) {
	if it, ok := s.goesOn(name); ok {
		s.revocations.add(it, time.Now())
	}
}

func (it *session) isOver(now time.Time) bool {
	return now.Sub(it.Used) > longestIdle || now.Sub(it.Begun) > longestStay
}
