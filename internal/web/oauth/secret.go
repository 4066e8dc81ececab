package oauth

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"slices"
	"strings"
)

// What is signed, by the beginning of the text.
const (
	kindClient  = "vdm_client_"
	kindConsent = "vdm_consent_"
	kindCode    = "vdm_code_"
	kindAccess  = "vdm_access_"
	kindRefresh = "vdm_refresh_"
)

const signatureLength = 16

// signPayload is a text that nobody else can make, and everybody read.
func (g *Grants) signPayload(kind string, payload []byte) string {
	return g.currentBook().signPayload(kind, payload)
}

func (b *grantBook) signPayload(kind string, payload []byte) string {
	return kind + base64.RawURLEncoding.EncodeToString(slices.Concat(payload, signature(b.Key, kind, payload)))
}

func signature(key []byte, kind string, payload []byte) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(kind))
	h.Write(payload)
	return h.Sum(nil)[:signatureLength]
}

// verifyPayload returns what was signed.
func (g *Grants) verifyPayload(kind, text string) (payload []byte, ok bool) {
	rest, found := strings.CutPrefix(text, kind)
	all, err := base64.RawURLEncoding.Strict().DecodeString(rest)
	if !found || err != nil || len(all) < signatureLength || strings.ContainsAny(rest, "\r\n") { // which decoding leaves out
		return nil, false
	}
	payload, got := all[:len(all)-signatureLength], all[len(all)-signatureLength:]
	return payload, hmac.Equal(got, signature(g.currentBook().Key, kind, payload))
}

const idLength = 4

// codeOf is the grant that comes of a consent, and its code: the same each time, so that
// no more than one does.
func (g *Grants) codeOf(consent []byte) (id, secret string) {
	sum := sha256.Sum256(consent)
	return hex.EncodeToString(sum[:idLength]), g.signPayload(kindCode, sum[:])
}

// nextSecret is a token of a grant, which is told by it also when it does not count any
// more. It is given for a code or another token, and is the same each time that it is
// given for that with that salt. To know it takes all three: key, salt and what was sent.
func (b *grantBook) nextSecret(kind, id, salt, sent string) string {
	raw, _ := hex.DecodeString(id)
	h := hmac.New(sha256.New, b.Key)
	h.Write([]byte(kind + "after " + salt + " "))
	h.Write([]byte(sent))
	return b.signPayload(kind, slices.Concat(raw, h.Sum(nil)[:16]))
}

// grantIDOf names the grant of a code or token that was given here.
func (g *Grants) grantIDOf(kind, secret string) (id string, ok bool) {
	payload, ok := g.verifyPayload(kind, secret)
	if !ok || len(payload) < idLength {
		return "", false
	}
	return hex.EncodeToString(payload[:idLength]), true
}

// hashOf is what is kept of a text.
func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// matchesHash tells whether a hash is that of a text.
func matchesHash(hash, text string) bool { return hmac.Equal([]byte(hash), []byte(hashOf(text))) }
