package signin

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"vademecum/internal/base/message"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/time/rate"
)

// ProviderOptions say which tokens of which identity provider are accepted.
type ProviderOptions struct {
	Issuer     string
	Audiences  []string // a token must be issued for one of these
	UserClaim  string   // claim that contains the user's name; "" means sub
	Logger     *slog.Logger
	HTTPClient *http.Client // HTTP client; nil means one with a time limit
}

// Provider checks tokens of an identity provider. It requests nothing but the provider's metadata
// and keys, at a limited rate whatever tokens it is given.
type Provider struct {
	o     ProviderOptions
	ready chan struct{} // closed when the verifier has been set

	mu               sync.Mutex
	verifier         *oidc.IDTokenVerifier
	providerMetadata providerMetadata
}

// providerMetadata is the discovery document of an identity provider.
type providerMetadata struct {
	KeysURL  string   `json:"jwks_uri"`
	AuthURL  string   `json:"authorization_endpoint"`
	TokenURL string   `json:"token_endpoint"`
	Secrets  []string `json:"token_endpoint_auth_methods_supported"`
	keys     oidc.KeySet
}

// algorithms are the signature algorithms that are accepted, all of them with a public key. The
// identity provider may announce others.
var algorithms = []string{
	oidc.RS256, oidc.RS384, oidc.RS512, oidc.PS256, oidc.PS384, oidc.PS512,
	oidc.ES256, oidc.ES384, oidc.ES512, oidc.EdDSA,
}

// Limits of requests to an identity provider.
const (
	fetchLimit  = 10 * time.Second
	fetchEvery  = 10 * time.Second // average interval of requests; three may follow each other at once
	fetchBytes  = 1 << 20
	waitReady   = 2 * time.Second // how long a request waits for a provider that has never responded
	firstPause  = time.Second     // pause between the first attempts to reach the provider
	longestWait = 30 * time.Second
)

// NewProvider returns a Provider, which can check tokens only after FetchMetadata.
func NewProvider(o ProviderOptions) *Provider {
	if o.UserClaim == "" {
		o.UserClaim = "sub"
	}
	if o.HTTPClient == nil {
		o.HTTPClient = &http.Client{Timeout: fetchLimit}
	}
	return &Provider{o: o, ready: make(chan struct{})}
}

// FetchMetadata fetches the metadata of the identity provider. It retries until it succeeds or ctx is done.
func (p *Provider) FetchMetadata(ctx context.Context) {
	for pause := firstPause; ; pause = min(2*pause, longestWait) {
		err := p.discover(ctx)
		if err == nil {
			close(p.ready)
			return
		}
		p.o.Logger.Warn("the identity provider does not answer; it is asked again", "issuer", p.o.Issuer, "error", err)
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
	}
}

// CanAcceptTokens reports whether the metadata of the identity provider has been fetched.
func (p *Provider) CanAcceptTokens() bool {
	select {
	case <-p.ready:
		return true
	default:
		return false
	}
}

// awaitFirstAnswer waits a moment if the identity provider has never responded, and reports whether
// it has by then.
func (p *Provider) awaitFirstAnswer(ctx context.Context) bool {
	select {
	case <-p.ready:
		return true
	case <-time.After(waitReady):
	case <-ctx.Done():
	}
	return false
}

// discover requests the metadata of the identity provider, which contains the URL of its keys.
func (p *Provider) discover(ctx context.Context) error {
	plain := &http.Client{Timeout: p.o.HTTPClient.Timeout, Transport: limitedTransport{p.o.HTTPClient.Transport, nil}}
	provider, err := oidc.NewProvider(oidc.ClientContext(ctx, plain), p.o.Issuer)
	if err != nil {
		return err
	}
	var f providerMetadata
	if err := provider.Claims(&f); err != nil {
		return message.Errorf("read the provider's metadata: %v", err)
	}
	// A token signed by an unknown key makes the verifier fetch the keys again. Forged tokens must
	// not cause requests to the provider at an unlimited rate.
	seldom := &http.Client{Timeout: p.o.HTTPClient.Timeout, Transport: limitedTransport{p.o.HTTPClient.Transport, rate.NewLimiter(rate.Every(fetchEvery), 3)}}
	f.keys = reportingKeySet{oidc.NewRemoteKeySet(oidc.ClientContext(context.WithoutCancel(ctx), seldom), f.KeysURL)}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.providerMetadata = f
	p.verifier = oidc.NewVerifier(p.o.Issuer, f.keys, &oidc.Config{SkipClientIDCheck: true, SupportedSigningAlgs: algorithms})
	return nil
}

// limitedTransport limits the size of responses and, if limit is not nil, the rate of requests.
type limitedTransport struct {
	http.RoundTripper
	limit *rate.Limiter
}

var errOften = message.Errorf("asked too often")

func (b limitedTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	if b.limit != nil && !b.limit.Allow() {
		return nil, errOften
	}
	next := b.RoundTripper
	if next == nil {
		next = http.DefaultTransport
	}
	answer, err := next.RoundTrip(r)
	if err == nil {
		answer.Body = struct {
			io.Reader
			io.Closer
		}{io.LimitReader(answer.Body, fetchBytes), answer.Body}
	}
	return answer, err
}

// reportingKeySet notes in the context if keys could not be fetched, as the verifier reduces that
// error to a text.
type reportingKeySet struct{ oidc.KeySet }

type unfetchedKey struct{}

func (k reportingKeySet) VerifySignature(ctx context.Context, token string) ([]byte, error) {
	payload, err := k.KeySet.VerifySignature(ctx, token)
	if unfetched, ok := ctx.Value(unfetchedKey{}).(*bool); ok && err != nil {
		*unfetched = strings.HasPrefix(err.Error(), "fetching keys") && !errors.Is(err, errOften)
	}
	return payload, err
}

// tokenClaims are the claims of a token, under the names that several identity providers use.
type tokenClaims struct {
	Scope   string          `json:"scope"`
	Scp     stringList      `json:"scp"` // scopes in tokens of Entra and Okta
	Roles   stringList      `json:"roles"`
	Groups  stringList      `json:"groups"`
	Kind    string          `json:"typ"` // type of token, in tokens of Keycloak
	Nonce   json.RawMessage `json:"nonce"`
	AtHash  json.RawMessage `json:"at_hash"`
	Subject string          `json:"sub"`

	Verified json.RawMessage `json:"email_verified"` // a bool, or a string with one
}

// isNotAccessToken reports whether a token is an ID token or a refresh token. Keycloak before 25
// puts the nonce of a sign-in into access tokens as well; their type is Bearer.
func (c *tokenClaims) isNotAccessToken() bool {
	return c.Nonce != nil && c.Kind != "Bearer" || c.AtHash != nil || c.Kind == "ID" || c.Kind == "Refresh"
}

// stringList is a list of strings that JSON may contain as one string with spaces between them.
type stringList []string

func (w *stringList) UnmarshalJSON(b []byte) error {
	var one string
	if json.Unmarshal(b, &one) == nil {
		*w = strings.Fields(one)
		return nil
	}
	var all []string
	if json.Unmarshal(b, &all) == nil { // other types count as empty
		*w = all
	}
	return nil
}

// Check verifies a token and returns its user. The error matches ErrInvalidToken, ErrExpiredToken or
// ErrCheckUnavailable.
func (p *Provider) Check(ctx context.Context, token string) (User, error) {
	if strings.Count(token, ".") != 2 { // not a token of a provider
		return User{}, ErrInvalidToken
	}
	if !p.awaitFirstAnswer(ctx) {
		return User{}, ErrCheckUnavailable
	}
	p.mu.Lock()
	verifier := p.verifier
	p.mu.Unlock()
	var unfetched bool
	verified, err := verifier.Verify(context.WithValue(ctx, unfetchedKey{}, &unfetched), token)
	if unfetched {
		return User{}, ErrCheckUnavailable
	}
	if expired := new(oidc.TokenExpiredError); errors.As(err, &expired) {
		return User{}, ErrExpiredToken
	}
	if err != nil || !p.isMeantFor(verified.Audience) {
		return User{}, ErrInvalidToken // details would help an attacker who forges tokens
	}
	return p.userOf(verified)
}

// isMeantFor reports whether one of the audiences of a token is accepted.
func (p *Provider) isMeantFor(audiences []string) bool {
	return slices.ContainsFunc(audiences, func(a string) bool {
		return slices.ContainsFunc(p.o.Audiences, func(own string) bool { return strings.TrimSuffix(a, "/") == strings.TrimSuffix(own, "/") })
	})
}

// userOf returns the user whom a verified token names.
func (p *Provider) userOf(t *oidc.IDToken) (User, error) {
	var c tokenClaims
	var all map[string]any
	if t.Claims(&c) != nil || t.Claims(&all) != nil || c.Subject == "" {
		return User{}, ErrInvalidToken
	}
	if c.isNotAccessToken() {
		return User{}, message.Errorf("%v: it is not an access token", ErrInvalidToken)
	}
	name, _ := all[p.o.UserClaim].(string)
	if p.o.UserClaim == "email" && strings.Trim(string(c.Verified), `"`) == "false" {
		name = "" // an address that is not verified may be someone else's
	}
	return User{
		ID: t.Issuer + " " + c.Subject, Name: name, Groups: slices.Concat(c.Groups, c.Roles),
		Scopes: slices.Concat(strings.Fields(c.Scope), c.Scp, c.Roles), ExpiresAt: t.Expiry,
	}, nil
}
