package signin

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base32"
	"strings"
	"sync"
)

// A Ticket lets browsers in, each by a text that counts once: those of the user who has
// started the server on their own machine, and was given no token. It is a Checker of the
// tokens that it stands for, which nobody is told: one of the process, and one that the next
// process has too, for browsers at the name that nobody knows, so that their bookmarks go on
// to work.
type Ticket struct {
	token string // of the process
	place OwnPlace
	user  User
	isOwn func(remote string) bool // tells connections of the user who has started this process

	mu   sync.Mutex
	used map[string]bool // texts that count no more
}

// NewTicket makes one for a user, and a place of it.
func NewTicket(u User) *Ticket { return NewTicketAt(u, newPlace("")) }

// NewTicketAt makes one for a user at a place that ListenOwn returned.
func NewTicketAt(u User, place OwnPlace) *Ticket {
	return &Ticket{token: rand.Text(), place: place, user: u, isOwn: isOwnConnection, used: make(map[string]bool)}
}

// SecretHost is a name of this machine that nobody is told but who has a text. A browser
// sends its cookies to all ports of a host: of one whose name other programs do not
// know they get none.
func (t *Ticket) SecretHost() string { return t.place.Host }

// Prove is what only a process that knows the place can say of a question, see OwnPlace.
func (t *Ticket) Prove(question string) string { return t.place.sign(forProof, question) }

// Matches tells whether a text is one of the ticket, used or not, and comes from the user
// who has started this process. remote is the other end of the connection: a desktop
// starts the browser with the text among its arguments, which other users of the
// machine can read.
func (t *Ticket) Matches(text, remote string) bool {
	name, signature, _ := strings.Cut(text, "-")
	return subtle.ConstantTimeCompare([]byte(signature), []byte(t.place.sign(forTicket, name))) == 1 && t.isOwn(remote)
}

// NewText is a text that lets one browser in.
func (t *Ticket) NewText() string { return t.place.NewTicketText() }

// Redeem returns the token for a text of the ticket, which does not count any more
// then; or else ErrInvalid. For other users of the machine it does not count, and stays
// good. host is the name by which the browser has come: what it keeps for another name than
// that which nobody knows, other programs get to see.
func (t *Ticket) Redeem(text, remote, host string) (token string, err error) {
	if !t.Matches(text, remote) {
		return "", ErrInvalid
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.used[text] {
		return "", ErrInvalid
	}
	t.used[text] = true
	if host == t.place.Host {
		return t.place.session, nil
	}
	return t.token, nil
}

// Key is one for the sessions that the ticket begins, and that those before began at this place.
func (t *Ticket) Key() *Key {
	k, secret := &Key{}, sha256.Sum256([]byte("sessions "+t.place.session))
	if err := k.setSecret(secret[:]); err != nil {
		panic(err) // the length is right
	}
	return k
}

// IsOwnConnection tells whether a connection is one of the user who has started this process, by
// its other end: browsers give the cookies of a host to all of its ports, where programs
// of other users may listen.
func (t *Ticket) IsOwnConnection(remote string) bool { return t.isOwn(remote) }

// Check is called with each request.
func (t *Ticket) Check(_ context.Context, token string) (User, error) {
	if subtle.ConstantTimeCompare([]byte(token), []byte(t.token))|subtle.ConstantTimeCompare([]byte(token), []byte(t.place.session)) != 1 {
		return User{}, ErrInvalid
	}
	return t.user, nil
}

// IsReady is always true: there is the token.
func (t *Ticket) IsReady() bool { return true }

// What a signature is for.
const (
	forTicket = "ticket"
	forProof  = "proof"
)

// sign says something that nobody else can say who does not know the place.
func (p OwnPlace) sign(purpose, text string) string {
	mac := hmac.New(sha256.New, []byte(p.secret))
	_, _ = mac.Write([]byte(purpose + " " + text)) // it does not fail
	return base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(mac.Sum(nil)[:20])
}

// NewTicketText is a text that the ticket of the page lets one browser in by: whoever knows
// the place can make one, also where another process serves it.
func (p OwnPlace) NewTicketText() string {
	name := rand.Text()
	return name + "-" + p.sign(forTicket, name)
}
