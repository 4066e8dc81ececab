package signin

import (
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// TestTicket: a text is good once, however many try it at the same time, and what it
// gives is known to nobody else.
func TestTicket(t *testing.T) {
	const mine, theirs = "127.0.0.1:1001", "127.0.0.1:1002"
	ticket := NewTicket(User{ID: "local", Scopes: Scopes})
	ticket.isOwn = func(remote string) bool { return remote == mine }
	text := ticket.NewText()
	for _, wrong := range []string{"", "-", "x", text + "x", text[1:], text[:len(text)-1], "x" + text[1:], strings.ReplaceAll(text, "-", ""), NewTicket(User{}).NewText()} {
		if _, err := ticket.Redeem(wrong, mine); !errors.Is(err, ErrInvalid) {
			t.Errorf("%q: %v", wrong, err)
		}
	}
	if _, err := ticket.Redeem(text, theirs); !errors.Is(err, ErrInvalid) {
		t.Errorf("another user gets %v", err)
	}
	var let atomic.Int32
	var given atomic.Value
	var group sync.WaitGroup
	for range 50 {
		group.Go(func() {
			if token, err := ticket.Redeem(text, mine); err == nil {
				let.Add(1)
				given.Store(token)
			}
		})
	}
	group.Wait()
	if let.Load() != 1 {
		t.Fatalf("%d are let in", let.Load())
	}
	if _, err := ticket.Redeem(text, mine); !errors.Is(err, ErrInvalid) {
		t.Errorf("it counts again: %v", err)
	}
	if !ticket.Matches(text, mine) || ticket.Matches(text, theirs) || ticket.Matches(text[1:], mine) || ticket.Matches("", mine) {
		t.Error("it does not know itself")
	}
	if other := NewTicket(User{}); other.SecretHost() == ticket.SecretHost() || !strings.HasSuffix(other.SecretHost(), ".localhost") || len(other.SecretHost()) < 30 {
		t.Errorf("the host names are %s and %s", ticket.SecretHost(), other.SecretHost())
	}
	if _, err := ticket.Redeem("", mine); !errors.Is(err, ErrInvalid) {
		t.Errorf("nothing, after it was used: %v", err)
	}
	if token, err := ticket.Redeem(ticket.NewText(), mine); err != nil || token != given.Load() {
		t.Errorf("the next text gives %v", err)
	}
	u, err := ticket.Check(t.Context(), given.Load().(string))
	if err != nil || u.ID != "local" || !u.HasScope(ScopeIndex) {
		t.Errorf("its token is %+v's, %v", u, err)
	}
	for _, wrong := range []string{"", text, given.Load().(string)[1:]} {
		if _, err := ticket.Check(t.Context(), wrong); !errors.Is(err, ErrInvalid) {
			t.Errorf("the token %q: %v", wrong, err)
		}
	}
}
