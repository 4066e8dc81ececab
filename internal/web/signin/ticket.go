package signin

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"sync"
)

// A Ticket lets one browser in, once: for the user who has started the server on their own
// machine, and was given no token. It is a Checker of the one token that it stands
// for, which nobody is told.
type Ticket struct {
	token, text, host string
	user              User
	isOwn             func(remote string) bool // tells connections of the user who has started this process

	mu   sync.Mutex
	used bool
}

// NewTicket makes one for a user, and a host of it.
func NewTicket(u User) *Ticket { return NewTicketAt(u, newHost()) }

// NewTicketAt makes one for a user at a host that OpenAddress returned.
func NewTicketAt(u User, host string) *Ticket {
	return &Ticket{token: rand.Text(), text: rand.Text(), host: host, user: u, isOwn: isOwnConnection}
}

// SecretHost is a name of this machine that nobody is told but who has the ticket. A browser
// sends its cookies to all ports of a host: of one whose name other programs do not
// know they get none.
func (t *Ticket) SecretHost() string { return t.host }

// Matches tells whether a text is that of the ticket, used or not, and comes from the user
// whoever has started this process. remote is the other end of the connection: a desktop
// starts the browser with the text among its arguments, which other users of the
// machine can read.
func (t *Ticket) Matches(text, remote string) bool {
	return subtle.ConstantTimeCompare([]byte(text), []byte(t.text)) == 1 && t.isOwn(remote)
}

// Text is what has to be given, "" when it was.
func (t *Ticket) Text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.used {
		return ""
	}
	return t.text
}

// Redeem returns the token for the text of the ticket, which does not count any more
// then; or else ErrInvalid. For other users of the machine it does not count, and stays
// good.
func (t *Ticket) Redeem(text, remote string) (token string, err error) {
	if !t.Matches(text, remote) {
		return "", ErrInvalid
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.used {
		return "", ErrInvalid
	}
	t.used = true
	return t.token, nil
}

// IsOwnConnection tells whether a connection is one of the user who has started this process, by
// its other end: browsers give the cookies of a host to all of its ports, where programs
// of other users may listen.
func (t *Ticket) IsOwnConnection(remote string) bool { return t.isOwn(remote) }

// Check is called with each request.
func (t *Ticket) Check(_ context.Context, token string) (User, error) {
	if subtle.ConstantTimeCompare([]byte(token), []byte(t.token)) != 1 {
		return User{}, ErrInvalid
	}
	return t.user, nil
}

// IsReady is always true: there is the token.
func (t *Ticket) IsReady() bool { return true }
