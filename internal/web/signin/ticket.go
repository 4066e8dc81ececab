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
	isOwn func(remote string) bool // tells connections of the user who has started this process

	mu   sync.Mutex
	text string // "" when it was used
}

// NewTicket makes one for a user.
func NewTicket(u User) *Ticket {
	return &Ticket{token: rand.Text(), user: u, isOwn: isOwnConnection, text: rand.Text()}
}

// Text is what has to be given, "" when it was.
func (t *Ticket) Text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.text
}

// Redeem returns the token for the text of the ticket, which does not count any more
// then; or else ErrInvalid. remote is the other end of the connection: a desktop starts
// the browser with the text among its arguments, which other users of the machine can
// read. For them it does not count, and stays good.
func (t *Ticket) Redeem(text, remote string) (token string, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.text == "" || subtle.ConstantTimeCompare([]byte(text), []byte(t.text)) != 1 || !t.isOwn(remote) {
		return "", ErrInvalid
	}
	t.text = ""
	return t.token, nil
}

// IsOwn tells whether a connection is one of the user who has started this process, by
// its other end: browsers give the cookies of a host to all of its ports, where programs
// of other users may listen.
func (t *Ticket) IsOwn(remote string) bool { return t.isOwn(remote) }

// Check is called with each request.
func (t *Ticket) Check(_ context.Context, token string) (User, error) {
	if subtle.ConstantTimeCompare([]byte(token), []byte(t.token)) != 1 {
		return User{}, ErrInvalid
	}
	return t.user, nil
}

// IsReady is always true: there is the token.
func (t *Ticket) IsReady() bool { return true }
