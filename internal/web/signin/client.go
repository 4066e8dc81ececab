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

	"vademecum/internal/message"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

// ClientOptions say as which client of a provider the pages send browsers to it.
type ClientOptions struct {
	ID, Secret string   // the secret is "" for a public client
	Site       string   // the URL of the pages
	Scopes     []string // asked for beside openid
	Resource   string   // what the token is to be for (RFC 8707), "" where the provider is not told so
	Audience   string   // the same, as Auth0 is told it
	Key        *Key     // seals what a browser keeps meanwhile
}

// Client has people sign in at a provider with their browser: by the authorization
// code flow with PKCE. What comes of it is a token like those that programs send.
type Client struct {
	o        ClientOptions
	provider *Provider
}

// NewClient makes a Client of a provider.
func NewClient(p *Provider, o ClientOptions) *Client { return &Client{o, p} }

// PathAnswer is where the provider sends browsers back to, below the site.
const PathAnswer = "/sign-in/callback"

// RedirectSite is the URL of the pages by which people are sent back.
func (c *Client) RedirectSite() string { return c.o.Site }

// signInFlow is a sign-in that has begun. The browser that began it keeps it, sealed: no
// other can end it.
type signInFlow struct {
	State    string    `json:"state"`
	Nonce    string    `json:"nonce"`
	Verifier string    `json:"verifier"`
	To       string    `json:"to"`
	Begun    time.Time `json:"begun"`
}

const (
	forFlow = "vademecum sign-in 1"

	// FlowLasts is how long people have to sign in at the provider.
	FlowLasts = 10 * time.Minute
)

// Errors of Finish beside those of a Checker. A provider that refuses is a
// ProviderError.
var (
	ErrDenied = message.Errorf("the sign-in was broken off at the provider of identities", "登录在身份提供方处中断")
	ErrFlow   = message.Errorf("this sign-in was not begun by this browser, or it is too old", "此次登录不是由这个浏览器开始的，或已过期")
)

// ProviderError is how a provider refuses a sign-in: mostly as it knows the client by
// other settings.
type ProviderError struct{ Code string }

func (e ProviderError) Error() string {
	return fmt.Sprintf("the provider of identities refuses the sign-in (%s)", e.Code)
}

// StartedSignIn is a sign-in that has begun.
type StartedSignIn struct {
	URL   string // of the provider, to which the browser is sent
	State string // what it says when it is sent back
	Kept  string // what it is to keep until then
}

// BeginSignIn begins a sign-in of a browser, which goes on to a page of this server then.
func (c *Client) BeginSignIn(ctx context.Context, to string) (StartedSignIn, error) {
	if !c.provider.awaitFirstAnswer(ctx) {
		return StartedSignIn{}, ErrUnavailable
	}
	f := signInFlow{rand.Text(), rand.Text(), oauth2.GenerateVerifier(), to, time.Now()}
	text, err := json.Marshal(f)
	if err != nil {
		return StartedSignIn{}, err
	}
	config, _ := c.oauthConfig()
	options := append(c.audienceOptions(), oauth2.S256ChallengeOption(f.Verifier), oidc.Nonce(f.Nonce))
	return StartedSignIn{config.AuthCodeURL(f.State, options...), f.State, c.o.Key.seal(forFlow, string(text))}, nil
}

// oauthConfig is for what the provider has said of itself.
func (c *Client) oauthConfig() (*oauth2.Config, oidc.KeySet) {
	c.provider.mu.Lock()
	f := c.provider.providerMetadata
	c.provider.mu.Unlock()
	style := oauth2.AuthStyleInParams
	if c.o.Secret != "" && (len(f.Secrets) == 0 || slices.Contains(f.Secrets, "client_secret_basic")) {
		style = oauth2.AuthStyleInHeader
	}
	return &oauth2.Config{
		ClientID: c.o.ID, ClientSecret: c.o.Secret, RedirectURL: c.o.Site + PathAnswer,
		Scopes:   append([]string{oidc.ScopeOpenID}, c.o.Scopes...),
		Endpoint: oauth2.Endpoint{AuthURL: f.AuthURL, TokenURL: f.TokenURL, AuthStyle: style},
	}, f.keys
}

// audienceOptions says what the token is to be for.
func (c *Client) audienceOptions() (options []oauth2.AuthCodeOption) {
	for name, value := range map[string]string{"resource": c.o.Resource, "audience": c.o.Audience} {
		if value != "" {
			options = append(options, oauth2.SetAuthURLParam(name, value))
		}
	}
	return options
}

// FinishSignIn takes what a browser has kept and what the provider has it say, and returns
// the token that the browser signs in with, and where it goes on. That is known when
// there is an error, too, unless the browser has kept nothing.
func (c *Client) FinishSignIn(ctx context.Context, sealedFlow string, answer url.Values) (token, to string, err error) {
	f, ok := c.openFlow(sealedFlow)
	if !ok {
		return "", "", ErrFlow
	}
	if err := c.checkAnswer(f, answer); err != nil {
		return "", f.To, err
	}
	if !c.provider.awaitFirstAnswer(ctx) {
		return "", f.To, ErrUnavailable
	}
	token, err = c.exchangeCode(ctx, f, answer.Get("code"))
	if err == nil {
		err = c.logUnusableToken(ctx, token)
	}
	return token, f.To, err
}

// logUnusableToken tells the operator why the token of a sign-in does not count.
func (c *Client) logUnusableToken(ctx context.Context, token string) error {
	_, err := c.provider.Check(ctx, token)
	if !errors.Is(err, ErrInvalid) {
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

// unverifiedAudiences returns the audiences of a token that nobody has verified, for the log.
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
	text, err := c.o.Key.open(forFlow, sealed)
	return f, err == nil && json.Unmarshal([]byte(text), &f) == nil && time.Since(f.Begun) <= FlowLasts
}

// checkAnswer tells whether a provider answers to a sign-in, and lets somebody in. What
// it says counts only when it belongs to that sign-in: anyone can make links.
func (c *Client) checkAnswer(f signInFlow, answer url.Values) error {
	issuer := answer.Get("iss") // RFC 9207
	if subtle.ConstantTimeCompare([]byte(answer.Get("state")), []byte(f.State)) != 1 || issuer != "" && issuer != c.provider.o.Issuer {
		return ErrFlow
	}
	switch code := answer.Get("error"); {
	case code == "access_denied":
		return ErrDenied
	case code == "temporarily_unavailable" || code == "server_error":
		return ErrUnavailable
	case code != "":
		return c.logRefusal(code, answer.Get("error_description"))
	case answer.Get("code") == "":
		return ErrFlow
	}
	return nil
}

// logRefusal tells the operator what is wrong, for those who sign in cannot mend it.
func (c *Client) logRefusal(code, why string) error {
	code = strings.Map(func(r rune) rune {
		if r < 'a' || r > 'z' {
			r = '_'
		}
		return r
	}, code[:min(len(code), 40)])
	c.provider.o.Logger.Warn("the provider of identities refuses sign-ins of the page", "issuer", c.provider.o.Issuer, "error", code, "description", why[:min(len(why), 300)])
	return ProviderError{code}
}

// exchangeCode gets the token for a code.
func (c *Client) exchangeCode(ctx context.Context, f signInFlow, code string) (string, error) {
	config, keys := c.oauthConfig()
	ctx = oidc.ClientContext(ctx, c.noRedirectClient())
	got, err := config.Exchange(ctx, code, append(c.audienceOptions(), oauth2.VerifierOption(f.Verifier))...)
	if refused := new(oauth2.RetrieveError); errors.As(err, &refused) {
		return "", c.exchangeError(refused)
	}
	if err != nil {
		c.provider.o.Logger.Warn("the provider of identities gives no token to the page", "issuer", c.provider.o.Issuer, "error", err)
		return "", ErrUnavailable
	}
	if err := c.checkIdentity(ctx, keys, f, got); err != nil {
		return "", err
	}
	return got.AccessToken, nil
}

// noRedirectClient asks the provider itself: who redirects a code would have it sent elsewhere.
func (c *Client) noRedirectClient() *http.Client {
	of := c.provider.o.Client
	return &http.Client{
		Timeout: of.Timeout, Transport: limitedTransport{of.Transport, nil},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// exchangeError tells why a provider gives no token. A code that has expired or was used
// is nobody's fault. What it describes may have the code in it.
func (c *Client) exchangeError(why *oauth2.RetrieveError) error {
	switch {
	case why.ErrorCode == "invalid_grant":
		return ErrFlow
	case why.ErrorCode != "":
		return c.logRefusal(why.ErrorCode, "")
	case why.Response.StatusCode >= http.StatusInternalServerError:
		return ErrUnavailable
	}
	return c.logRefusal("status", why.Response.Status)
}

// checkIdentity checks the ID token: it has to be of this sign-in, and the access token
// beside it the one that it came with.
func (c *Client) checkIdentity(ctx context.Context, keys oidc.KeySet, f signInFlow, got *oauth2.Token) error {
	text, _ := got.Extra("id_token").(string)
	verifier := oidc.NewVerifier(c.provider.o.Issuer, keys, &oidc.Config{ClientID: c.o.ID, SupportedSigningAlgs: algorithms})
	var unfetched bool
	identity, err := verifier.Verify(context.WithValue(ctx, unfetchedKey{}, &unfetched), text)
	switch {
	case unfetched:
		return ErrUnavailable
	case err != nil:
		return c.logRefusal("id_token", "its ID token is not valid: "+err.Error())
	case subtle.ConstantTimeCompare([]byte(identity.Nonce), []byte(f.Nonce)) != 1:
		return c.logRefusal("nonce", "its ID token is of another sign-in")
	case identity.AccessTokenHash != "" && identity.VerifyAccessToken(got.AccessToken) != nil:
		return c.logRefusal("at_hash", "its ID token is not of the access token")
	}
	return nil
}
