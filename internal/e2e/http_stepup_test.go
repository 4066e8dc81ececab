package e2e

import (
	"context"
	"errors"
	"io"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"golang.org/x/oauth2"
)

// steppingUp gets the token that a challenge requires, like the handlers of hosts after they have
// asked the user.
type steppingUp struct {
	t      *testing.T
	issuer *testIssuer

	mu     sync.Mutex
	token  string
	scopes []string // the scopes that were requested
}

func (h *steppingUp) TokenSource(context.Context) (oauth2.TokenSource, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.token == "" {
		return nil, nil
	}
	return oauth2.StaticTokenSource(&oauth2.Token{AccessToken: h.token}), nil
}

var errNoChallenge = errors.New("the server does not say which scope is missing, or where")

var (
	challengeScope = regexp.MustCompile(`scope="([^"]*)"`)
	challengeAt    = regexp.MustCompile(`resource_metadata="([^"]*)"`)
)

// Authorize follows the challenge: to where tokens are, for the scope that it names.
func (h *steppingUp) Authorize(_ context.Context, _ *http.Request, answer *http.Response) error {
	_, _ = io.Copy(io.Discard, answer.Body)
	challenge := answer.Header.Get("WWW-Authenticate")
	scope, at := challengeScope.FindStringSubmatch(challenge), challengeAt.FindStringSubmatch(challenge)
	if scope == nil || at == nil {
		return errNoChallenge
	}
	about, err := http.Get(at[1])
	if err != nil {
		return err
	}
	defer about.Body.Close()
	said, err := io.ReadAll(about.Body)
	if err != nil || !strings.Contains(string(said), h.issuer.url) {
		return errNoChallenge
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.scopes = append(h.scopes, scope[1])
	resource := strings.Replace(at[1], "/.well-known/oauth-protected-resource", "", 1)
	h.token = h.issuer.token(h.t, resource, scope[1], time.Hour)
	return nil
}

// TestHTTPStepUp checks that a client that follows challenges gets access with the smallest scope,
// and more scopes when it needs them, in the same session.
func TestHTTPStepUp(t *testing.T) {
	t.Parallel()
	dir, _ := httpFolder(t)
	i := newIssuer(t)
	i.start(t)
	s := serveHTTP(t, "--auth-issuer", i.url, ownIndex(t), dir)
	for _, protocol := range []string{"2025-11-25", "2026-07-28"} {
		h := &steppingUp{t: t, issuer: i}
		client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
		transport := &mcp.StreamableClientTransport{Endpoint: s.url + "/mcp", OAuthHandler: h, DisableStandaloneSSE: true}
		session, err := client.Connect(t.Context(), transport, &mcp.ClientSessionOptions{ProtocolVersion: protocol})
		if err != nil {
			t.Fatalf("%s: %v", protocol, err)
		}
		for _, tool := range []string{"list_docs", "index_docs", "list_docs"} {
			if r, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool}); err != nil || r.IsError {
				t.Errorf("%s, %s: %v", protocol, tool, err)
			}
		}
		if got := strings.Join(h.scopes, " then "); got != "read then index" {
			t.Errorf("%s: tokens were got for %s", protocol, got)
		}
		_ = session.Close()
	}
}
