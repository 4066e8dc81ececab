package oauth_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"

	"vademecum/internal/app/web"
)

// TestRegistrations checks which registrations are refused, and why.
func TestRegistrations(t *testing.T) {
	s := newServer(t)
	p := s.signedIn(s.alice)
	refused := map[string]string{
		"no JSON": `{`, "a list": `[]`, "nothing": `{}`, "no address": `{"redirect_uris":[]}`, "another kind": `{"redirect_uris":["https://a.example/"],"grant_types":["client_credentials"]}`,
		"implicit": `{"redirect_uris":["https://a.example/"],"response_types":["token"]}`,
		"many":     `{"redirect_uris":["https://a.example/"` + strings.Repeat(`,"https://a.example/"`, 10) + `]}`,
		"large":    `{"redirect_uris":["https://a.example/"],"client_name":"` + strings.Repeat("x", 20_000) + `"}`,
	}
	for _, uri := range []string{
		"javascript:alert(1)", "JavaScript:alert(1)", "javascript://a.example/%0aalert(1)", "data:text/html,x", "data://x/y", "file:///etc/passwd", "vbscript:x", "vbscript://a.example/x", "file://a.example/x", "about:blank", "steam://run/1", "shell://x", "zoommtg://x/y", "cursors://x/y", "x:/cb", "1com.example:/cb", ".:/cb", "blob:https://a.example/x", "intent://x#Intent;end", "ms-msdt:/id", "search-ms://x",
		"http://a.example/cb", "http://10.0.0.1/cb", "ftp://a.example/", "ws://a.example/", "https://a.example/#x", "https://u:p@a.example/", "https://", "https:///cb", "//a.example/cb", "/cb", "", "cb", "mailto:a@b.example",
		"https://a.example;script-src/cb", "https://a.example/ x", "https://a.example/\u00e4", "https://a.example/\\n", `https://a.example/"`, "https://a.example\\@b.example/", "https://*.example/cb", "https://a.example/" + strings.Repeat("x", 400),
	} {
		text, err := json.Marshal(map[string]any{"redirect_uris": []string{uri}})
		must(t, err)
		refused[uri] = string(text)
		one := s.register(uri, callback) // together with a valid redirect URI an invalid one is ignored
		if one.redirect = uri; uri != "" && p.asked(one.asking()).status != http.StatusBadRequest {
			t.Errorf("somebody is asked whether they want to be sent to %s", uri)
		}
	}
	for name, body := range refused {
		got := s.send(http.DefaultClient, s.request(http.MethodPost, "/register", "application/json", body))
		if got.status != http.StatusBadRequest || got.field("error_description") == "" || strings.Contains(got.body, "client_id") {
			t.Errorf("%s: %d %s", name, got.status, got.body)
		}
	}
	for _, uri := range []string{callback, "http://localhost:33418/", "http://127.0.0.1/cb", "http://[::1]:8/cb", "cursor://anysphere.cursor-mcp/oauth/callback", "com.example.app:/oauth", "com.example.app://x/oauth", "vscode://x.y/cb?a=b", "https://a.example:8443/cb"} {
		s.register(uri)
	}
	c := s.register(callback)
	forged := c.id[:len(c.id)-1] + map[bool]string{true: "B", false: "A"}[strings.HasSuffix(c.id, "A")]
	made := "vdm_client_" + base64.RawURLEncoding.EncodeToString([]byte(`{"n":"Claude","r":["https://evil.example/cb"]}0123456789abcdef`))
	for _, id := range []string{forged, made, "", "claude", "http://claude.example/x", strings.Replace(c.id, "vdm_client_", "vdm_code_", 1)} {
		if got := p.asked(c.asking("client_id", id)); got.status != http.StatusBadRequest || got.header.Get("Location") != "" {
			t.Errorf("%s: %d", id, got.status)
		}
	}
}

// TestSecrets checks the errors for a client that sends a secret, and for one that the server no
// longer knows, which has to register again.
func TestSecrets(t *testing.T) {
	s := newServer(t)
	c, p := s.register(callback), s.signedIn(s.alice)
	code := p.allow(c.asking()).Get("code")
	form := url.Values{"grant_type": {"authorization_code"}, "code": {code}, "code_verifier": {c.verifier}}
	basic := func(secret string) []string {
		return []string{"Authorization", "Basic " + base64.StdEncoding.EncodeToString([]byte(url.QueryEscape(c.id)+":"+secret))}
	}
	got := s.post("/token", form, basic("s3cret")...)
	got.wantRefused(t, "a secret", "invalid_client")
	if got.status != http.StatusUnauthorized || !strings.HasPrefix(got.header.Get("WWW-Authenticate"), "Basic ") || !strings.Contains(got.body, "send client_id in the form") {
		t.Errorf("it is told %d %v %s", got.status, got.header, got.body)
	}
	if got := s.post("/token", form, basic("")...); got.status != http.StatusOK {
		t.Errorf("a name without a secret: %d %s", got.status, got.body)
	}
	must(t, os.Remove(s.grants)) // this removes the signing key as well
	got = c.refresh("vdm_refresh_x")
	got.wantRefused(t, "who is not known any more", "invalid_client")
	if got.status != http.StatusUnauthorized || !strings.Contains(got.body, "register again") || got.header.Get("WWW-Authenticate") != "" {
		t.Errorf("it is told %d %v %s", got.status, got.header, got.body)
	}
}

// TestUnkept checks that clients and users are told to try again while grants cannot be saved.
func TestUnkept(t *testing.T) {
	s := newServer(t)
	c, p := s.register(callback), s.signedIn(s.alice)
	token := c.let(p).field("refresh_token")
	must(t, os.Remove(s.grants+".lock"))
	must(t, os.Mkdir(s.grants+".lock", 0o700)) // no lock can be taken there
	got := c.refresh(token)
	got.wantRefused(t, "while nothing is kept", "temporarily_unavailable")
	if got.status != http.StatusServiceUnavailable || got.header.Get("Retry-After") == "" {
		t.Errorf("%d %v", got.status, got.header)
	}
	for _, decision := range []string{"allow", "refuse"} {
		question := p.question(c.asking())
		if decision == "refuse" { // denying requires a change only after an approval
			must(t, os.Remove(s.grants+".lock"))
			p.says("allow", question)
			must(t, os.Remove(s.grants+".lock"))
			must(t, os.Mkdir(s.grants+".lock", 0o700))
		}
		if got := p.says(decision, question); got.status != http.StatusServiceUnavailable || got.header.Get("Retry-After") == "" || !strings.Contains(got.body, "Your answer cannot be saved") {
			t.Errorf("%s: %d %v", decision, got.status, got.header)
		}
	}
	must(t, os.Remove(s.grants+".lock"))
	if got := c.refresh(token); got.status != http.StatusOK {
		t.Errorf("later: %d %s", got.status, got.body)
	}
}

// TestRevokedWithoutLock checks that revoking tokens of an ended grant does not lock the file.
func TestRevokedWithoutLock(t *testing.T) {
	s := newServer(t)
	c := s.register(callback)
	token := c.let(s.signedIn(s.alice)).field("refresh_token")
	revoke := func() int {
		return c.post("/revoke", url.Values{"token": {token}, "client_id": {c.id}}).status
	}
	if status := revoke(); status != http.StatusOK {
		t.Fatalf("revoke: %d", status)
	}
	must(t, os.Remove(s.grants+".lock"))
	must(t, os.Mkdir(s.grants+".lock", 0o700)) // no lock can be taken there
	if status := revoke(); status != http.StatusOK {
		t.Errorf("revoke again: %d", status)
	}
}

// TestManyRegistrations checks that 10,000 registrations store nothing and slow down nobody.
func TestManyRegistrations(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine does the work, which finds no races")
	}
	s := newServer(t)
	c, p := s.register(callback), s.signedIn(s.alice)
	before, err := os.ReadFile(s.grants)
	must(t, err)
	for i := range 10_000 {
		s.register(fmt.Sprintf("https://evil%d.example/cb", i))
	}
	after, err := os.ReadFile(s.grants)
	must(t, err)
	if string(before) != string(after) {
		t.Error("registrations are kept")
	}
	c.let(p)
}

// TestLimits checks that an address that registers or guesses too often has to wait, and others do
// not.
func TestLimits(t *testing.T) {
	s := newServer(t, func(_ *server, o *web.Options) { o.TrustProxy, o.RequestsPerSecond = true, 5 })
	c, p := s.register(callback), s.signedIn(s.alice)
	good := c.let(p).field("access_token")
	limited := func(from string, do func(header ...string) int) (n int) {
		for range 50 {
			if do("X-Forwarded-For", from) == http.StatusTooManyRequests {
				n++
			}
		}
		return n
	}
	for name, do := range map[string]func(header ...string) int{
		"192.0.2.1": func(header ...string) int {
			return s.send(http.DefaultClient, s.request(http.MethodPost, "/register", "application/json", `{"redirect_uris":["https://evil.example/"]}`), header...).status
		},
		"192.0.2.2": func(header ...string) int { return s.asks("vdm_access_guess", header...) },
		"192.0.2.3": func(header ...string) int {
			return s.post("/token", url.Values{"grant_type": {"refresh_token"}, "refresh_token": {"vdm_refresh_guess"}, "client_id": {c.id}}, header...).status
		},
		"192.0.2.4": func(header ...string) int {
			return s.post("/sign-in", url.Values{"token": {"vdm_guess"}}, header...).status
		},
	} {
		if got := limited(name, do); got < 20 {
			t.Errorf("%s: %d of 50 were too many", name, got)
		}
		if s.asks(good, "X-Forwarded-For", "198.51.100.1") != http.StatusOK {
			t.Errorf("%s disturbs others", name)
		}
	}
	if s.said("sign-in refused") == 0 || s.said("vdm_") != 0 {
		t.Error("the log says nothing, or too much")
	}
}

// TestManyGuess checks that guesses from many addresses are limited like those from one, after that
// only clients that have guessed before are refused, and that a valid token is always accepted.
func TestManyGuess(t *testing.T) {
	s := newServer(t, func(_ *server, o *web.Options) { o.TrustProxy = true })
	c, p := s.register(callback), s.signedIn(s.alice)
	good := c.let(p).field("access_token")
	address := func(i int) []string { return []string{"X-Forwarded-For", fmt.Sprintf("203.0.%d.%d", i/250, 1+i%250)} }
	for i := range 600 {
		if got := s.asks("vdm_access_guess", address(i)...); got != http.StatusUnauthorized {
			t.Fatalf("guess %d: %d", i, got)
		}
	}
	guess := url.Values{"grant_type": {"refresh_token"}, "refresh_token": {"vdm_refresh_guess"}, "client_id": {c.id}}
	if got := s.post("/token", guess, address(0)...); got.status != http.StatusTooManyRequests || !strings.Contains(got.body, "too many wrong tokens") || got.header.Get("Retry-After") == "" {
		t.Errorf("who has guessed goes on: %d %v %s", got.status, got.header, got.body)
	}
	if got := s.asks(good, address(0)...); got != http.StatusOK {
		t.Errorf("a right token where somebody has guessed: %d", got)
	}
	if got := s.asks(good, address(700)...); got != http.StatusOK {
		t.Errorf("who has not is disturbed: %d", got)
	}
}
