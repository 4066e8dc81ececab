package oauth

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"slices"
	"strings"
)

// Prefixes of signed texts by purpose. The signature covers the prefix.
const (
	prefixClient  = "vdm_client_"
	prefixConsent = "vdm_consent_"
	prefixCode    = "vdm_code_"
	prefixAccess  = "vdm_access_"
	prefixRefresh = "vdm_refresh_"
)

const signatureLength = 16 // bytes of HMAC-SHA256

// signPayload returns a text that consists of the prefix, the payload and a signature. The payload
// is not encrypted.
func (g *GrantStore) signPayload(prefix string, payload []byte) string {
	return g.current().signPayload(prefix, payload)
}

func (b *storedGrants) signPayload(prefix string, payload []byte) string {
	return prefix + base64.RawURLEncoding.EncodeToString(slices.Concat(payload, signature(b.Key, prefix, payload)))
}

func signature(key []byte, prefix string, payload []byte) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(prefix))
	h.Write(payload)
	return h.Sum(nil)[:signatureLength]
}

// verifyPayload returns the payload of a text that signPayload has returned for the prefix; ok is
// false for any other text.
func (g *GrantStore) verifyPayload(prefix, text string) (payload []byte, ok bool) {
	rest, found := strings.CutPrefix(text, prefix)
	all, err := base64.RawURLEncoding.Strict().DecodeString(rest)
	// the decoder would ignore line breaks
	if !found || err != nil || len(all) < signatureLength || strings.ContainsAny(rest, "\r\n") {
		return nil, false
	}
	payload, got := all[:len(all)-signatureLength], all[len(all)-signatureLength:]
	return payload, hmac.Equal(got, signature(g.current().Key, prefix, payload))
}

const grantIDLength = 4

// codeFor returns the ID of the grant for a signed consent request, and its authorization code.
// Both are derived from the request, so that it leads to one grant however often it is approved.
func (g *GrantStore) codeFor(consent []byte) (id, code string) {
	sum := sha256.Sum256(consent)
	return hex.EncodeToString(sum[:grantIDLength]), g.signPayload(prefixCode, sum[:])
}

// deriveToken returns a token of the grant with an ID, in response to a code or refresh token
// (sent). It is derived from the key, the salt and sent, so that a retry gets the same token
// although only its hash is stored. The token contains the ID of the grant.
func (b *storedGrants) deriveToken(prefix, id, salt, sent string) string {
	raw, _ := hex.DecodeString(id)
	h := hmac.New(sha256.New, b.Key)
	h.Write([]byte(prefix + "after " + salt + " "))
	h.Write([]byte(sent))
	return b.signPayload(prefix, slices.Concat(raw, h.Sum(nil)[:16]))
}

// grantIDOf returns the ID of the grant in a code or token with a prefix. ok is false if this
// server has not issued it.
func (g *GrantStore) grantIDOf(prefix, secret string) (id string, ok bool) {
	payload, ok := g.verifyPayload(prefix, secret)
	if !ok || len(payload) < grantIDLength {
		return "", false
	}
	return hex.EncodeToString(payload[:grantIDLength]), true
}

// hashOf returns the SHA-256 hash of a text in hexadecimal digits.
func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// matchesHash reports whether a hash is that of a text, in constant time.
func matchesHash(hash, text string) bool { return hmac.Equal([]byte(hash), []byte(hashOf(text))) }
