package signin_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"vademecum/internal/app/web/signin"
	"vademecum/internal/app/web/signin/signintest"
)

// desk is a server that signs users in at a provider, and a browser.
type desk struct {
	t        *testing.T
	provider *signintest.Provider
	client   *signin.Client
	checker  *signin.Provider
	said     *bytes.Buffer // the log
}

func newDesk(t *testing.T, change func(*signintest.Provider, *signin.ClientOptions)) *desk {
	t.Helper()
	d := &desk{t: t, provider: signintest.New(t), said: new(bytes.Buffer)}
	d.provider.Callback = "https://kb.example.com/sign-in/callback"
	o := signin.ClientOptions{ID: d.provider.Client, SiteURL: "https://kb.example.com", Scopes: []string{signin.ScopeRead}, ResourceIndicator: d.provider.Audience, CookieKey: signin.NewEncryptionKey()}
	if change != nil {
		change(d.provider, &o)
	}
	log := slog.New(slog.NewTextHandler(d.said, nil))
	d.checker = signin.NewProvider(signin.ProviderOptions{Issuer: d.provider.URL, Audiences: []string{d.provider.Audience}, Logger: log})
	d.checker.FetchMetadata(t.Context())
	d.client = signin.NewClient(d.checker, o)
	return d
}

// goThere requests a URL of the provider like a browser, and returns the parameters of its
// redirect.
func (d *desk) goThere(at string) url.Values {
	d.t.Helper()
	there := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	r, err := http.NewRequestWithContext(d.t.Context(), http.MethodGet, at, nil)
	if err != nil {
		d.t.Fatal(err)
	}
	answer, err := there.Do(r)
	if err != nil {
		d.t.Fatal(err)
	}
	defer answer.Body.Close()
	back, err := answer.Location()
	if err != nil {
		d.t.Fatalf("%s leads nowhere: %s", at, answer.Status)
	}
	return back.Query()
}

// begin begins a sign-in, and returns its cookie and the parameters of the authorization response.
func (d *desk) begin(to string) (kept string, answer url.Values) {
	d.t.Helper()
	begun, err := d.client.BeginSignIn(d.t.Context(), to)
	if err != nil {
		d.t.Fatal(err)
	}
	return begun.Cookie, d.goThere(begun.URL)
}

// TestClient checks sign-ins that succeed: with public clients, with a secret, and with providers
// that know the server under another name.
func TestClient(t *testing.T) {
	for name, change := range map[string]func(*signintest.Provider, *signin.ClientOptions){
		"public": nil,
		"with a secret": func(p *signintest.Provider, o *signin.ClientOptions) {
			p.Secret, o.Secret = "s e+cret", "s e+cret"
		},
		"with an audience": func(p *signintest.Provider, o *signin.ClientOptions) {
			p.Audience, o.ResourceIndicator, o.Audience = "api://kb", "", "api://kb"
		},
		"Keycloak before 25": func(p *signintest.Provider, _ *signin.ClientOptions) {
			p.AccessClaims = map[string]any{"nonce": "of the sign-in"}
		},
	} {
		d := newDesk(t, change)
		kept, answer := d.begin("/doc?path=a.md&at=line%3D1")
		token, to, err := d.client.FinishSignIn(t.Context(), kept, answer)
		if err != nil || to != "/doc?path=a.md&at=line%3D1" {
			t.Fatalf("%s: %q, %v\n%s", name, to, err, d.said)
		}
		u, err := d.checker.Check(t.Context(), token)
		if err != nil || u.ID != d.provider.URL+" u1" || !u.HasScope(signin.ScopeRead) || u.HasScope(signin.ScopeUpdateIndex) {
			t.Errorf("%s: %+v, %v", name, u, err)
		}
		if _, _, err := d.client.FinishSignIn(t.Context(), kept, answer); !errors.Is(err, signin.ErrUnknownSignIn) {
			t.Errorf("%s: a code counts twice: %v", name, err)
		}
	}
}

// TestClientRefuses checks that an authorization response is refused unless the provider gave it to
// this sign-in of this browser, and that the log contains no code.
func TestClientRefuses(t *testing.T) {
	d := newDesk(t, nil)
	kept, answer := d.begin("/library")
	other, another := d.begin("/try")
	with := func(name, value string) url.Values {
		changed := url.Values{}
		for k := range answer {
			changed.Set(k, answer.Get(k))
		}
		changed.Set(name, value)
		return changed
	}
	for name, c := range map[string]struct {
		kept   string
		answer url.Values
		want   error
		to     string
	}{
		"of another browser":     {other, answer, signin.ErrUnknownSignIn, "/try"},
		"for another":            {kept, another, signin.ErrUnknownSignIn, "/library"},
		"of nobody":              {"", answer, signin.ErrUnknownSignIn, ""},
		"forged":                 {kept + "A", answer, signin.ErrUnknownSignIn, ""},
		"cut":                    {kept[:len(kept)-9], answer, signin.ErrUnknownSignIn, ""},
		"without a state":        {kept, with("state", ""), signin.ErrUnknownSignIn, "/library"},
		"without a code":         {kept, with("code", ""), signin.ErrUnknownSignIn, "/library"},
		"of another issuer":      {kept, with("iss", "https://evil.example.com"), signin.ErrUnknownSignIn, "/library"},
		"with a made-up code":    {kept, with("code", "code-made-up"), signin.ErrUnknownSignIn, "/library"},
		"denied":                 {kept, with("error", "access_denied"), signin.ErrSignInDenied, "/library"},
		"denied by a link":       {kept, url.Values{"error": {"access_denied"}}, signin.ErrUnknownSignIn, "/library"},
		"of one that is down":    {kept, with("error", "temporarily_unavailable"), signin.ErrCheckUnavailable, "/library"},
		"of one that refuses it": {kept, with("error", "invalid_scope"), signin.ProviderError{Code: "invalid_scope"}, "/library"},
		"with odd words":         {kept, with("error", "<b>\r\n"+strings.Repeat("x", 100)), signin.ProviderError{Code: "_b___" + strings.Repeat("x", 35)}, "/library"},
	} {
		token, to, err := d.client.FinishSignIn(t.Context(), c.kept, c.answer)
		if token != "" || to != c.to || !errors.Is(err, c.want) {
			t.Errorf("%s: %q, %q, %v", name, token, to, err)
		}
	}
	if token, _, err := d.client.FinishSignIn(t.Context(), kept, answer); err != nil || token == "" {
		t.Errorf("the right one after them: %v", err)
	}
	if strings.Contains(d.said.String(), "code-") || strings.Contains(d.said.String(), answer.Get("state")) {
		t.Errorf("the log has a code or a state:\n%s", d.said)
	}
}

// TestClientChecks checks that tokens for a code are verified, also after a change of keys, and
// that the log says what is wrong.
func TestClientChecks(t *testing.T) {
	other := signintest.New(t)
	for name, c := range map[string]struct {
		change func(*signintest.Provider)
		want   error
		said   string
	}{
		"another nonce":      {func(p *signintest.Provider) { p.IdentityClaims = map[string]any{"nonce": "x"} }, signin.ProviderError{Code: "nonce"}, "of another sign-in"},
		"no nonce":           {func(p *signintest.Provider) { p.IdentityClaims = map[string]any{"nonce": nil} }, signin.ProviderError{Code: "nonce"}, "of another sign-in"},
		"for another client": {func(p *signintest.Provider) { p.IdentityClaims = map[string]any{"aud": "another"} }, signin.ProviderError{Code: "id_token"}, "is not valid"},
		"expired":            {func(p *signintest.Provider) { p.IdentityClaims = map[string]any{"exp": 1} }, signin.ProviderError{Code: "id_token"}, "is not valid"},
		"of another token":   {func(p *signintest.Provider) { p.IdentityClaims = map[string]any{"at_hash": "AAAA"} }, signin.ProviderError{Code: "at_hash"}, "not of the access token"},
		"no ID token":        {func(p *signintest.Provider) { p.ModifyTokenResponse = func(a map[string]any) { delete(a, "id_token") } }, signin.ProviderError{Code: "id_token"}, "is not valid"},
		"no access token": {func(p *signintest.Provider) {
			p.ModifyTokenResponse = func(a map[string]any) { delete(a, "access_token") }
		}, signin.ErrCheckUnavailable, "gives no token"},
		"for another server": {func(p *signintest.Provider) { p.AccessClaims = map[string]any{"aud": "https://other.example.com"} }, signin.ErrInvalidToken, "expected=[https://kb.example.com/mcp]"},
		"an opaque token": {func(p *signintest.Provider) {
			p.ModifyTokenResponse = func(a map[string]any) { a["access_token"] = "opaque" }
		}, signin.ErrInvalidToken, "it is no JWT"},
		"another's token": {func(p *signintest.Provider) {
			p.ModifyTokenResponse = func(a map[string]any) {
				a["access_token"] = other.AccessToken(url.Values{"resource": {other.Audience}})
			}
		}, signin.ErrInvalidToken, "does not count"},
		"the ID token for both": {func(p *signintest.Provider) {
			p.ModifyTokenResponse = func(a map[string]any) { a["access_token"] = a["id_token"] }
		}, signin.ErrInvalidToken, "does not count"},
		"another secret": {func(p *signintest.Provider) { p.Secret = "secret" }, signin.ProviderError{Code: "invalid_client"}, "invalid_client"},
	} {
		d := newDesk(t, func(p *signintest.Provider, _ *signin.ClientOptions) { c.change(p) })
		kept, answer := d.begin("/")
		token, _, err := d.client.FinishSignIn(t.Context(), kept, answer)
		if !errors.Is(err, c.want) || !strings.Contains(d.said.String(), c.said) {
			t.Errorf("%s: %v\n%s", name, err, d.said)
		}
		if strings.Contains(d.said.String(), answer.Get("code")) || token != "" && strings.Contains(d.said.String(), token) {
			t.Errorf("%s: the log has the code or the token:\n%s", name, d.said)
		}
	}
}

// TestClientWithoutProvider checks the error while the provider is unreachable, and that a later
// attempt succeeds.
func TestClientWithoutProvider(t *testing.T) {
	d := newDesk(t, nil)
	kept, answer := d.begin("/library")
	d.provider.SetDown(true)
	if _, to, err := d.client.FinishSignIn(t.Context(), kept, answer); !errors.Is(err, signin.ErrCheckUnavailable) || to != "/library" {
		t.Errorf("%q, %v", to, err)
	}
	d.provider.SetDown(false)
	if _, _, err := d.client.FinishSignIn(t.Context(), kept, answer); err != nil {
		t.Errorf("when it is back: %v", err)
	}
	never := signin.NewClient(signin.NewProvider(signin.ProviderOptions{Issuer: "http://127.0.0.1:1"}), signin.ClientOptions{CookieKey: signin.NewEncryptionKey()})
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if _, err := never.BeginSignIn(ctx, "/"); !errors.Is(err, signin.ErrCheckUnavailable) {
		t.Errorf("before it has answered: %v", err)
	}
}
