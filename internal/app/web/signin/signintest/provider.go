// Package signintest is a fake identity provider for tests, at which browsers sign in.
package signintest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/coreos/go-oidc/v3/oidc/oidctest"
)

// Provider is an identity provider with one client. It signs everyone in as the user u1, and
// refuses what OAuth 2.1 requires it to refuse. Its fields may be changed only before the first
// request.
type Provider struct {
	*httptest.Server
	Client, Secret string // credentials of the client; Secret is "" for a public client
	Callback       string // redirect URI of the client
	Audience       string // audience of access tokens, if the client requests it
	ErrorCode      string // error code of authorization responses; "" for none

	// AccessClaims and IdentityClaims replace claims of access tokens and ID tokens; a nil value omits
	// the claim.
	AccessClaims, IdentityClaims map[string]any

	// ModifyTokenResponse, if not nil, modifies each token response.
	ModifyTokenResponse func(map[string]any)

	keys oidctest.Server
	key  *ecdsa.PrivateKey

	mu    sync.Mutex
	codes map[string]url.Values // parameters of the authorization request for each code
	down  bool
}

// New starts a provider, which stops at the end of the test.
func New(t testing.TB) *Provider {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	p := &Provider{Client: "vademecum-page", Audience: "https://kb.example.com/mcp", key: key, codes: make(map[string]url.Values)}
	p.keys.PublicKeys = []oidctest.PublicKey{{PublicKey: key.Public(), KeyID: "a", Algorithm: oidc.ES256}}
	routes := http.NewServeMux()
	routes.Handle("/", &p.keys)
	routes.HandleFunc("GET /.well-known/openid-configuration", p.serveDiscovery)
	routes.HandleFunc("GET /authorize", p.serveAuthorize)
	routes.HandleFunc("POST /token", p.serveToken)
	p.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if p.isDown() {
			http.Error(w, "down", http.StatusServiceUnavailable)
			return
		}
		routes.ServeHTTP(w, r)
	}))
	p.keys.SetIssuer("http://" + p.Listener.Addr().String()) // before the first request
	p.Start()
	t.Cleanup(p.Close)
	return p
}

// SetDown makes the provider stop responding, or respond again.
func (p *Provider) SetDown(down bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.down = down
}

func (p *Provider) isDown() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.down
}

func (p *Provider) serveDiscovery(w http.ResponseWriter, _ *http.Request) {
	says := map[string]any{
		"issuer": p.URL, "jwks_uri": p.URL + "/keys", "authorization_endpoint": p.URL + "/authorize", "token_endpoint": p.URL + "/token",
		"response_types_supported": []string{"code"}, "subject_types_supported": []string{"public"},
		"id_token_signing_alg_values_supported": []string{oidc.ES256}, "code_challenge_methods_supported": []string{"S256"},
	}
	if p.Secret != "" {
		says["token_endpoint_auth_methods_supported"] = []string{"client_secret_basic"}
	}
	writeJSON(w, http.StatusOK, says)
}

func writeJSON(w http.ResponseWriter, status int, says any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	// fails only if the client has disconnected, which fails its test
	_ = json.NewEncoder(w).Encode(says)
}

// serveAuthorize redirects a browser back with a code, as if its user had signed in already.
func (p *Provider) serveAuthorize(w http.ResponseWriter, r *http.Request) {
	asked := r.URL.Query()
	if asked.Get("client_id") != p.Client || asked.Get("redirect_uri") != p.Callback {
		http.Error(w, "no such client or address: "+asked.Encode(), http.StatusBadRequest)
		return
	}
	back := url.Values{"state": {asked.Get("state")}, "iss": {p.URL}}
	switch {
	case p.ErrorCode != "":
		back.Set("error", p.ErrorCode)
	case asked.Get("response_type") != "code" || asked.Get("code_challenge_method") != "S256" || asked.Get("code_challenge") == "" || asked.Get("state") == "":
		back.Set("error", "invalid_request")
	case !strings.Contains(" "+asked.Get("scope")+" ", " openid "):
		back.Set("error", "invalid_scope")
	default:
		code := "code-" + rand.Text()
		back.Set("code", code)
		p.mu.Lock()
		p.codes[code] = asked
		p.mu.Unlock()
	}
	http.Redirect(w, r, p.Callback+"?"+back.Encode(), http.StatusFound)
}

// serveToken issues tokens for a code that has not been redeemed yet.
func (p *Provider) serveToken(w http.ResponseWriter, r *http.Request) {
	client, secret := r.PostFormValue("client_id"), ""
	if name, word, basic := r.BasicAuth(); basic {
		client = name
		// RFC 6749, section 2.3.1; an invalid encoding gives a wrong secret
		secret, _ = url.QueryUnescape(word)
	}
	code := r.PostFormValue("code")
	p.mu.Lock()
	asked := p.codes[code]
	delete(p.codes, code)
	p.mu.Unlock()
	hash := sha256.Sum256([]byte(r.PostFormValue("code_verifier")))
	switch {
	case client != p.Client || secret != p.Secret:
		writeJSON(w, http.StatusUnauthorized, map[string]any{"error": "invalid_client"})
		return
	case asked == nil || r.PostFormValue("grant_type") != "authorization_code" || r.PostFormValue("redirect_uri") != p.Callback ||
		base64.RawURLEncoding.EncodeToString(hash[:]) != asked.Get("code_challenge"):
		writeJSON(w, http.StatusBadRequest, map[string]any{"error": "invalid_grant", "error_description": "no such code: " + code})
		return
	}
	says := map[string]any{"token_type": "Bearer", "expires_in": 3600, "access_token": p.AccessToken(asked), "id_token": p.identityToken(asked)}
	if p.ModifyTokenResponse != nil {
		p.ModifyTokenResponse(says)
	}
	writeJSON(w, http.StatusOK, says)
}

// AccessToken returns an access token in response to the parameters of a request; it has no
// audience if none was requested.
func (p *Provider) AccessToken(request url.Values) string {
	claims := map[string]any{"scope": request.Get("scope"), "typ": "Bearer", "azp": p.Client}
	if request.Get("resource") == p.Audience || request.Get("audience") == p.Audience {
		claims["aud"] = p.Audience
	}
	return p.sign(claims, p.AccessClaims)
}

func (p *Provider) identityToken(asked url.Values) string {
	return p.sign(map[string]any{"aud": p.Client, "nonce": asked.Get("nonce")}, p.IdentityClaims)
}

func (p *Provider) sign(claims, others map[string]any) string {
	all := map[string]any{"iss": p.URL, "sub": "u1", "exp": time.Now().Add(time.Hour).Unix(), "iat": time.Now().Unix()}
	maps.Copy(all, claims)
	maps.Copy(all, others)
	maps.DeleteFunc(all, func(_ string, v any) bool { return v == nil })
	text, _ := json.Marshal(all) // never fails for the values in tests
	return oidctest.SignIDToken(p.key, "a", oidc.ES256, string(text))
}
