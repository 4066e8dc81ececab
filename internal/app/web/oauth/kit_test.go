package oauth_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"html"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"vademecum/embed"

	"vademecum/index"
	"vademecum/internal/app/hosts"
	"vademecum/internal/app/web"
	"vademecum/internal/app/web/access"
	"vademecum/internal/app/web/guard"
	"vademecum/internal/app/web/oauth"
	"vademecum/internal/app/web/signin"
	"vademecum/mcp"
)

// server is a server with --sign-in for a folder, in this process.
type server struct {
	*web.Server
	t          *testing.T
	url        string
	alice, bob string // tokens; that of bob allows only reading
	tokens     string // path of the token file
	grants     string // path of the grants file
	public     string // public URL
	fetch      *http.Client
	mu         sync.Mutex
	log        bytes.Buffer
	fromNow    time.Duration // how far its clock is ahead
}

// newServer serves until the test ends. change may change the options.
func newServer(t *testing.T, change ...func(*server, *web.Options)) *server {
	t.Helper()
	dir := t.TempDir()
	s := &server{t: t, tokens: filepath.Join(dir, "tokens"), grants: filepath.Join(dir, "grants.json")}
	s.alice, s.bob = s.newToken("alice", signin.DocumentScopes), s.newToken("bob", []string{signin.ScopeRead})
	at := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.Server.ServeHTTP(w, r) }))
	s.url = "http://" + at.Listener.Addr().String()
	s.public = s.url
	o := web.Options{Logger: slog.New(slog.NewTextHandler(s, nil)), ChooseView: s.folder()}
	for _, c := range change {
		c(s, &o)
	}
	s.serve(o)
	at.Start()
	t.Cleanup(at.Close)
	return s
}

// serve replaces the server by a new one, as after a restart.
func (s *server) serve(o web.Options) {
	s.t.Helper()
	grants, err := oauth.OpenGrantStore(s.grants, o.Logger)
	must(s.t, err)
	tokens, err := signin.OpenTokenStore(s.tokens, "", o.Logger)
	must(s.t, err)
	o.OAuthServer = oauth.New(oauth.Options{Issuer: s.public, Grants: grants, UserTokens: tokens, Logger: o.Logger}.With(s.now, s.fetch))
	o.Authenticator = &signin.Authenticator{Checkers: []signin.Checker{tokens, o.OAuthServer}, ResourceURL: s.public + "/mcp", OwnIssuer: s.public}
	o.AllowedHosts, o.PublicURL = s.names(), s.public
	s.Server = web.New(o)
}

func (s *server) names() *guard.AllowedHosts {
	s.t.Helper()
	names, err := guard.NewAllowedHosts("127.0.0.1", s.public, nil, nil)
	must(s.t, err)
	return names
}

// folder opens a folder with a document.
func (s *server) folder() func(signin.User) (*access.View, error) {
	s.t.Helper()
	dir := filepath.Join(s.t.TempDir(), "notes")
	must(s.t, os.Mkdir(dir, 0o700))
	must(s.t, os.WriteFile(filepath.Join(dir, "asthma.md"), []byte("# Asthma\n\nA spacer helps children.\n"), 0o600))
	builtin, err := embed.New("builtin")
	must(s.t, err)
	quiet := slog.New(slog.DiscardHandler)
	ix, err := index.New(index.Options{Folders: []string{dir}, IndexPaths: []string{filepath.Join(s.t.TempDir(), "x.db")}, Embedder: builtin, Logger: quiet})
	must(s.t, err)
	ctx, cancel := context.WithCancel(s.t.Context())
	var running sync.WaitGroup
	running.Go(func() { _ = ix.Run(ctx) })
	s.t.Cleanup(func() {
		cancel()
		running.Wait()
		must(s.t, ix.Close())
	})
	page := func(path, _, _ string) string { return s.public + "/doc?path=" + url.QueryEscape(path) }
	view := &access.View{Library: ix, Server: mcp.New(ix, mcp.Options{Logger: quiet, HasSearchAndFetch: hosts.ExpectsSearchAndFetch, WebPageURL: page})}
	return func(signin.User) (*access.View, error) { return view, nil }
}

func (s *server) newToken(name string, scopes []string) string {
	s.t.Helper()
	token, entry, err := signin.NewTokenEntry(name, scopes, nil)
	must(s.t, err)
	must(s.t, entry.Append(s.tokens))
	return token
}

// Write receives the log.
func (s *server) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.log.Write(p)
}

// said returns the number of lines of the log that contain a text.
func (s *server) said(text string) (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for line := range strings.Lines(s.log.String()) {
		if strings.Contains(line, text) {
			n++
		}
	}
	return n
}

// now returns the time according to the clock of the server.
func (s *server) now() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return time.Now().Add(s.fromNow)
}

// turnClock sets the clock of the server ahead by d.
func (s *server) turnClock(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fromNow = d
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// answer is an HTTP response.
type answer struct {
	status int
	header http.Header
	body   string
}

// field returns a field of the JSON in the response.
func (a answer) field(name string) string {
	var all map[string]any
	_ = json.Unmarshal([]byte(a.body), &all)
	text, _ := all[name].(string)
	return text
}

// send sends a request, and follows no redirects.
func (s *server) send(by *http.Client, r *http.Request, header ...string) answer {
	s.t.Helper()
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	stays := *by
	stays.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	got, err := stays.Do(r)
	must(s.t, err)
	defer got.Body.Close()
	body, err := io.ReadAll(got.Body)
	must(s.t, err)
	return answer{got.StatusCode, got.Header, string(body)}
}

func (s *server) request(method, path, kind, body string) *http.Request {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), method, s.url+path, strings.NewReader(body))
	must(s.t, err)
	if kind != "" {
		r.Header.Set("Content-Type", kind)
	}
	return r
}

const asForm = "application/x-www-form-urlencoded"

// post sends a form without any credentials.
func (s *server) post(path string, form url.Values, header ...string) answer {
	s.t.Helper()
	return s.send(http.DefaultClient, s.request(http.MethodPost, path, asForm, form.Encode()), header...)
}

const listTools = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}`

// asks returns the status of the server's response to an MCP request with a token.
func (s *server) asks(token string, header ...string) int {
	s.t.Helper()
	r := s.request(http.MethodPost, "/mcp", "application/json", listTools)
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("Authorization", "Bearer "+token)
	r.Header.Set("Mcp-Protocol-Version", "2025-11-25")
	got := s.send(http.DefaultClient, r, header...).status
	if got == http.StatusNotFound || got == http.StatusBadRequest { // the token was accepted, but there is no session
		return http.StatusOK
	}
	return got
}

// person is a user with a browser.
type person struct {
	*server
	browser *http.Client
}

// signedIn returns a user who has signed in with a token.
func (s *server) signedIn(token string) *person {
	s.t.Helper()
	p := s.visitor()
	form := url.Values{"token": {token}}
	if got := s.send(p.browser, s.request(http.MethodPost, "/sign-in", asForm, form.Encode())); got.status != http.StatusSeeOther {
		s.t.Fatalf("sign in: %d %s", got.status, got.body)
	}
	return p
}

// visitor returns a user who has not signed in.
func (s *server) visitor() *person {
	s.t.Helper()
	jar, err := cookiejar.New(nil)
	must(s.t, err)
	return &person{s, &http.Client{Jar: jar}}
}

// asked requests the consent page with parameters.
func (p *person) asked(q url.Values) answer {
	p.t.Helper()
	got := p.send(p.browser, p.request(http.MethodGet, oauth.PathAuthorize+"?"+q.Encode(), "", ""))
	got.body = html.UnescapeString(got.body)
	return got
}

var sealed = regexp.MustCompile(`name="request" value="([^"]+)"`)

// question returns the signed request in the form of the consent page.
func (p *person) question(q url.Values) string {
	p.t.Helper()
	page := p.asked(q)
	found := sealed.FindStringSubmatch(page.body)
	if page.status != http.StatusOK || found == nil {
		p.t.Fatalf("nothing is asked: %d\n%s", page.status, page.body)
	}
	return found[1]
}

// says sends the form of the consent page with an answer.
func (p *person) says(answer, question string, header ...string) answer {
	p.t.Helper()
	form := url.Values{"request": {question}, "answer": {answer}}
	return p.send(p.browser, p.request(http.MethodPost, oauth.PathAuthorize, asForm, form.Encode()), header...)
}

// allow approves a request, and returns the parameters of the authorization response.
func (p *person) allow(q url.Values) url.Values {
	p.t.Helper()
	got := p.says("allow", p.question(q))
	to, err := url.Parse(got.header.Get("Location"))
	if err != nil || got.status != http.StatusSeeOther {
		p.t.Fatalf("allow: %d %s", got.status, got.body)
	}
	return to.Query()
}

// client is an OAuth client.
type client struct {
	*server
	id, redirect, verifier string
}

const callback = "https://claude.example/api/mcp/auth_callback"

// register registers a client.
func (s *server) register(redirects ...string) *client {
	s.t.Helper()
	text, err := json.Marshal(map[string]any{"client_name": "Claude", "redirect_uris": redirects})
	must(s.t, err)
	got := s.send(http.DefaultClient, s.request(http.MethodPost, "/register", "application/json", string(text)))
	if got.status != http.StatusCreated {
		s.t.Fatalf("register: %d %s", got.status, got.body)
	}
	return s.client(got.field("client_id"), redirects[0])
}

func (s *server) client(id, redirect string) *client {
	return &client{s, id, redirect, rand.Text() + rand.Text()}
}

// asking returns the parameters of an authorization request; more are pairs of names and values
// that are changed.
func (c *client) asking(more ...string) url.Values {
	sum := sha256.Sum256([]byte(c.verifier))
	q := url.Values{
		"response_type": {"code"}, "client_id": {c.id}, "redirect_uri": {c.redirect}, "state": {"s&1"}, "scope": {"read index"},
		"code_challenge": {base64.RawURLEncoding.EncodeToString(sum[:])}, "code_challenge_method": {"S256"}, "resource": {c.public + "/mcp"},
	}
	return with(q, more)
}

// with returns parameters with some values changed; "" removes one.
func with(q url.Values, more []string) url.Values {
	for i := 0; i < len(more); i += 2 {
		q.Set(more[i], more[i+1])
		if more[i+1] == "" {
			q.Del(more[i])
		}
	}
	return q
}

// redeem sends a request for tokens with a code.
func (c *client) redeem(code string, more ...string) answer {
	c.t.Helper()
	return c.post("/token", with(url.Values{
		"grant_type": {"authorization_code"}, "code": {code}, "client_id": {c.id}, "redirect_uri": {c.redirect}, "code_verifier": {c.verifier}, "resource": {c.public + "/mcp"},
	}, more))
}

// refresh sends a request for tokens with a refresh token.
func (c *client) refresh(token string, more ...string) answer {
	c.t.Helper()
	return c.post("/token", with(url.Values{"grant_type": {"refresh_token"}, "refresh_token": {token}, "client_id": {c.id}}, more))
}

// let makes a user approve the client, and returns its tokens.
func (c *client) let(p *person) answer {
	c.t.Helper()
	got := c.redeem(p.allow(c.asking()).Get("code"))
	if got.status != http.StatusOK || c.asks(got.field("access_token")) != http.StatusOK {
		c.t.Fatalf("no token: %d %s", got.status, got.body)
	}
	return got
}

// wantRefused requires that the response is an error with a code.
func (a answer) wantRefused(t *testing.T, what, code string) {
	t.Helper()
	if a.field("error") != code || a.status < 400 {
		t.Errorf("%s: %d %s, want %s", what, a.status, a.body, code)
	}
}
