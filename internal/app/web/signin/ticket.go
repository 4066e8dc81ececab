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

// A Ticket lets browsers of the user who started the server on their own machine sign in, each with
// a text that works once. It is the Checker of two secret tokens that it issues: one of this
// process, and one that the next process shares, for browsers at the secret host name, so that
// their bookmarks keep working.
type Ticket struct {
	token string // token of this process
	place PrivateAddress
	user  User
	isOwn func(remote string) bool // reports whether a connection is of this process's user

	mu   sync.Mutex
	used map[string]bool // texts that are used up
}

// NewTicket returns a Ticket for a user at a new place.
func NewTicket(u User) *Ticket { return NewTicketAt(u, newPlace("")) }

// NewTicketAt returns a Ticket for a user at a place that ListenPrivate returned.
func NewTicketAt(u User, place PrivateAddress) *Ticket {
	return &Ticket{token: rand.Text(), place: place, user: u, isOwn: isOwnConnection, used: make(map[string]bool)}
}

// SecretHost returns a host name of this machine that only holders of a text learn. A browser sends
// its cookies to all ports of a host, so other programs do not receive those of a name that they do
// not know.
func (t *Ticket) SecretHost() string { return t.place.Host }

// AnswerChallenge returns the answer to a question, which only a process with the secrets of the place can
// compute; see PrivateAddress.
func (t *Ticket) AnswerChallenge(question string) string { return t.place.sign(forProof, question) }

// MatchesCode reports whether a text belongs to the ticket, used or not, and comes from the user who
// started this process. remote is the other end of the connection: a desktop passes the text to the
// browser as an argument, which other users of the machine can read.
func (t *Ticket) MatchesCode(text, remote string) bool {
	name, signature, _ := strings.Cut(text, "-")
	return subtle.ConstantTimeCompare([]byte(signature), []byte(t.place.sign(forTicket, name))) == 1 && t.isOwn(remote)
}

// NewLoginCode returns a text that lets one browser in.
func (t *Ticket) NewLoginCode() string { return t.place.NewLoginCode() }

// Redeem returns the token for a text of the ticket, which is then used up; otherwise the error is
// ErrInvalid. A text from another user of the machine is refused without being used up. host is the
// host name in the request, as cookies under a name other than the secret one are visible to other
// programs.
func (t *Ticket) Redeem(text, remote, host string) (token string, err error) {
	if !t.MatchesCode(text, remote) {
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

// Key returns the key for the sessions of the ticket, which also decrypts earlier sessions at this
// place.
func (t *Ticket) Key() *Key {
	k, secret := &Key{}, sha256.Sum256([]byte("sessions "+t.place.session))
	if err := k.setSecret(secret[:]); err != nil {
		panic(err) // cannot fail: the length is right
	}
	return k
}

// IsOwnConnection reports whether a connection, given its other end, belongs to the user who
// started this process. Browsers send the cookies of a host to all of its ports, where programs of
// other users may listen.
func (t *Ticket) IsOwnConnection(remote string) bool { return t.isOwn(remote) }

// Check implements Checker.
func (t *Ticket) Check(_ context.Context, token string) (User, error) {
	if subtle.ConstantTimeCompare([]byte(token), []byte(t.token))|subtle.ConstantTimeCompare([]byte(token), []byte(t.place.session)) != 1 {
		return User{}, ErrInvalid
	}
	return t.user, nil
}

// IsReady returns true, as the token always exists.
func (t *Ticket) IsReady() bool { return true }

// Purposes of signatures.
const (
	forTicket = "ticket"
	forProof  = "proof"
)

// sign returns a signature that only a process with the secrets of the place can compute.
func (p PrivateAddress) sign(purpose, text string) string {
	mac := hmac.New(sha256.New, []byte(p.secret))
	_, _ = mac.Write([]byte(purpose + " " + text)) // never fails
	return base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(mac.Sum(nil)[:20])
}

// NewLoginCode returns a text that lets one browser in at the page. Any process with the secrets
// of the place can create one, even if another process serves the page.
func (p PrivateAddress) NewLoginCode() string {
	name := rand.Text()
	return name + "-" + p.sign(forTicket, name)
}
