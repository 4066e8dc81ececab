package signin

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// listed knows the tokens that are its keys.
type listed map[string]User

func (l listed) Check(_ context.Context, token string) (User, error) {
	if token == "down" {
		return User{}, ErrUnavailable
	}
	if u, ok := l[token]; ok {
		return u, nil
	}
	return User{}, ErrInvalid
}

func (l listed) IsReady() bool { return len(l) > 0 }

func sessionsOf(tokens listed) *Sessions {
	return NewSessions(&Door{Checkers: []Checker{tokens}})
}

// TestSessions: a session is of who has the token, ends with it, and is found by no
// other name.
func TestSessions(t *testing.T) {
	tokens := listed{"a": {ID: "alice", Scopes: []string{ScopeRead}}, "m": {ID: "watch", Scopes: []string{ScopeMetrics}}}
	s := sessionsOf(tokens)
	id, u, err := s.Begin(t.Context(), "a")
	if err != nil || u.ID != "alice" || len(id) < 20 {
		t.Fatalf("%q, %+v, %v", id, u, err)
	}
	if u, err := s.Who(t.Context(), id); err != nil || u.ID != "alice" {
		t.Errorf("%+v, %v", u, err)
	}
	other, _, _ := s.Begin(t.Context(), "a")
	if other == id {
		t.Error("two sessions have one name")
	}
	s.End(other)
	for _, wrong := range []string{"", other, strings.ToLower(id), id + "A", "a"} {
		if _, err := s.Who(t.Context(), wrong); !errors.Is(err, ErrInvalid) {
			t.Errorf("%q: %v", wrong, err)
		}
	}
	for token, want := range map[string]error{"b": ErrInvalid, "": ErrInvalid, "m": ErrScope, "down": ErrUnavailable} {
		if _, _, err := s.Begin(t.Context(), token); !errors.Is(err, want) {
			t.Errorf("the token %q gets %v", token, err)
		}
	}
	delete(tokens, "a")
	if _, err := s.Who(t.Context(), id); !errors.Is(err, ErrInvalid) {
		t.Errorf("without its token: %v", err)
	}
	tokens["a"] = User{ID: "alice", Scopes: []string{ScopeRead}}
	if _, err := s.Who(t.Context(), id); !errors.Is(err, ErrInvalid) {
		t.Errorf("a session that has ended comes back: %v", err)
	}
}

// TestSessionsEnd: one that is not used ends, and one that is after a week.
func TestSessionsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := sessionsOf(listed{"a": {ID: "alice", Scopes: Scopes}})
		idle, _, _ := s.Begin(t.Context(), "a")
		used, _, _ := s.Begin(t.Context(), "a")
		for range int(longestStay/visitIdle) - 1 {
			time.Sleep(visitIdle)
			if _, err := s.Who(t.Context(), used); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := s.Who(t.Context(), idle); err == nil {
			t.Error("one that is not used goes on")
		}
		time.Sleep(visitIdle)
		if _, err := s.Who(t.Context(), used); err != nil {
			t.Error(err)
		}
		time.Sleep(time.Minute)
		if _, err := s.Who(t.Context(), used); err == nil {
			t.Error("one goes on for ever")
		}
		if len(s.of) != 0 {
			t.Errorf("%d are kept", len(s.of))
		}
	})
}

// TestSessionsAreBounded: who opens many loses their own, and all lose the oldest.
func TestSessionsAreBounded(t *testing.T) {
	tokens := listed{"b": {ID: "bob", Scopes: Scopes}, "a": {ID: "alice", Scopes: Scopes}}
	s := sessionsOf(tokens)
	bob, _, _ := s.Begin(t.Context(), "b")
	for range 3 * mostOfUser {
		if _, _, err := s.Begin(t.Context(), "a"); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Who(t.Context(), bob); err != nil || len(s.of) != mostOfUser+1 {
		t.Errorf("%d sessions, bob's: %v", len(s.of), err)
	}
	for i := range mostVisits {
		name := strings.Repeat("x", i+1)
		tokens[name] = User{ID: name, Scopes: Scopes}
		_, _, _ = s.Begin(t.Context(), name)
	}
	if len(s.of) != mostVisits {
		t.Errorf("%d sessions", len(s.of))
	}
}
