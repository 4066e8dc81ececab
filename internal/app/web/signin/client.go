package signin

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"vademecum/internal/base/message"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

// ClientOptions configure a Client.
type ClientOptions struct {
	ID, Secret        string         // credentials of the client; Secret is "" for a public client
	SiteURL           string         // URL of the web pages
	Scopes            []string       // scopes to request in addition to openid
	ResourceIndicator string         // resource indicator to request (RFC 8707); "" for none
	Audience          string         // parameter audience, which Auth0 uses instead; "" for none
	CookieKey         *EncryptionKey // encrypts the cookie with the state of a sign-in
}

// Client signs users of the web pages in at an identity provider, using the authorization code flow
// with PKCE. The result is an access token, like those that MCP clients send.
type Client struct {
	o        ClientOptions
	provider *Provider
}

// NewClient returns a Client of an identity provider.
func NewClient(p *Provider, o ClientOptions) *Client { return &Client{o, p} }

// PathCallback is the path of the redirect URI.
const PathCallback = "/sign-in/callback"

// SiteURL returns the URL of the web pages, to which the redirect URI belongs.
func (c *Client) SiteURL() string { return c.o.SiteURL }

// signInFlow is the state of a pending sign-in. It is stored in an encrypted cookie, so that only
// the browser that began the sign-in can finish it.
type signInFlow struct {
	State    string    `json:"state"`
	Nonce    string    `json:"nonce"`
	Verifier string    `json:"verifier"`
	To       string    `json:"to"`
	Begun    time.Time `json:"begun"`
}

const (
	forFlow = "vademecum sign-in 1"

	// FlowTimeout is how long a user may take to sign in at the identity provider.
	FlowTimeout = 10 * time.Minute
)

// Errors of FinishSignIn in addition to those of a Checker and ProviderError.
var (
	ErrSignInDenied  = message.Errorf("the sign-in was cancelled at the identity provider")
	ErrUnknownSignIn = message.Errorf("this sign-in was not started in this browser, or it is too old")
)

// ProviderError is an error response of the identity provider. Usually the client is registered
// there with other settings.
type ProviderError struct{ Code string }

func (e ProviderError) Error() string {
	return fmt.Sprintf("the identity provider refuses the sign-in (%s)", e.Code)
}

// StartedSignIn is the result of BeginSignIn.
type StartedSignIn struct {
	URL    string // URL of the authorization request, to which the browser is redirected
	State  string // parameter state that the authorization response will have
	Cookie string // value of the cookie to be set
}

// BeginSignIn begins a sign-in. returnTo is the path of the page to show after it.
func (c *Client) BeginSignIn(ctx context.Context, returnTo string) (StartedSignIn, error) {
	if !c.provider.awaitFirstAnswer(ctx) {
		return StartedSignIn{}, ErrCheckUnavailable
	}
	f := signInFlow{rand.Text(), rand.Text(), oauth2.GenerateVerifier(), returnTo, time.Now()}
	text, err := json.Marshal(f)
	if err != nil {
		return StartedSignIn{}, err
	}
	config, _ := c.oauthConfig()
	options := append(c.audienceOptions(), oauth2.S256ChallengeOption(f.Verifier), oidc.Nonce(f.Nonce))
	return StartedSignIn{config.AuthCodeURL(f.State, options...), f.State, c.o.CookieKey.seal(forFlow, string(text))}, nil
}

// oauthConfig returns the configuration for the identity provider according to its metadata, and
// its keys.
func (c *Client) oauthConfig() (*oauth2.Config, oidc.KeySet) {
	c.provider.mu.Lock()
	f := c.provider.providerMetadata
	c.provider.mu.Unlock()
	style := oauth2.AuthStyleInParams
	if c.o.Secret != "" && (len(f.Secrets) == 0 || slices.Contains(f.Secrets, "client_secret_basic")) {
		style = oauth2.AuthStyleInHeader
	}
	return &oauth2.Config{
		ClientID: c.o.ID, ClientSecret: c.o.Secret, RedirectURL: c.o.SiteURL + PathCallback,
		Scopes:   append([]string{oidc.ScopeOpenID}, c.o.Scopes...),
		Endpoint: oauth2.Endpoint{AuthURL: f.AuthURL, TokenURL: f.TokenURL, AuthStyle: style},
	}, f.keys
}

// audienceOptions returns the parameters by which the audience of the access token is requested.
func (c *Client) audienceOptions() (options []oauth2.AuthCodeOption) {
	for name, value := range map[string]string{"resource": c.o.ResourceIndicator, "audience": c.o.Audience} {
		if value != "" {
			options = append(options, oauth2.SetAuthURLParam(name, value))
		}
	}
	return options
}

// FinishSignIn finishes a sign-in, given the value of its cookie and the parameters of the
// authorization response. It returns the access token of the user, and the path of the page to
// show. With an error it still returns the path, unless the cookie is missing.
func (c *Client) FinishSignIn(ctx context.Context, sealedFlow string, answer url.Values) (token, returnTo string, err error) {
	f, ok := c.openFlow(sealedFlow)
	if !ok {
		return "", "", ErrUnknownSignIn
	}
	if err := c.checkAnswer(f, answer); err != nil {
		return "", f.To, err
	}
	if !c.provider.awaitFirstAnswer(ctx) {
		return "", f.To, ErrCheckUnavailable
	}
	token, err = c.exchangeCode(ctx, f, answer.Get("code"))
	if err == nil {
		err = c.logUnusableToken(ctx, token)
	}
	return token, f.To, err
}

// logUnusableToken logs why the access token of a sign-in is not accepted, and returns the error
// for the user.
func (c *Client) logUnusableToken(ctx context.Context, token string) error {
	_, err := c.provider.Check(ctx, token)
	if !errors.Is(err, ErrInvalidToken) {
		return err
	}
	p := c.provider.o
	if meant, ok := unverifiedAudiences(token); ok {
		p.Logger.Warn("the access token that a sign-in of the page got does not count", "issuer", p.Issuer, "error", err, "meant_for", meant, "expected", p.Audiences)
		return err
	}
	p.Logger.Warn("the access token that a sign-in of the page got does not count: it is no JWT, which the provider may give only for an API of its own", "issuer", p.Issuer)
	return err
}

// unverifiedAudiences returns the audiences in a token that was not verified, for the log.
func unverifiedAudiences(token string) (audiences stringList, ok bool) {
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return nil, false
	}
	var says struct {
		Audience stringList `json:"aud"`
	}
	text, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil || json.Unmarshal(text, &says) != nil {
		return nil, false
	}
	return says.Audience, true
}

func (c *Client) openFlow(sealed string) (f signInFlow, ok bool) {
	text, err := c.o.CookieKey.open(forFlow, sealed)
	return f, err == nil && json.Unmarshal([]byte(text), &f) == nil && time.Since(f.Begun) <= FlowTimeout
}

// checkAnswer returns an error if the authorization response to a sign-in is not a successful one.
// It trusts an error in the response only if the state is right, as anyone can make a link with
// another.
func (c *Client) checkAnswer(f signInFlow, answer url.Values) error {
	issuer := answer.Get("iss") // RFC 9207
	if subtle.ConstantTimeCompare([]byte(answer.Get("state")), []byte(f.State)) != 1 || issuer != "" && issuer != c.provider.o.Issuer {
		return ErrUnknownSignIn
	}
	switch code := answer.Get("error"); {
	case code == "access_denied":
		return ErrSignInDenied
	case code == "temporarily_unavailable" || code == "server_error":
		return ErrCheckUnavailable
	case code != "":
		return c.logRefusal(code, answer.Get("error_description"))
	case answer.Get("code") == "":
		return ErrUnknownSignIn
	}
	return nil
}

// logRefusal logs an error of the identity provider that only the operator can fix, and returns one
// for the user.
func (c *Client) logRefusal(code, why string) error {
	code = strings.Map(func(r rune) rune {
		if r < 'a' || r > 'z' {
			r = '_'
		}
		return r
	}, code[:min(len(code), 40)])
	c.provider.o.Logger.Warn("the identity provider refuses sign-ins of the page", "issuer", c.provider.o.Issuer, "error", code, "description", why[:min(len(why), 300)])
	return ProviderError{code}
}

// exchangeCode redeems an authorization code for an access token.
func (c *Client) exchangeCode(ctx context.Context, f signInFlow, code string) (string, error) {
	config, keys := c.oauthConfig()
	ctx = oidc.ClientContext(ctx, c.noRedirectClient())
	got, err := config.Exchange(ctx, code, append(c.audienceOptions(), oauth2.VerifierOption(f.Verifier))...)
	if refused := new(oauth2.RetrieveError); errors.As(err, &refused) {
		return "", c.exchangeError(refused)
	}
	if err != nil {
		c.provider.o.Logger.Warn("the identity provider gives no token to the page", "issuer", c.provider.o.Issuer, "error", err)
		return "", ErrCheckUnavailable
	}
	if err := c.checkIdentity(ctx, keys, f, got); err != nil {
		return "", err
	}
	return got.AccessToken, nil
}

// noRedirectClient returns an HTTP client that follows no redirects, as a code must be sent only to
// the identity provider.
func (c *Client) noRedirectClient() *http.Client {
	of := c.provider.o.HTTPClient
	return &http.Client{
		Timeout: of.Timeout, Transport: limitedTransport{of.Transport, nil},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// exchangeError returns the error for a code that the identity provider has not accepted. It does
// not log the provider's description, which may contain the code.
func (c *Client) exchangeError(why *oauth2.RetrieveError) error {
	switch {
	case why.ErrorCode == "invalid_grant":
		return ErrUnknownSignIn
	case why.ErrorCode != "":
		return c.logRefusal(why.ErrorCode, "")
	case why.Response.StatusCode >= http.StatusInternalServerError:
		return ErrCheckUnavailable
	}
	return c.logRefusal("status", why.Response.Status)
}

// checkIdentity checks the ID token in the response got: it must have the nonce of the sign-in, and
// a hash of the access token in it must match.
func (c *Client) checkIdentity(ctx context.Context, keys oidc.KeySet, f signInFlow, got *oauth2.Token) error {
	text, _ := got.Extra("id_token").(string)
	verifier := oidc.NewVerifier(c.provider.o.Issuer, keys, &oidc.Config{ClientID: c.o.ID, SupportedSigningAlgs: algorithms})
	var unfetched bool
	identity, err := verifier.Verify(context.WithValue(ctx, unfetchedKey{}, &unfetched), text)
	switch {
	case unfetched:
		return ErrCheckUnavailable
	case err != nil:
		return c.logRefusal("id_token", "its ID token is not valid: "+err.Error())
	case subtle.ConstantTimeCompare([]byte(identity.Nonce), []byte(f.Nonce)) != 1:
		return c.logRefusal("nonce", "its ID token is of another sign-in")
	case identity.AccessTokenHash != "" && identity.VerifyAccessToken(got.AccessToken) != nil:
		return c.logRefusal("at_hash", "its ID token is not of the access token")
	}
	return nil
}
