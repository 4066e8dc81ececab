package e2e

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/coreos/go-oidc/v3/oidc/oidctest"

	"vademecum/docs"
)

// TestHTTPPaths checks that only the exact paths of the server are handled.
func TestHTTPPaths(t *testing.T) {
	t.Parallel()
	dir, _ := httpFolder(t)
	tokens := filepath.Join(t.TempDir(), "tokens")
	newToken(t, tokens, "alice")
	s := serveHTTP(t, "--tokens", tokens, ownIndex(t), dir)
	for _, path := range []string{
		"//mcp", "/./mcp", "/mcp//", "/mcp/.", "/mcp/..", "/mcp/../mcp", "/x/../mcp", "/mcp;x=1", "/mcp;", "/mcp%3b", "/mcp%2f", "/mcp%2F..%2Fmcp",
		"/%2e%2e/mcp", "/%2e/mcp", "/..%2fmcp", "/mcp%00", "/mcp%20", "/mcp%0d%0aX:%201", "/MCP", "/Mcp", "/mcp.", "/mcp%C0%AF", "/mcp\\", "/%5cmcp",
		"/healthz/../mcp", "/healthz/", "//healthz", "/.well-known/oauth-protected-resource/../../mcp", "/.well-known/oauth-protected-resource/x",
		"/sse//", "/ssE", "/sse;jsessionid=1", "/debug/pprof/", "/metricsz", "/etc/passwd", "/search/", "/./search", "/x/../search", "//library", "/assets/../search", "/assets/%2e%2e/search",
	} {
		got := rawRequest(t, s.url, "GET "+path+" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
		if got != "404" && got != "400" {
			t.Errorf("%s: %s", path, got)
		}
	}
	for _, path := range []string{"/mcp", "/%6dcp", "/mc%70", "/mcp?", "/mcp/", "/mcp?x=/../healthz", "http://localhost/mcp", "/sse", "/sse/"} { // which is the same path in HTTP
		if got := rawRequest(t, s.url, "GET "+path+" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"); got != "401" {
			t.Errorf("%s: %s", path, got)
		}
	}
}

// TestHTTPSmuggling checks that a request whose end parsers may see at different places is the last
// one on its connection.
func TestHTTPSmuggling(t *testing.T) {
	t.Parallel()
	dir, _ := httpFolder(t)
	s := serveHTTP(t, ownIndex(t), dir)
	const head, hidden = "POST /nowhere HTTP/1.1\r\nHost: localhost\r\n", "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
	for name, request := range map[string]string{
		"CL and TE":              head + "Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + hidden,
		"TE and CL":              head + "Transfer-Encoding: chunked\r\nContent-Length: 0\r\n\r\n" + hidden,
		"two CL":                 head + "Content-Length: 0\r\nContent-Length: 44\r\n\r\n" + hidden,
		"a list of CL":           head + "Content-Length: 0, 44\r\n\r\n" + hidden,
		"a signed CL":            head + "Content-Length: +0\r\n\r\n" + hidden,
		"a negative CL":          head + "Content-Length: -1\r\n\r\n" + hidden,
		"a CL in hex":            head + "Content-Length: 0x0\r\n\r\n" + hidden,
		"two TE":                 head + "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n" + hidden,
		"an odd TE":              head + "Transfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n" + hidden,
		"a space before":         head + "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n" + hidden,
		"a folded TE":            head + "X: y\r\n Transfer-Encoding: chunked\r\nContent-Length: 0\r\n\r\n",
		"a bare CR":              head + "X: y\rContent-Length: 44\r\n\r\n" + hidden,
		"a NUL":                  head + "X: \x00\r\n\r\n" + hidden,
		"a chunk with a bare LF": head + "Transfer-Encoding: chunked\r\n\r\n5\nhello\r\n0\r\n\r\n" + hidden,
		"a chunk's extension":    head + "Transfer-Encoding: chunked\r\n\r\n0;\n\r\n\r\n" + hidden,
		"a huge chunk":           head + "Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n" + hidden,
		"TE in HTTP/1.0":         "POST /nowhere HTTP/1.0\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nContent-Length: 0\r\n\r\n" + hidden,
		"an upgrade":             "GET /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: h2c\r\nMcp-Session-Id: x\r\nContent-Length: 0\r\nContent-Length: 1\r\n\r\n" + hidden,
	} {
		if got := answersTo(t, s.url, request); len(got) > 1 {
			t.Errorf("%s: %q", name, got)
		}
	}
	// A request that all parsers read alike as two requests.
	if got := answersTo(t, s.url, head+"Content-Length: 2\r\n\r\n{}"+strings.Replace(hidden, "\r\n\r\n", "\r\nConnection: close\r\n\r\n", 1)); len(got) != 2 {
		t.Errorf("two requests: %q", got)
	}
}

// answersTo sends bytes and returns the statuses of all responses until the server closes the
// connection, or is silent for a moment.
func answersTo(t *testing.T, url, request string) (all []string) {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := io.WriteString(conn, request); err != nil {
		t.Fatal(err)
	}
	if err := conn.SetReadDeadline(time.Now().Add(500 * time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	for lines := bufio.NewScanner(conn); lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "HTTP/1.") {
			all = append(all, lines.Text())
		}
	}
	return all
}

// TestHTTPStolenSession: knowing the ID of a session lets no other user read its stream,
// send into it, or end it, nor does a revoked token.
func TestHTTPStolenSession(t *testing.T) {
	t.Parallel()
	dir, _ := httpFolder(t)
	tokens := filepath.Join(t.TempDir(), "tokens")
	alice, bob := newToken(t, tokens, "alice"), newToken(t, tokens, "bob")
	s := serveHTTP(t, "--tokens", tokens, ownIndex(t), dir)
	session := openSession(t, s.url, bearer(alice))
	in := func(header map[string]string) map[string]string {
		all := map[string]string{"Mcp-Session-Id": session, "Mcp-Protocol-Version": "2025-11-25", "Accept": "application/json, text/event-stream"}
		maps.Copy(all, header)
		return all
	}
	for _, method := range []string{http.MethodPost, http.MethodGet, http.MethodDelete} {
		for who, c := range map[string]struct {
			header map[string]string
			want   int
		}{"bob": {bearer(bob), 404}, "nobody": {nil, 401}, "a guesser": {bearer("vdm_x"), 401}, "bob, resuming": {bearer(bob, "Last-Event-ID", session+"_0"), 404}} {
			r, err := http.NewRequestWithContext(t.Context(), method, s.url+"/mcp", strings.NewReader(""))
			if method == http.MethodPost {
				r, err = http.NewRequestWithContext(t.Context(), method, s.url+"/mcp", strings.NewReader(callList))
			}
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Content-Type", "application/json")
			if answer := rawDo(t, r, in(c.header)); answer.StatusCode != c.want {
				t.Errorf("%s by %s: %s", method, who, answer.Status)
			}
		}
	}
	if answer := rawCall(t, s.url+"/mcp", callList, in(bearer(alice))); answer.StatusCode != http.StatusOK {
		t.Errorf("alice, after them: %s", answer.Status)
	}
}

// TestHTTPForgedTokens checks that tokens that are not of the provider, not for this server, or not
// access tokens get the same response, which contains no part of them.
func TestHTTPForgedTokens(t *testing.T) {
	t.Parallel()
	dir, _ := httpFolder(t)
	i, other := newIssuer(t), newIssuer(t)
	i.start(t)
	const audience = "https://kb.example.com/mcp"
	s := serveHTTP(t, "--auth-issuer", i.url, "--public-url=https://kb.example.com", "--log-level", "debug", ownIndex(t), dir)
	await(t, "the provider known", func() bool {
		return rawCall(t, s.url+"/mcp", beginSession, bearer(i.token(t, audience, "read", time.Hour))).StatusCode == http.StatusOK
	})
	says := func(others map[string]any) string {
		all := map[string]any{"iss": i.url, "sub": "u1", "aud": audience, "scope": "read index", "exp": time.Now().Add(time.Hour).Unix()}
		maps.Copy(all, others)
		text, _ := json.Marshal(all)
		return string(text)
	}
	none := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"none"}`)) + "." + base64.RawURLEncoding.EncodeToString([]byte(says(nil))) + "."
	good := i.token(t, audience, "read", time.Hour)
	header, rest, _ := strings.Cut(good, ".")
	forged := map[string]string{
		"unsigned":          none,
		"of another issuer": oidctest.SignIDToken(other.key, "a", oidc.ES256, says(map[string]any{"iss": other.url})),
		"of another key":    oidctest.SignIDToken(other.key, "a", oidc.ES256, says(nil)),
		"of another name":   oidctest.SignIDToken(i.key, "a", oidc.ES256, says(map[string]any{"iss": other.url})),
		"an ID token":       oidctest.SignIDToken(i.key, "a", oidc.ES256, says(map[string]any{"nonce": "n"})),
		"of a refresh":      oidctest.SignIDToken(i.key, "a", oidc.ES256, says(map[string]any{"typ": "Refresh"})),
		"changed":           header + "." + strings.Replace(rest, ".", "A.", 1),
		"long":              strings.Repeat("a", 30_000) + "." + strings.Repeat("b", 20_000) + ".c",
		"of dots":           strings.Repeat(".", 100),
	}
	var first string
	for name, token := range forged {
		answer := rawCall(t, s.url+"/mcp", beginSession, bearer(token))
		body := answer.Status + answer.Header.Get("WWW-Authenticate") + strings.TrimSuffix(bodyOf(t, answer), "\n")
		if answer.StatusCode != http.StatusUnauthorized || !strings.Contains(body, `error="invalid_token"`) || strings.Contains(body, token) {
			t.Errorf("%s: %s", name, body)
		}
		if body = strings.ReplaceAll(body, ": it is not an access token", ""); first != "" && body != first {
			t.Errorf("%s: %s, others get %s", name, body, first)
		}
		first = body
	}
	_ = s.cmd.Process.Kill()
	log := s.log()
	for name, token := range forged {
		if strings.Contains(log, token) || strings.Contains(log, good) {
			t.Errorf("%s: the token is in the log", name)
		}
	}
}

// TestHTTPListensOfOthers: a stream on a folder of others is refused like one on a
// missing folder, and counts as one whatever its headers are.
func TestHTTPListensOfOthers(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	writeText(t, filepath.Join(root, "open", "a.md"), "# A\n")
	writeText(t, filepath.Join(root, "secret", "b.md"), "# B\n")
	tokens := filepath.Join(t.TempDir(), "tokens")
	alice, bob := newToken(t, tokens, "alice"), newToken(t, tokens, "bob")
	s := serveHTTP(t, "--max-sessions=2", "--tokens", tokens, "--allow", "alice="+filepath.Join(root, "secret"), ownIndex(t), ownIndex(t), filepath.Join(root, "open"), filepath.Join(root, "secret"))
	stream := func(token, method, file string) *http.Response {
		body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}},"notifications":{"resourceSubscriptions":[%q]}}}`, docs.FileURI(filepath.Join(root, file)))
		return rawCall(t, s.url+"/mcp", body, bearer(token, "Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", method))
	}
	listens := "subscriptions/listen"
	refused := stream(bob, listens, "secret/b.md")
	same := stream(bob, listens, "absent/b.md")
	if got, want := bodyOf(t, refused), bodyOf(t, same); refused.StatusCode != same.StatusCode || strings.ReplaceAll(got, "secret", "absent") != want || refused.StatusCode == http.StatusOK {
		t.Errorf("%s: %s\n%s: %s", refused.Status, got, same.Status, want)
	}
	for _, method := range []string{"tools/list", "", "Subscriptions/listen", listens + ", " + listens} {
		if answer := stream(alice, method, "secret/b.md"); answer.StatusCode != http.StatusBadRequest {
			t.Errorf("with the header %q: %s", method, answer.Status)
		}
	}
	for n, want := range []int{200, 200, 429} { // two for each session, of which a user may have a tenth
		if answer := stream(alice, listens, "secret/b.md"); answer.StatusCode != want {
			t.Errorf("stream %d: %s", n, answer.Status)
		}
	}
	if answer := stream(bob, listens, "open/a.md"); answer.StatusCode != http.StatusOK {
		t.Errorf("a stream of bob: %s", answer.Status)
	}
	if got := connectHTTP(t, s.url, "2026-07-28", as(bob)).mustTool("list_docs", map[string]any{}); !strings.Contains(got, "1 document") {
		t.Errorf("bob lists %s", got)
	}
}
