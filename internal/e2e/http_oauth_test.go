package e2e

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/modelcontextprotocol/go-sdk/oauthex"

	"vademecum/internal/app/web/signin/signintest"
)

// consenting is a user with a browser, which a client sends to the server.
type consenting struct {
	*visitor
	asked []string // the pages that were shown
}

var sealedRequest = regexp.MustCompile(`name="request" value="([^"]+)"`)

// agree consents, and is redirected back with a code.
func (c *consenting) agree(_ context.Context, to *auth.AuthorizationArgs) (*auth.AuthorizationResult, error) {
	answer, err := c.Get(to.URL)
	page := html.UnescapeString(c.read(answer, err))
	c.asked = append(c.asked, page)
	request := sealedRequest.FindStringSubmatch(page)
	if request == nil {
		return nil, errors.New("nothing is asked: " + page)
	}
	back := c.answer(url.Values{"request": {request[1]}, "answer": {"allow"}})
	q := back.Query()
	return &auth.AuthorizationResult{Code: q.Get("code"), State: q.Get("state"), Iss: q.Get("iss")}, nil
}

// answer sends the form of the consent page, and returns the target of the redirect.
func (c *consenting) answer(form url.Values) *url.URL {
	c.t.Helper()
	stays := *c.Client
	stays.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	answer, err := stays.PostForm(c.url+"/authorize", form)
	page := c.read(answer, err)
	back, err := url.Parse(answer.Header.Get("Location"))
	if err != nil || answer.StatusCode != http.StatusSeeOther {
		c.t.Fatalf("%v: %s", err, page)
	}
	return back
}

// handler returns the OAuth client of the Go SDK, which registers by itself.
func (c *consenting) handler() *auth.AuthorizationCodeHandler {
	c.t.Helper()
	h, err := auth.NewAuthorizationCodeHandler(&auth.AuthorizationCodeHandlerConfig{
		DynamicClientRegistrationConfig: &auth.DynamicClientRegistrationConfig{Metadata: &oauthex.ClientRegistrationMetadata{
			RedirectURIs: []string{"http://127.0.0.1:39999/callback"}, ClientName: "Go <SDK>", GrantTypes: []string{"authorization_code", "refresh_token"},
		}},
		AuthorizationCodeFetcher: c.agree,
		Client:                   &http.Client{Transport: c.Transport},
	})
	if err != nil {
		c.t.Fatal(err)
	}
	return h
}

// connectSignedIn connects a client that sends this person to consent.
func (c *consenting) connectSignedIn(protocol string, h auth.OAuthHandler) (*mcp.ClientSession, error) {
	c.t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	transport := &mcp.StreamableClientTransport{Endpoint: c.url + "/mcp", OAuthHandler: h, DisableStandaloneSSE: true, HTTPClient: &http.Client{Transport: c.Transport}}
	session, err := client.Connect(c.t.Context(), transport, &mcp.ClientSessionOptions{ProtocolVersion: protocol})
	if err == nil {
		c.t.Cleanup(func() { _ = session.Close() })
	}
	return session, err
}

// mustCall calls a tool, and returns its text.
func mustCall(t *testing.T, session *mcp.ClientSession, tool string, arguments map[string]any) string {
	t.Helper()
	r, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil || r.IsError {
		t.Fatalf("%s: %v", tool, err)
	}
	var all strings.Builder
	for _, c := range r.Content {
		switch c := c.(type) {
		case *mcp.TextContent:
			all.WriteString(c.Text)
		case *mcp.EmbeddedResource:
			all.WriteString(c.Resource.Text)
		}
	}
	return all.String()
}

// TestHTTPClientsSignIn: the client of the Go SDK, given only the URL, finds out where to register
// and to send its user, requests more scopes when needed, is accepted after a restart, and no
// longer once it was revoked.
func TestHTTPClientsSignIn(t *testing.T) {
	t.Parallel()
	for _, protocol := range []string{"2025-06-18", "2025-11-25", "2026-07-28"} {
		t.Run(protocol, func(t *testing.T) {
			t.Parallel()
			dir, _ := httpFolder(t)
			tokens := filepath.Join(t.TempDir(), "tokens")
			token := newToken(t, tokens, "alice")
			s := newKeptServer(t, "--tokens", tokens, "--sign-in", ownIndex(t), dir)
			c := &consenting{visitor: visit(t, s.httpServer)}
			c.signIn(token)
			h := c.handler()
			session, err := c.connectSignedIn(protocol, h)
			if err != nil {
				t.Fatal(err)
			}
			await(t, "the folder is indexed", func() bool {
				return strings.Contains(mustCall(t, session, "retrieve_docs", map[string]any{"query": "spacer for children"}), "A spacer helps children")
			})
			mustCall(t, session, "index_docs", nil)
			for i, want := range []string{"calls itself Go <SDK> wants", filepath.Base(dir), "127.0.0.1 (a program on this device)", "alice", "add its own texts"} {
				if strings.Contains(c.asked[0], want) != (i < 4) || !strings.Contains(c.asked[1], want) {
					t.Errorf("of %q was asked first:\n%s\nand then:\n%s", want, c.asked[0], c.asked[1])
				}
			}
			_ = session.Close()
			said := s.restart(t, nothing)
			if session, err = c.connectSignedIn(protocol, h); err != nil {
				t.Fatalf("after a restart: %v", err)
			}
			mustCall(t, session, "list_docs", nil)
			if len(c.asked) != 2 {
				t.Errorf("asked %d times", len(c.asked))
			}
			list := vademecum(t, "token", "list")
			list.Env = append(list.Env, s.command(t).Env...)
			out, err := list.CombinedOutput()
			if err != nil || strings.Count(string(out), "Go <SDK>") != 2 {
				t.Errorf("%v: %s", err, out)
			}
			revoke := vademecum(t, "token", "revoke", "alice")
			revoke.Env = append(revoke.Env, s.command(t).Env...)
			if out, err := revoke.CombinedOutput(); err != nil || strings.Count(string(out), "revoked") != 2 {
				t.Errorf("%v: %s", err, out)
			}
			token = accessToken(t, h)
			if answer := rawCall(t, s.url+"/mcp", beginSession, bearer(token)); answer.StatusCode != http.StatusUnauthorized {
				t.Errorf("revoked: %s", answer.Status)
			}
			said += s.restart(t, nothing)
			if strings.Contains(said, "vdm_") || strings.Count(said, "access granted") != 2 {
				t.Errorf("the log has a token, or not what was granted:\n%s", said)
			}
		})
	}
}

// TestTokenListEnded checks that a grant that ended because it was not used is listed with that
// day, not with the day on which it would have expired.
func TestTokenListEnded(t *testing.T) {
	t.Parallel()
	config := t.TempDir()
	used := time.Now().Add(-100 * 24 * time.Hour)
	grant := func(id string, used time.Time) string {
		return fmt.Sprintf(`{"id":%q,"user":"alice","client":"Claude","scopes":["read"],"made":%q,"used":%q,"until":%q}`, id, used.Format(time.RFC3339), used.Format(time.RFC3339), used.Add(365*24*time.Hour).Format(time.RFC3339))
	}
	dir := config
	if runtime.GOOS == "darwin" {
		dir = filepath.Join(config, "Library", "Application Support")
	}
	file := filepath.Join(dir, "vademecum", "grants.json")
	text := fmt.Sprintf(`{"key":%q,"grants":[%s,%s]}`, base64.StdEncoding.EncodeToString(make([]byte, 32)), grant("00000001", used), grant("00000002", time.Now()))
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(text), 0o600)); err != nil {
		t.Fatal(err)
	}
	for _, how := range [][]string{{"token", "list"}, {"token", "list", "--json"}} {
		list := vademecum(t, how...)
		list.Env = append(list.Env, "XDG_CONFIG_HOME="+config, "HOME="+config, "AppData="+config)
		out, err := list.CombinedOutput()
		if err != nil || !strings.Contains(string(out), used.Add(30*24*time.Hour).Format(time.DateOnly)) || strings.Contains(string(out), used.Add(365*24*time.Hour).Format(time.DateOnly)) || !strings.Contains(string(out), time.Now().Add(365*24*time.Hour).Format(time.DateOnly)) {
			t.Errorf("%v: %v\n%s", how, err, out)
		}
	}
}

// TestHTTPCanonicalURL: programs get the URL of the server as they normalise it themselves.
func TestHTTPCanonicalURL(t *testing.T) {
	t.Parallel()
	dir, _ := httpFolder(t)
	tokens := filepath.Join(t.TempDir(), "tokens")
	newToken(t, tokens, "alice")
	s := newKeptServer(t, "--tokens", tokens, "--sign-in", "--public-url", "https://KB.example.com:443/", ownIndex(t), dir)
	for path, want := range map[string]string{
		"/.well-known/oauth-authorization-server":   `"issuer":"https://kb.example.com"`,
		"/.well-known/oauth-protected-resource/mcp": `"resource":"https://kb.example.com/mcp"`,
	} {
		if got := s.text(path); !strings.Contains(got, want) || strings.Contains(got, "443") {
			t.Errorf("%s: %s", path, got)
		}
	}
	challenge := rawCall(t, s.url+"/mcp", beginSession, nil).Header.Get("WWW-Authenticate")
	if !strings.Contains(challenge, `resource_metadata="https://kb.example.com/.well-known/oauth-protected-resource/mcp"`) {
		t.Errorf("the challenge is %s", challenge)
	}
}

// TestHTTPClientsOfProvider: users of an identity provider can authorise clients, too, for as
// long as the server has that provider.
func TestHTTPClientsOfProvider(t *testing.T) {
	t.Parallel()
	dir, _ := httpFolder(t)
	p := signintest.New(t)
	s := newKeptServer(t, "--auth-issuer", p.URL, "--auth-client-id=vademecum-page", "--sign-in", ownIndex(t), dir)
	p.Callback, p.Audience = s.url+"/sign-in/callback", s.url+"/mcp"
	about := s.text("/.well-known/oauth-protected-resource/mcp")
	if !strings.Contains(about, `"authorization_servers":["`+s.url+`","`+p.URL+`"]`) {
		t.Errorf("clients are sent elsewhere: %s", about)
	}
	c := &consenting{visitor: visit(t, s.httpServer)}
	if page := c.page("/sign-in/provider?to=%2Flibrary"); !c.isIn() {
		t.Fatalf("not signed in:\n%s", page)
	}
	h := c.handler()
	session, err := c.connectSignedIn("2025-11-25", h)
	if err != nil {
		t.Fatal(err)
	}
	mustCall(t, session, "list_docs", nil)
	if until := time.Now().Add(7 * 24 * time.Hour).Format(time.DateOnly); !strings.Contains(c.asked[0], until) {
		t.Errorf("not until %s:\n%s", until, c.asked[0])
	}
	_ = session.Close()
	token := accessToken(t, h)
	tokens := filepath.Join(t.TempDir(), "tokens")
	newToken(t, tokens, "alice")
	s.args = append(s.args, "--tokens", tokens)
	s.restart(t, nothing)
	if answer := rawCall(t, s.url+"/mcp", beginSession, bearer(token)); answer.StatusCode != http.StatusOK {
		t.Errorf("after a restart: %s", answer.Status)
	}
	s.args = slices.DeleteFunc(s.args, func(arg string) bool { return strings.HasPrefix(arg, "--auth-") || arg == p.URL })
	s.restart(t, nothing)
	if answer := rawCall(t, s.url+"/mcp", beginSession, bearer(token)); answer.StatusCode != http.StatusUnauthorized {
		t.Errorf("without the provider: %s", answer.Status)
	}
}

// accessToken returns the access token that a client has received.
func accessToken(t *testing.T, h *auth.AuthorizationCodeHandler) string {
	t.Helper()
	source, err := h.TokenSource(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got, err := source.Token()
	if err != nil {
		t.Fatal(err)
	}
	return got.AccessToken
}
