package signin

import (
	"errors"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// TestTicket checks that a login code works once, even with concurrent attempts, and that its token
// cannot be guessed.
func TestTicket(t *testing.T) {
	const mine, theirs = "127.0.0.1:1001", "127.0.0.1:1002"
	ticket := NewLocalSignIn(User{ID: "local", Scopes: DocumentScopes})
	ticket.isOwn = func(remote string) bool { return remote == mine }
	text := ticket.NewLoginCode()
	for _, wrong := range []string{"", "-", "x", text + "x", text[1:], text[:len(text)-1], "x" + text[1:], strings.ReplaceAll(text, "-", ""), NewLocalSignIn(User{}).NewLoginCode()} {
		if _, err := ticket.Redeem(wrong, mine, "localhost"); !errors.Is(err, ErrInvalidToken) {
			t.Errorf("%q: %v", wrong, err)
		}
	}
	if _, err := ticket.Redeem(text, theirs, "localhost"); !errors.Is(err, ErrInvalidToken) {
		t.Errorf("another user gets %v", err)
	}
	var let atomic.Int32
	var given atomic.Value
	var group sync.WaitGroup
	for range 50 {
		group.Go(func() {
			if token, err := ticket.Redeem(text, mine, "localhost"); err == nil {
				let.Add(1)
				given.Store(token)
			}
		})
	}
	group.Wait()
	if let.Load() != 1 {
		t.Fatalf("%d are let in", let.Load())
	}
	if _, err := ticket.Redeem(text, mine, "localhost"); !errors.Is(err, ErrInvalidToken) {
		t.Errorf("it counts again: %v", err)
	}
	if !ticket.MatchesCode(text, mine) || ticket.MatchesCode(text, theirs) || ticket.MatchesCode(text[1:], mine) || ticket.MatchesCode("", mine) {
		t.Error("it does not know itself")
	}
	if other := NewLocalSignIn(User{}); other.SecretHostname() == ticket.SecretHostname() || !strings.HasSuffix(other.SecretHostname(), ".localhost") || len(other.SecretHostname()) < 30 {
		t.Errorf("the host names are %s and %s", ticket.SecretHostname(), other.SecretHostname())
	}
	if _, err := ticket.Redeem("", mine, "localhost"); !errors.Is(err, ErrInvalidToken) {
		t.Errorf("nothing, after it was used: %v", err)
	}
	if token, err := ticket.Redeem(ticket.NewLoginCode(), mine, "localhost"); err != nil || token != given.Load() {
		t.Errorf("the next text gives %v", err)
	}
	u, err := ticket.Check(t.Context(), given.Load().(string))
	if err != nil || u.ID != "local" || !u.HasScope(ScopeUpdateIndex) {
		t.Errorf("its token is %+v's, %v", u, err)
	}
	for _, wrong := range []string{"", text, given.Load().(string)[1:]} {
		if _, err := ticket.Check(t.Context(), wrong); !errors.Is(err, ErrInvalidToken) {
			t.Errorf("the token %q: %v", wrong, err)
		}
	}
}

// TestTicketOutlasts checks that the token for the secret host name is valid for the next process
// at the address, and that the token for other names ends with the process.
func TestTicketOutlasts(t *testing.T) {
	file := filepath.Join(t.TempDir(), "notes")
	begin := func() *LocalSignIn {
		on, place, err := ListenPrivatePage(t.Context(), file)
		if err != nil {
			t.Fatal(err)
		}
		_ = on.Close()
		ticket := NewLocalSignInAt(User{ID: "local", Scopes: DocumentScopes}, place)
		ticket.isOwn = func(string) bool { return true }
		return ticket
	}
	before := begin()
	tokens, sealed := make(map[string]string), make(map[string]string)
	for _, host := range []string{before.SecretHostname(), "127.0.0.1", "localhost", ""} {
		token, err := before.Redeem(before.NewLoginCode(), "", host)
		if err != nil {
			t.Fatal(err)
		}
		tokens[host], sealed[host] = token, before.SessionKey().seal(sessionCookiePurpose, token)
	}
	after, other := begin(), NewLocalSignIn(User{})
	if after.MatchesCode(before.NewLoginCode(), "") {
		t.Error("a link outlasts its process")
	}
	for host, token := range tokens {
		isKept := host == before.SecretHostname()
		if _, err := after.Check(t.Context(), token); (err == nil) != isKept {
			t.Errorf("what counts at %q is %v after a restart", host, err)
		}
		if text, err := after.SessionKey().open(sessionCookiePurpose, sealed[host]); err != nil || text != token {
			t.Errorf("what is sealed cannot be opened: %v", err)
		}
		if _, err := other.Check(t.Context(), token); err == nil {
			t.Errorf("what counts at %q counts elsewhere", host)
		}
		if _, err := other.SessionKey().open(sessionCookiePurpose, sealed[host]); err == nil {
			t.Error("another page opens what is sealed")
		}
	}
}
