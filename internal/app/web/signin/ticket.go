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

// LocalSignIn lets browsers sign in that the user who started the server opens on the same machine, each
// with a login code that works once. It is the Checker of the two secret tokens that it gives to
// browsers: one of this process and, for browsers that use the secret host name, one that is handed
// on to the next process, so that their bookmarks keep working.
type LocalSignIn struct {
	token string // token of this process
	place PrivatePageAddress
	user  User
	isOwn func(remote string) bool // reports whether a connection belongs to the user of this process

	mu   sync.Mutex
	used map[string]bool // login codes that have been used
}

// NewLocalSignIn returns the sign-in for the browsers of a user at a new address.
func NewLocalSignIn(u User) *LocalSignIn { return NewLocalSignInAt(u, newPlace("")) }

// NewLocalSignInAt returns the sign-in for the browsers of a user at an address that ListenPrivatePage has
// returned.
func NewLocalSignInAt(u User, address PrivatePageAddress) *LocalSignIn {
	return &LocalSignIn{token: rand.Text(), place: address, user: u, isOwn: isOwnConnection, used: make(map[string]bool)}
}

// SecretHostname returns a host name of this machine that only browsers with a login code learn. A
// browser sends its cookies to all ports of a host, so other programs do not receive those of a
// name that they do not know.
func (t *LocalSignIn) SecretHostname() string { return t.place.SecretHostname }

// AnswerChallenge returns the answer to a challenge, which only a process with the secrets of the
// PrivatePageAddress can compute.
func (t *LocalSignIn) AnswerChallenge(challenge string) string {
	return t.place.sign(forProof, challenge)
}

// MatchesCode reports whether a login code was issued by NewLoginCode, used or not, and comes from the
// user who started this process. remoteAddress is the other end of the connection. The user is checked
// because a desktop passes the code to the browser as an argument, which other users of the machine
// can read.
func (t *LocalSignIn) MatchesCode(code, remoteAddress string) bool {
	name, signature, _ := strings.Cut(code, "-")
	return subtle.ConstantTimeCompare([]byte(signature), []byte(t.place.sign(forTicket, name))) == 1 && t.isOwn(remoteAddress)
}

// NewLoginCode returns a code that lets one browser in.
func (t *LocalSignIn) NewLoginCode() string { return t.place.NewLoginCode() }

// Redeem returns the token for a login code, which then is used up. The error is ErrInvalidToken for
// an invalid code, and for one from another user of the machine, which is not used up. remoteAddress
// is the other end of the connection. host is the host name in the request; under a name other than
// the secret one the browser gets the token of this process only, as other programs see cookies of
// that name.
func (t *LocalSignIn) Redeem(code, remoteAddress, host string) (token string, err error) {
	if !t.MatchesCode(code, remoteAddress) {
		return "", ErrInvalidToken
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.used[code] {
		return "", ErrInvalidToken
	}
	t.used[code] = true
	if host == t.place.SecretHostname {
		return t.place.session, nil
	}
	return t.token, nil
}

// SessionKey returns the key that encrypts the sessions of the browsers, and also decrypts their earlier
// sessions at this address.
func (t *LocalSignIn) SessionKey() *EncryptionKey {
	k, secret := &EncryptionKey{}, sha256.Sum256([]byte("sessions "+t.place.session))
	if err := k.setSecret(secret[:]); err != nil {
		panic(err) // cannot fail: the length is right
	}
	return k
}

// IsOwnConnection reports whether a connection belongs to the user who started this process.
// remoteAddress is its other end. Cookies alone do not prove that: browsers send the cookies of a host
// to all its ports, where programs of other users may listen.
func (t *LocalSignIn) IsOwnConnection(remoteAddress string) bool { return t.isOwn(remoteAddress) }

// Check returns the user if the token is one of the two that Redeem returns.
func (t *LocalSignIn) Check(_ context.Context, token string) (User, error) {
	if subtle.ConstantTimeCompare([]byte(token), []byte(t.token))|subtle.ConstantTimeCompare([]byte(token), []byte(t.place.session)) != 1 {
		return User{}, ErrInvalidToken
	}
	return t.user, nil
}

// CanAcceptTokens returns true, as the token always exists.
func (t *LocalSignIn) CanAcceptTokens() bool { return true }

// Purposes of signatures.
const (
	forTicket = "ticket"
	forProof  = "proof"
)

// sign returns a signature for a purpose that only a process with the secrets of the address can
// compute.
func (p PrivatePageAddress) sign(purpose, text string) string {
	mac := hmac.New(sha256.New, []byte(p.secret))
	_, _ = mac.Write([]byte(purpose + " " + text)) // never fails
	return base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(mac.Sum(nil)[:20])
}

// NewLoginCode returns a code that lets one browser in at the page. Any process with the secrets of
// the address can create one, even if another process serves the page.
func (p PrivatePageAddress) NewLoginCode() string {
	name := rand.Text()
	return name + "-" + p.sign(forTicket, name)
}
