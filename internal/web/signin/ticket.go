package signin

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"sync"
)

// A Ticket lets one browser in, once: for who has started the server on their own
// machine, and was given no token. It is a Checker of the one token that it stands
// for, which nobody is told.
type Ticket struct {
	token string
	user  User

	mu   sync.Mutex
	text string // "" when it was used
}

// NewTicket makes one for a user.
func NewTicket(u User) *Ticket { return &Ticket{token: rand.Text(), user: u, text: rand.Text()} }

// Text is what has to be given, "" when it was.
func (t *Ticket) Text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.text
}

// Redeem returns the token for the text of the ticket, which does not count any more
// then; or else ErrInvalid.
func (t *Ticket) Redeem(text string) (token string, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.text == "" || subtle.ConstantTimeCompare([]byte(text), []byte(t.text)) != 1 {
		return "", ErrInvalid
	}
	t.text = ""
	return t.token, nil
}

// Check is called with each request.
func (t *Ticket) Check(_ context.Context, token string) (User, error) {
	if subtle.ConstantTimeCompare([]byte(token), []byte(t.token)) != 1 {
		return User{}, ErrInvalid
	}
	return t.user, nil
}

// IsReady is always true: there is the token.
func (t *Ticket) IsReady() bool { return true }
