package webtest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"
)

// provider is an identity provider at another site, with a sign-in page of its own.
type provider struct {
	*httptest.Server
	url string // URL with a host name that makes it another site
	key *ecdsa.PrivateKey

	mu    sync.Mutex
	asked url.Values // parameters of the latest authorization request
}

func newProvider(t *testing.T) *provider {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	p := &provider{key: key}
	routes := http.NewServeMux()
	routes.HandleFunc("/.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
		says(w, map[string]any{"issuer": p.url, "jwks_uri": p.url + "/keys", "authorization_endpoint": p.url + "/authorize", "token_endpoint": p.url + "/token"})
	})
	routes.HandleFunc("/keys", p.keys)
	routes.HandleFunc("GET /authorize", p.ask)
	routes.HandleFunc("POST /authorize", p.answer)
	routes.HandleFunc("/token", p.token)
	p.Server = httptest.NewServer(routes)
	p.url = strings.Replace(p.URL, "127.0.0.1", "localhost", 1)
	t.Cleanup(p.Close)
	return p
}

func says(w http.ResponseWriter, what map[string]any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(what) // fails only if the client is gone, which fails the test
}

func (p *provider) keys(w http.ResponseWriter, _ *http.Request) {
	point, _ := p.key.PublicKey.Bytes() // a point of this curve has them
	says(w, map[string]any{"keys": []any{map[string]any{
		"kty": "EC", "crv": "P-256", "kid": "a", "alg": "ES256", "use": "sig", "x": encoded(point[1:33]), "y": encoded(point[33:]),
	}}})
}

func encoded(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

func (p *provider) ask(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	p.asked = r.URL.Query()
	p.mu.Unlock()
	w.Header().Set("Content-Type", "text/html")
	_, _ = w.Write([]byte(`<!doctype html><title>Who are you?</title><link rel="icon" href="data:,"><form method="post"><button id="yes" name="is" value="alice">Alice</button><button id="no" name="is" value="">Nobody</button></form>`))
}

// answer sends people back, as what they have answered by a form.
func (p *provider) answer(w http.ResponseWriter, r *http.Request) {
	back := url.Values{"state": {r.URL.Query().Get("state")}, "error": {"access_denied"}}
	if r.PostFormValue("is") == "alice" {
		back = url.Values{"state": back["state"], "code": {"a-code-of-the-provider"}}
	}
	http.Redirect(w, r, r.URL.Query().Get("redirect_uri")+"?"+back.Encode(), http.StatusSeeOther)
}

func (p *provider) token(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	asked := p.asked
	p.mu.Unlock()
	hash := sha256.Sum256([]byte(r.PostFormValue("code_verifier")))
	if encoded(hash[:]) != asked.Get("code_challenge") || r.PostFormValue("code") != "a-code-of-the-provider" {
		http.Error(w, `{"error":"invalid_grant"}`, http.StatusBadRequest)
		return
	}
	until := time.Now().Add(time.Hour).Unix()
	says(w, map[string]any{
		"token_type":   "Bearer",
		"access_token": p.signed(map[string]any{"iss": p.url, "sub": "alice", "aud": asked.Get("resource"), "scope": "read", "exp": until}),
		"id_token":     p.signed(map[string]any{"iss": p.url, "sub": "alice", "aud": asked.Get("client_id"), "nonce": asked.Get("nonce"), "exp": until}),
	})
}

// signed is a token of the provider.
func (p *provider) signed(claims map[string]any) string {
	body, _ := json.Marshal(claims) // there is nothing in it that could fail
	text := encoded([]byte(`{"alg":"ES256","kid":"a"}`)) + "." + encoded(body)
	sum := sha256.Sum256([]byte(text))
	r, s, _ := ecdsa.Sign(rand.Reader, p.key, sum[:]) // nor does that with this key
	return text + "." + encoded(append(r.FillBytes(make([]byte, 32)), s.FillBytes(make([]byte, 32))...))
}
