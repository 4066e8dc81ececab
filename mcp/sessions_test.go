package mcp

import (
	"errors"
	"net/http/httptest"
	"testing"
)

// TestShareOfSessions: one owner cannot take the places of all, and has places again
// when sessions end.
func TestShareOfSessions(t *testing.T) {
	ss := newSessions(3, 2)
	open := func(name, owner string) error {
		done, err := ss.reserve(owner)
		if err != nil {
			return err
		}
		ss.add(name, owner, func() {})
		done()
		done()
		return nil
	}
	for _, c := range []struct {
		name, owner string
		want        error
	}{
		{"a1", "alice", nil}, {"a2", "alice", nil}, {"a3", "alice", errManyOfOwner}, {"b1", "bob", nil}, {"b2", "bob", errManySessions},
	} {
		if err := open(c.name, c.owner); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
	ss.remove("a1")
	ss.remove("a1")
	if err := open("a4", "alice"); err != nil {
		t.Errorf("after one has ended: %v", err)
	}
	for _, name := range []string{"a2", "a4", "b1"} {
		ss.remove(name)
	}
	if ss.count() != 0 || len(ss.owned) != 0 || ss.opening != 0 {
		t.Errorf("%d sessions are left, %v, %d are being opened", ss.count(), ss.owned, ss.opening)
	}
}

// TestRefuseSession: who has too many is told so, and who finds all taken something
// else; both when to come again.
func TestRefuseSession(t *testing.T) {
	for why, want := range map[error]int{errManyOfOwner: 429, errManySessions: 503} {
		w := httptest.NewRecorder()
		refuseSession(w, why)
		if w.Code != want || w.Header().Get("Retry-After") != "60" {
			t.Errorf("%v: %d, %v", why, w.Code, w.Header())
		}
	}
}
