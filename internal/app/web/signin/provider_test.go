package signin

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hmac"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/coreos/go-oidc/v3/oidc/oidctest"
)

const resource = "https://kb.example.com/mcp"

// issuer is an identity provider in this process, with its own keys.
type issuer struct {
	*httptest.Server
	keys    *oidctest.Server
	key     crypto.PrivateKey
	fetches atomic.Int32 // number of requests for the keys
	broken  atomic.Bool
}

func newIssuer(t testing.TB) *issuer {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	i := &issuer{key: key, keys: &oidctest.Server{PublicKeys: []oidctest.PublicKey{{PublicKey: key.Public(), KeyID: "a", Algorithm: oidc.ES256}}}}
	i.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/keys" {
			i.fetches.Add(1)
		}
		if i.broken.Load() {
			http.Error(w, "broken", http.StatusInternalServerError)
			return
		}
		i.keys.ServeHTTP(w, r)
	}))
	t.Cleanup(i.Close)
	i.keys.SetIssuer(i.URL)
	return i
}

// says returns a valid token with some claims changed; nil omits a claim.
func (i *issuer) says(others map[string]any) string {
	all := map[string]any{"iss": i.URL, "sub": "u1", "aud": resource, "exp": time.Now().Add(time.Hour).Unix(), "scope": "read"}
	maps.Copy(all, others)
	maps.DeleteFunc(all, func(_ string, v any) bool { return v == nil })
	text, _ := json.Marshal(all)
	return string(text)
}

func (i *issuer) token(others map[string]any) string {
	return oidctest.SignIDToken(i.key, "a", oidc.ES256, i.says(others))
}

// follow returns a Provider for the issuer.
func follow(t testing.TB, i *issuer, o ProviderOptions) *Provider {
	t.Helper()
	o.Issuer, o.Logger = i.URL, slog.New(slog.NewTextHandler(io.Discard, nil))
	if o.Audiences == nil {
		o.Audiences = []string{resource}
	}
	p := NewProvider(o)
	p.FetchMetadata(t.Context())
	return p
}

// TestProvider checks the user of valid tokens, in the forms of several providers.
func TestProvider(t *testing.T) {
	i := newIssuer(t)
	p := follow(t, i, ProviderOptions{UserClaim: "email"})
	for name, others := range map[string]map[string]any{
		"scope":        {"scope": "openid read index"},
		"scp text":     {"scope": nil, "scp": "read index"},
		"scp list":     {"scope": nil, "scp": []string{"read", "index"}},
		"roles":        {"scope": nil, "roles": []string{"read", "index"}},
		"audiences":    {"scope": "index", "aud": []string{"account", resource + "/"}},
		"access token": {"scope": "index", "typ": "Bearer", "azp": "client"},
	} {
		others["email"], others["groups"] = "a@example.com", []string{"cardio"}
		u, err := p.Check(t.Context(), i.token(others))
		if err != nil || u.ID != i.URL+" u1" || u.Name != "a@example.com" || u.Groups[0] != "cardio" || !u.HasScope(ScopeUpdateIndex) || u.ExpiresAt.IsZero() {
			t.Errorf("%s: %+v, %v", name, u, err)
		}
	}
}

// TestProviderRefuses checks that tokens are refused that are of another issuer, for another
// server, not valid now, or not access tokens.
func TestProviderRefuses(t *testing.T) {
	i, other := newIssuer(t), newIssuer(t)
	p := follow(t, i, ProviderOptions{})
	public, err := x509.MarshalPKIXPublicKey(i.key.(*ecdsa.PrivateKey).Public())
	if err != nil {
		t.Fatal(err)
	}
	another, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	good := i.token(nil)
	for name, token := range map[string]string{
		"expired":             i.token(map[string]any{"exp": now.Add(-time.Minute).Unix()}),
		"without an end":      i.token(map[string]any{"exp": nil}),
		"not yet":             i.token(map[string]any{"nbf": now.Add(time.Hour).Unix()}),
		"for another":         i.token(map[string]any{"aud": "https://other.example.com/mcp"}),
		"for a longer name":   i.token(map[string]any{"aud": resource + "2"}),
		"for nobody":          i.token(map[string]any{"aud": nil}),
		"of another issuer":   other.token(nil),
		"claiming an issuer":  i.token(map[string]any{"iss": other.URL}),
		"of another's key":    oidctest.SignIDToken(other.key, "a", oidc.ES256, i.says(nil)),
		"of an unknown key":   oidctest.SignIDToken(another, "b", oidc.RS256, i.says(nil)),
		"without a signature": unsigned(`{"alg":"none"}`, i.says(nil)) + ".",
		"of no algorithm":     unsigned(`{"alg":"NONE","kid":"a"}`, i.says(nil)) + "." + "AAAA",
		"by the public key":   hashed(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: public}), i.says(nil)),
		"by the public bytes": hashed(public, i.says(nil)),
		"an ID token":         i.token(map[string]any{"nonce": "n"}),
		"Keycloak's ID token": i.token(map[string]any{"typ": "ID"}),
		"a refresh token":     i.token(map[string]any{"typ": "Refresh"}),
		"of nobody":           i.token(map[string]any{"sub": nil}),
		"cut":                 good[:len(good)-4],
		"empty":               "..",
		"nonsense":            "a.b.c",
		"opaque":              "abcdef",
	} {
		if u, err := p.Check(t.Context(), token); !errors.Is(err, ErrInvalidToken) {
			t.Errorf("%s: %+v, %v", name, u, err)
		}
	}
	if _, err := p.Check(t.Context(), good); err != nil {
		t.Errorf("a good token after them: %v", err)
	}
	if n := i.fetches.Load(); n > 4 {
		t.Errorf("the keys were fetched %d times", n)
	}
}

func unsigned(head, body string) string {
	return base64.RawURLEncoding.EncodeToString([]byte(head)) + "." + base64.RawURLEncoding.EncodeToString([]byte(body))
}

// hashed signs a token with a symmetric key, which must be refused.
func hashed(secret []byte, body string) string {
	text := unsigned(`{"alg":"HS256","kid":"a"}`, body)
	sum := hmac.New(sha256.New, secret)
	_, _ = io.WriteString(sum, text)
	return text + "." + base64.RawURLEncoding.EncodeToString(sum.Sum(nil))
}

// TestProviderIsAskedSeldom checks that tokens with made-up keys cause only few requests to the
// provider.
func TestProviderIsAskedSeldom(t *testing.T) {
	i := newIssuer(t)
	p := follow(t, i, ProviderOptions{})
	foreign, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	forged := oidctest.SignIDToken(foreign, "b", oidc.ES256, i.says(nil))
	for range 50 {
		if _, err := p.Check(t.Context(), forged); !errors.Is(err, ErrInvalidToken) {
			t.Fatalf("a forged token: %v", err)
		}
	}
	if n := i.fetches.Load(); n > 4 {
		t.Errorf("the keys were fetched %d times", n)
	}
	if _, err := p.Check(t.Context(), i.token(nil)); err != nil {
		t.Errorf("a good token after them: %v", err)
	}
}

// TestProviderIsDown checks that no token is called invalid while that cannot be checked.
func TestProviderIsDown(t *testing.T) {
	i := newIssuer(t)
	p := follow(t, i, ProviderOptions{})
	i.broken.Store(true)
	if _, err := p.Check(t.Context(), i.token(nil)); !errors.Is(err, ErrCheckUnavailable) {
		t.Errorf("without keys: %v", err)
	}
	i.broken.Store(false)
	if _, err := p.Check(t.Context(), i.token(nil)); err != nil {
		t.Errorf("when it is back: %v", err)
	}

	never := NewProvider(ProviderOptions{Issuer: "http://127.0.0.1:1", Audiences: []string{resource}, Logger: slog.New(slog.NewTextHandler(io.Discard, nil))})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	never.FetchMetadata(ctx)
	if _, err := never.Check(ctx, i.token(nil)); !errors.Is(err, ErrCheckUnavailable) {
		t.Errorf("before it was there: %v", err)
	}
}
