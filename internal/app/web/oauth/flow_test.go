package oauth_test

import (
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"vademecum/internal/app/web"
	"vademecum/internal/app/web/oauth"
	"vademecum/internal/app/web/signin"
)

// TestFlow checks all steps from the registration of a client to its access, and that tokens
// differ.
func TestFlow(t *testing.T) {
	s := newServer(t)
	c, p := s.register(callback), s.signedIn(s.alice)
	page := p.asked(c.asking())
	for _, want := range []string{"calls itself Claude wants", "claude.example", "<li>notes</li>", "alice", "add its own texts", time.Now().Add(365 * 24 * time.Hour).Format(time.DateOnly)} {
		if !strings.Contains(page.body, want) {
			t.Errorf("the page does not say %q:\n%s", want, page.body)
		}
	}
	for what, page := range map[string]answer{"the page": page, "a refusal": p.asked(c.asking("client_id", "x"))} {
		if strings.Contains(page.body, "<script") { // the page's policy would block scripts
			t.Errorf("%s has a script", what)
		}
	}
	back := p.allow(c.asking())
	if back.Get("state") != "s&1" || back.Get("iss") != s.public || back.Get("code") == "" {
		t.Errorf("the client is told %v", back)
	}
	got := c.redeem(back.Get("code"))
	if got.field("token_type") != "Bearer" || got.field("scope") != "read index" || !strings.Contains(got.body, `"expires_in":3600`) || got.header.Get("Cache-Control") != "no-store" {
		t.Errorf("it gets %s", got.body)
	}
	if s.asks(got.field("access_token")) != http.StatusOK {
		t.Error("its token does not count")
	}
	refused := p.says("refuse", p.question(c.asking()))
	if to, err := url.Parse(refused.header.Get("Location")); err != nil || to.Query().Get("error") != "access_denied" || to.Query().Get("iss") != s.public || to.Query().Get("state") != "s&1" {
		t.Errorf("who refuses is sent to %s", refused.header.Get("Location"))
	}
	if s.said("access granted") != 1 {
		t.Error("the log does not say so once")
	}
}

// metadataClient returns a client with a metadata document on a site, which may change.
func (s *server) metadataClient(p *site) *client {
	s.fetch = &http.Client{Transport: p}
	return s.client("https://claude.example/oauth/client.json", callback)
}

// site answers requests to all addresses.
type site struct {
	redirect, name string
	asked          int
}

func (p *site) RoundTrip(r *http.Request) (*http.Response, error) {
	p.asked++
	text := fmt.Sprintf(`{"client_id":%q,"client_name":%q,"redirect_uris":[%q]}`, r.URL.String(), p.name, p.redirect)
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(text))}, nil
}

// TestMetadataDocument checks that a metadata document is fetched only for users who have signed
// in, that a change of it does not affect a pending consent, and that a new redirect URI counts
// once the cache has expired.
func TestMetadataDocument(t *testing.T) {
	p := &site{callback, "Claude", 0}
	var c *client
	s := newServer(t, func(s *server, _ *web.Options) { c = s.metadataClient(p) })
	s.visitor().asked(c.asking())
	if p.asked != 0 {
		t.Error("a stranger has a document fetched")
	}
	alice := s.signedIn(s.alice)
	question := alice.question(c.asking())
	if page := alice.asked(c.asking()); !strings.Contains(page.body, "Described by</dt><dd>claude.example") {
		t.Errorf("the page does not say whose it is:\n%s", page.body)
	}
	c.let(alice)
	if p.asked != 1 {
		t.Errorf("fetched %d times", p.asked)
	}
	p.redirect, p.name = "https://evil.example/cb", "Other"
	s.turnClock(6 * time.Minute)
	if got := alice.says("allow", question); !strings.HasPrefix(got.header.Get("Location"), callback+"?") {
		t.Errorf("who agrees is sent to %q", got.header.Get("Location"))
	}
	if got := alice.asked(c.asking()); got.status != http.StatusBadRequest {
		t.Errorf("an address that it has no more: %d", got.status)
	}
	if got := alice.asked(c.asking("redirect_uri", p.redirect)); !strings.Contains(got.body, "evil.example") || !strings.Contains(got.body, "calls itself Other") {
		t.Errorf("one that it has now: %d", got.status)
	}
}

// TestRefusedBeforeSignIn checks that a request that is refused for everyone is refused before
// sign-in, and that no document is fetched before.
func TestRefusedBeforeSignIn(t *testing.T) {
	s := newServer(t)
	c := s.register(callback)
	for name, q := range map[string]url.Values{
		"an unknown client":                 c.asking("client_id", "unknown"),
		"no client":                         c.asking("client_id", ""),
		"an address that is not registered": c.asking("redirect_uri", "https://evil.example/cb"),
	} {
		got := s.visitor().asked(q)
		if got.status != http.StatusBadRequest || got.header.Get("Location") != "" || !strings.Contains(got.body, "does not know the program, or not with this address") || strings.Contains(got.body, `href="https://evil.example`) || strings.Contains(got.body, "Sign out") {
			t.Errorf("%s: %d %v\n%s", name, got.status, got.header, got.body)
		}
	}
	for name, q := range map[string]url.Values{
		"a request":                c.asking(),
		"a client with a document": c.asking("client_id", "https://client.example/client.json"),
	} {
		if got := s.visitor().asked(q); got.status != http.StatusSeeOther || !strings.HasPrefix(got.header.Get("Location"), "/sign-in") {
			t.Errorf("%s: %d %v", name, got.status, got.header)
		}
	}
}

// TestChinese checks that the consent page is in the language of the browser.
func TestChinese(t *testing.T) {
	s := newServer(t)
	c, p := s.register(callback), s.signedIn(s.alice)
	for q, want := range map[string]string{"": "一个自称 Claude 的程序", "token": "程序要求的不是授权码"} {
		r := p.request(http.MethodGet, oauth.PathAuthorize+"?"+c.asking("response_type", map[bool]string{true: "code", false: q}[q == ""]).Encode(), "", "")
		if page := p.send(p.browser, r, "Accept-Language", "zh-CN"); !strings.Contains(page.body, want) {
			t.Errorf("the page does not say %q:\n%s", want, page.body)
		}
	}
}

// TestClocks checks that wrong clocks extend no lifetime and end no grant.
func TestClocks(t *testing.T) {
	const day = 24 * time.Hour
	s := newServer(t)
	c, p := s.register(callback), s.signedIn(s.alice)
	code := p.allow(c.asking()).Get("code")
	s.turnClock(2 * time.Minute)
	c.redeem(code).wantRefused(t, "an old code", "invalid_grant")
	s.turnClock(-time.Hour)
	c.redeem(code).wantRefused(t, "a code of the future", "invalid_grant")
	s.turnClock(0)
	got := c.let(p)
	for _, d := range []time.Duration{61 * time.Minute, -time.Hour, -10 * 365 * day} {
		s.turnClock(d)
		if s.asks(got.field("access_token")) != http.StatusUnauthorized {
			t.Errorf("an access token counts %v away", d)
		}
	}
	got = c.refresh(got.field("refresh_token"))
	if got.status != http.StatusOK || s.asks(got.field("access_token")) != http.StatusOK {
		t.Fatalf("when the clock was set back: %s", got.body)
	}
	s.turnClock(day)
	got = c.refresh(got.field("refresh_token"))
	if got.status != http.StatusOK {
		t.Fatalf("when it was right again: %s", got.body)
	}
	s.turnClock(32 * day)
	c.refresh(got.field("refresh_token")).wantRefused(t, "after a month", "invalid_grant")
	for at := day; at < 364*day; at += 25 * day {
		s.turnClock(at)
		next := c.refresh(got.field("refresh_token"))
		if next.status != http.StatusOK {
			t.Fatalf("after %v: %s", at, next.body)
		}
		got = next
	}
	s.turnClock(365*day - 10*time.Minute)
	last := c.refresh(got.field("refresh_token"))
	s.turnClock(365*day - time.Minute)
	if s.asks(last.field("access_token")) != http.StatusOK {
		t.Errorf("the last access token: %s", last.body)
	}
	got = last
	s.turnClock(365*day + time.Minute)
	if s.asks(got.field("access_token")) != http.StatusUnauthorized {
		t.Error("an access token outlasts what was agreed to")
	}
	s.turnClock(366 * day)
	c.refresh(got.field("refresh_token")).wantRefused(t, "after a year", "invalid_grant")
}

// TestScopes checks that a grant has only scopes that the user has, and tokens only those of the
// grant.
func TestScopes(t *testing.T) {
	s := newServer(t)
	c, alice, bob := s.register(callback), s.signedIn(s.alice), s.signedIn(s.bob)
	for _, one := range []struct {
		who       *person
		asks, has string
	}{{alice, "read", "read"}, {alice, "", "read"}, {alice, "index", "index"}, {alice, "read index offline_access", "read index"}, {alice, "claudeai", "read"}, {alice, "metrics", "read"}, {bob, "read index", "read"}, {bob, "index", "read"}} {
		got := c.redeem(one.who.allow(c.asking("scope", one.asks)).Get("code"))
		if got.field("scope") != one.has {
			t.Errorf("who asks for %q has %q: %s", one.asks, one.has, got.body)
		}
	}
	got := c.redeem(alice.allow(c.asking("scope", "read")).Get("code"))
	c.refresh(got.field("refresh_token"), "scope", "index").wantRefused(t, "more", "invalid_scope")
	both := c.redeem(alice.allow(c.asking()).Get("code"))
	less := c.refresh(both.field("refresh_token"), "scope", "read")
	if less.field("scope") != "read" || c.refresh(less.field("refresh_token")).field("scope") != "read index" {
		t.Errorf("less for once: %s", less.body)
	}
}

// TestRevoked checks that revoking a user's token ends the grants made with it at once, and that a
// client can revoke its own.
func TestRevoked(t *testing.T) {
	s := newServer(t)
	c, alice, bob := s.register(callback), s.signedIn(s.alice), s.signedIn(s.bob)
	one, own, other := c.let(alice), c.let(alice), c.let(bob)
	for _, token := range []string{own.field("refresh_token"), "vdm_refresh_x", ""} {
		if got := c.post("/revoke", url.Values{"token": {token}, "client_id": {c.id}}); got.status != http.StatusOK {
			t.Errorf("revoke: %d %s", got.status, got.body)
		}
	}
	if s.asks(own.field("access_token")) != http.StatusUnauthorized {
		t.Error("what a client has ended goes on")
	}
	entries, _, err := signin.ReadTokenEntries(s.tokens)
	must(t, err)
	must(t, signin.RevokeTokens(s.tokens, entries[:1]))
	if s.asks(one.field("access_token")) != http.StatusUnauthorized || s.asks(other.field("access_token")) != http.StatusOK {
		t.Error("not those of the token alone have ended")
	}
	c.refresh(one.field("refresh_token")).wantRefused(t, "after that", "invalid_grant")
	c.refresh(other.field("refresh_token"))
}

// TestWithoutSignIn checks that a server without --sign-in has none of the endpoints.
func TestWithoutSignIn(t *testing.T) {
	s := newServer(t)
	s.Server = web.New(web.Options{AllowedHosts: s.names(), Authenticator: &signin.Authenticator{Checkers: []signin.Checker{signin.NewLocalSignIn(signin.User{})}}, Logger: slog.New(slog.DiscardHandler)})
	for _, path := range []string{"/authorize", "/token", "/register", "/revoke", "/.well-known/oauth-authorization-server", "/.well-known/openid-configuration", "/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp"} {
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			if got := s.send(http.DefaultClient, s.request(method, path, asForm, "")); got.status != http.StatusNotFound && got.status != http.StatusMethodNotAllowed {
				t.Errorf("%s %s: %d", method, path, got.status)
			}
		}
	}
}

// TestMetadata checks that the metadata is found under all paths where clients look.
func TestMetadata(t *testing.T) {
	s := newServer(t, func(s *server, _ *web.Options) { s.public = s.url + "/kb" })
	for _, path := range []string{"/.well-known/oauth-authorization-server", "/.well-known/oauth-authorization-server/kb", "/.well-known/oauth-authorization-server/kb/mcp", "/.well-known/openid-configuration", "/.well-known/openid-configuration/kb", "/kb/.well-known/openid-configuration", "/kb/.well-known/oauth-authorization-server/", "/.well-known/oauth-authorization-server/mcp"} {
		got := s.send(http.DefaultClient, s.request(http.MethodGet, path, "", ""))
		if got.field("issuer") != s.public || got.field("token_endpoint") != s.public+"/token" || got.field("authorization_endpoint") != s.public+"/authorize" || got.header.Get("Access-Control-Allow-Origin") != "*" {
			t.Errorf("%s: %d %s", path, got.status, got.body)
		}
	}
	if got := s.send(http.DefaultClient, s.request(http.MethodGet, "/.well-known/oauth-authorization-server/evil", "", "")); got.status != http.StatusNotFound {
		t.Errorf("another path: %d", got.status)
	}
	got := s.send(http.DefaultClient, s.request(http.MethodGet, "/.well-known/oauth-protected-resource/kb/mcp", "", ""))
	if got.field("resource") != s.public+"/mcp" || !strings.Contains(got.body, `"authorization_servers":["`+s.public+`"]`) {
		t.Errorf("the resource: %s", got.body)
	}
}
