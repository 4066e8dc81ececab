package signin

import (
	"context"
	"encoding/base64"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// listed is a checker that accepts the tokens that are its keys.
type listed map[string]User

func (l listed) Check(_ context.Context, token string) (User, error) {
	switch token {
	case "down":
		return User{}, ErrCheckUnavailable
	case "old":
		return User{}, ErrExpiredToken
	}
	if u, ok := l[token]; ok {
		return u, nil
	}
	return User{}, ErrInvalidToken
}

func (l listed) CanAcceptTokens() bool { return len(l) > 0 }

func sessionsOf(tokens listed) *Sessions {
	return NewSessions(&Authenticator{Checkers: []Checker{tokens}}, NewEncryptionKey(), slog.New(slog.DiscardHandler))
}

// who returns the user of a session, without the renewed cookie.
func (s *Sessions) who(t *testing.T, name string) (User, error) {
	u, _, err := s.UserOf(t.Context(), name)
	return u, err
}

// TestSessions checks that a session has the user of its token and ends with it, and that other
// cookie values are refused.
func TestSessions(t *testing.T) {
	tokens := listed{"a": {ID: "alice", Scopes: []string{ScopeRead}}, "m": {ID: "watch", Scopes: []string{ScopeMetrics}}}
	s := sessionsOf(tokens)
	id, u, err := s.BeginSession(t.Context(), "", "a")
	if err != nil || u.ID != "alice" || len(id) < 20 {
		t.Fatalf("%q, %+v, %v", id, u, err)
	}
	if u, err := s.who(t, id); err != nil || u.ID != "alice" {
		t.Errorf("%+v, %v", u, err)
	}
	other, _, _ := s.BeginSession(t.Context(), "", "a")
	if other == id {
		t.Error("two sessions have one name")
	}
	s.EndSession(other)
	cut := id[:len(id)-1]
	for _, wrong := range []string{"", other, strings.ToLower(id), id + "A", cut, id[1:], id + id, "a", "1." + id, strings.Repeat("A", 1<<20), s.key.seal(forFlow, "{}"), s.key.seal(sessionCookiePurpose, "{}"), s.key.seal(sessionCookiePurpose, "x"), NewEncryptionKey().seal(sessionCookiePurpose, "{}")} {
		if _, err := s.who(t, wrong); !errors.Is(err, ErrInvalidToken) {
			t.Errorf("%.80q: %v", wrong, err)
		}
		s.EndSession(wrong)
	}
	if _, err := s.who(t, id); err != nil {
		t.Errorf("it ends with what is no name of it: %v", err)
	}
	for token, want := range map[string]error{"b": ErrInvalidToken, "": ErrInvalidToken, "m": ErrInsufficientScope, "down": ErrCheckUnavailable, "old": ErrExpiredToken} {
		if _, _, err := s.BeginSession(t.Context(), "", token); !errors.Is(err, want) {
			t.Errorf("the token %q gets %v", token, err)
		}
	}
	tokens["a"] = User{ID: "alice", Scopes: DocumentScopes}
	if u, err := s.who(t, id); err != nil || !u.HasScope(ScopeUpdateIndex) {
		t.Errorf("with another right: %+v, %v", u, err)
	}
	tokens["a"] = User{ID: "bob", Scopes: DocumentScopes}
	if _, err := s.who(t, id); !errors.Is(err, ErrInvalidToken) {
		t.Errorf("the token is somebody else's: %v", err)
	}
	delete(tokens, "a")
	if _, err := s.who(t, id); !errors.Is(err, ErrInvalidToken) {
		t.Errorf("without its token: %v", err)
	}
}

// TestSessionsAreSealed checks that the cookie reveals nothing of the token, and that a token that
// is too long is refused.
func TestSessionsAreSealed(t *testing.T) {
	long, longer := strings.Repeat("x", MaxCookieBytes/2), strings.Repeat("y", MaxCookieBytes)
	s := sessionsOf(listed{"secret-secret": {ID: "alice", Scopes: DocumentScopes}, long: {ID: "bob", Scopes: DocumentScopes}, longer: {ID: "carol", Scopes: DocumentScopes}})
	name, _, err := s.BeginSession(t.Context(), "", "secret-secret")
	plain, _ := base64.RawURLEncoding.DecodeString(name)
	if err != nil || strings.Contains(string(plain), "secret") || strings.Contains(string(plain), "alice") {
		t.Errorf("%q, %v", plain, err)
	}
	name, _, err = s.BeginSession(t.Context(), "", long)
	if u, err2 := s.who(t, name); err != nil || err2 != nil || u.ID != "bob" {
		t.Errorf("%+v, %v, %v", u, err, err2)
	}
	if _, _, err := s.BeginSession(t.Context(), "", longer); !errors.Is(err, ErrTokenTooLong) {
		t.Errorf("too long: %v", err)
	}
}

// TestSessionsEnd checks that a session ends if it is unused, and after a week.
func TestSessionsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := sessionsOf(listed{"a": {ID: "alice", Scopes: DocumentScopes}})
		idle, _, _ := s.BeginSession(t.Context(), "", "a")
		used, _, _ := s.BeginSession(t.Context(), "", "a")
		first := used
		for range int(longestStay/longestIdle) - 1 {
			time.Sleep(longestIdle)
			_, renewed, err := s.UserOf(t.Context(), used)
			if err != nil || renewed == "" {
				t.Fatal(err)
			}
			if _, again, err := s.UserOf(t.Context(), renewed); err != nil || again != "" {
				t.Fatalf("it is renewed with each request: %v", err)
			}
			used = renewed
		}
		for _, old := range []string{idle, first} {
			if _, err := s.who(t, old); err == nil {
				t.Error("one that is not used goes on")
			}
		}
		time.Sleep(longestIdle)
		if _, err := s.who(t, used); err != nil {
			t.Error(err)
		}
		time.Sleep(time.Minute)
		if _, err := s.who(t, used); err == nil {
			t.Error("one goes on for ever")
		}
	})
}

// restarted returns the sessions of a server with the key in a folder.
func restarted(t *testing.T, folder string, tokens listed) *Sessions {
	t.Helper()
	log := slog.New(slog.DiscardHandler)
	key, err := OpenEncryptionKey(folder, log)
	if err != nil {
		t.Fatal(err)
	}
	return NewSessions(&Authenticator{Checkers: []Checker{tokens}}, key, log)
}

// TestSessionsOutlast checks that a restarted server, or another one with the same key, knows which
// sessions exist and which have ended.
func TestSessionsOutlast(t *testing.T) {
	folder, tokens := filepath.Join(t.TempDir(), "sessions"), listed{"a": {ID: "alice", Scopes: DocumentScopes}}
	first, beside := restarted(t, folder, tokens), restarted(t, folder, tokens)
	stays, _, _ := first.BeginSession(t.Context(), "", "a")
	goes, _, _ := first.BeginSession(t.Context(), "", "a")
	if _, err := beside.who(t, goes); err != nil {
		t.Errorf("beside: %v", err)
	}
	first.EndSession(goes)
	for name, s := range map[string]*Sessions{"the same": first, "beside": beside, "again": restarted(t, folder, tokens)} {
		if u, err := s.who(t, stays); err != nil || u.ID != "alice" {
			t.Errorf("%s: %+v, %v", name, u, err)
		}
		if _, err := s.who(t, goes); !errors.Is(err, ErrInvalidToken) {
			t.Errorf("%s lets in who has signed out: %v", name, err)
		}
	}
	after := restarted(t, folder, listed{})
	if _, err := after.who(t, stays); !errors.Is(err, ErrInvalidToken) {
		t.Errorf("its token was revoked: %v", err)
	}
}

// TestReplace checks that a browser that signs in again has one session, on all servers, and leaves
// one file; that other sessions of the user go on; and that it ends everywhere by signing out, or
// when another user signs in with the browser.
func TestReplace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		folder, tokens := filepath.Join(t.TempDir(), "sessions"), listed{"a": {ID: "alice", Scopes: DocumentScopes}, "b": {ID: "bob", Scopes: DocumentScopes}}
		s, beside := restarted(t, folder, tokens), restarted(t, folder, tokens)
		phone, _, _ := s.BeginSession(t.Context(), "", "a")
		var browsers [2*mostEnded + 1]string
		for i := range browsers {
			browsers[i], _, _ = s.BeginSession(t.Context(), "", "a")
		}
		var before string
		for n := range 3 * len(browsers) {
			i := n % len(browsers)
			s, beside = beside, s
			before = browsers[i]
			browsers[i], _, _ = s.BeginSession(t.Context(), before, "a") // within the same instant of the clock
			for name, want := range map[string]bool{browsers[i]: true, phone: true, before: false} {
				for _, of := range []*Sessions{s, beside, restarted(t, folder, tokens)} {
					if _, err := of.who(t, name); (err == nil) != want {
						t.Fatalf("%d: %v, want it to go on: %t", n, err, want)
					}
				}
			}
			if n < 2*len(browsers) {
				time.Sleep(time.Minute)
			}
		}
		if files, err := os.ReadDir(folder); err != nil || len(files) > 2*mostEnded+1 {
			t.Errorf("%d files, %v", len(files), err)
		}
		s.EndSession(before) // by someone who has kept the old cookie
		last := browsers[len(browsers)-1]
		if _, err := beside.who(t, last); err != nil {
			t.Errorf("a session that was ended before ends the next: %v", err)
		}
		tab, _, _ := s.BeginSession(t.Context(), phone, "a")
		s.EndSession(tab)
		for _, name := range []string{phone, tab} {
			if _, err := beside.who(t, name); err == nil {
				t.Error("one goes on that the browser has signed out of")
			}
		}
		bob, _, _ := s.BeginSession(t.Context(), last, "b")
		if _, err := s.who(t, last); err == nil {
			t.Error("somebody else took the place of a session that goes on")
		}
		after, _, _ := s.BeginSession(t.Context(), tab, "a")
		for _, name := range []string{browsers[0], bob, after} {
			if _, err := beside.who(t, name); err != nil {
				t.Error(err)
			}
		}
	})
}

// TestManyRevocations checks that many sign-outs leave a limited number of files, and that none of
// the ended sessions is accepted on any server or after a restart, while sessions of others and new
// ones are.
func TestManyRevocations(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		folder, tokens := filepath.Join(t.TempDir(), "sessions"), listed{"a": {ID: "alice", Scopes: DocumentScopes}, "b": {ID: "bob", Scopes: DocumentScopes}}
		s := restarted(t, folder, tokens)
		bob, _, _ := s.BeginSession(t.Context(), "", "b")
		var gone []string
		for range 5 * mostEnded {
			time.Sleep(time.Second)
			name, _, _ := s.BeginSession(t.Context(), "", "a")
			s.EndSession(name)
			gone = append(gone, name)
		}
		time.Sleep(time.Second)
		alice, _, _ := s.BeginSession(t.Context(), "", "a")
		for _, s := range []*Sessions{s, restarted(t, folder, tokens)} {
			for _, name := range gone {
				if _, err := s.who(t, name); !errors.Is(err, ErrInvalidToken) {
					t.Fatalf("one that was ended: %v", err)
				}
			}
			for _, name := range []string{alice, bob} {
				if _, err := s.who(t, name); err != nil {
					t.Error(err)
				}
			}
		}
		if files, err := os.ReadDir(folder); err != nil || len(files) > mostEnded+2 {
			t.Errorf("%d files, %v", len(files), err)
		}
		old := time.Now().Add(-longestStay - time.Minute)
		if err := os.Chtimes(filepath.Join(folder, endedAll+userHash("alice")), old, old); err != nil {
			t.Fatal(err)
		}
		time.Sleep(longestStay + time.Minute)
		name, _, _ := s.BeginSession(t.Context(), "", "b")
		s.EndSession(name)
		if files, err := filepath.Glob(filepath.Join(folder, endedAll+"*")); err != nil || len(files) > 0 || len(s.revocations.known) != 1 {
			t.Errorf("after a week: %v, %v, %v", files, s.revocations.known, err)
		}
	})
}
