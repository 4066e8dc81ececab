package signin

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"sync"
	"time"
)

// Sessions are those of people who have signed in with a browser, which cannot send
// a token by itself. A session lasts as long as its token counts; it opens the pages,
// and never what is served to programs.
type Sessions struct {
	door Door

	mu sync.Mutex
	of map[[sha256.Size]byte]*visit // by the hash of what names it
}

// visit is a session. The token is in memory alone, so that it can be asked again
// whether it counts.
type visit struct {
	token, user string
	begun, used time.Time
}

// Bounds of the sessions.
const (
	mostVisits  = 1000
	mostOfUser  = 20
	visitIdle   = 12 * time.Hour // without a request
	longestStay = 7 * 24 * time.Hour
)

// NewSessions keeps sessions of users whom a door lets in.
func NewSessions(door *Door) *Sessions {
	return &Sessions{door: *door, of: make(map[[sha256.Size]byte]*visit)}
}

// ErrScope is that of a token with which nothing can be read.
var ErrScope = errors.New("the token has not the scope " + ScopeRead)

// Begin opens a session for who has a token, and returns what names it. The error is
// ErrScope, or one of a Checker. When there are too many, the one that was not used
// for longest ends.
func (s *Sessions) Begin(ctx context.Context, token string) (id string, u User, err error) {
	if u, err = s.check(ctx, token); err != nil {
		return "", User{}, err
	}
	id = rand.Text()
	now := time.Now()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sweep(now)
	s.makeRoom(mostOfUser, func(v *visit) bool { return v.user == u.ID })
	s.makeRoom(mostVisits, func(*visit) bool { return true })
	s.of[sha256.Sum256([]byte(id))] = &visit{token, u.ID, now, now}
	return id, u, nil
}

// check asks whose a token is, and that it lets one read.
func (s *Sessions) check(ctx context.Context, token string) (User, error) {
	u, err := s.door.check(ctx, token)
	if err == nil && !u.May(ScopeRead) {
		err = ErrScope
	}
	return u, err
}

// Who is the user whose session it is. The error matches ErrInvalid where there is
// none any more.
func (s *Sessions) Who(ctx context.Context, id string) (User, error) {
	key, now := sha256.Sum256([]byte(id)), time.Now()
	s.mu.Lock()
	v := s.of[key]
	if v != nil && v.isOver(now) {
		delete(s.of, key)
		v = nil
	}
	if v == nil {
		s.mu.Unlock()
		return User{}, ErrInvalid
	}
	v.used = now
	token := v.token
	s.mu.Unlock()
	u, err := s.check(ctx, token)
	if err != nil && !errors.Is(err, ErrUnavailable) {
		s.End(id)
		return User{}, ErrInvalid
	}
	return u, err
}

// End closes a session.
func (s *Sessions) End(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.of, sha256.Sum256([]byte(id)))
}

func (v *visit) isOver(now time.Time) bool {
	return now.Sub(v.used) > visitIdle || now.Sub(v.begun) > longestStay
}

// sweep forgets what is over. It is called with s.mu held, as makeRoom is.
func (s *Sessions) sweep(now time.Time) {
	for key, v := range s.of {
		if v.isOver(now) {
			delete(s.of, key)
		}
	}
}

// makeRoom ends the session that was not used for longest of some, if there are as
// many as there may be.
func (s *Sessions) makeRoom(most int, among func(*visit) bool) {
	count := 0
	var oldest [sha256.Size]byte
	var last time.Time
	for key, v := range s.of {
		if !among(v) {
			continue
		}
		if count++; last.IsZero() || v.used.Before(last) {
			oldest, last = key, v.used
		}
	}
	if count >= most {
		delete(s.of, oldest)
	}
}
