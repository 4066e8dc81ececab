package e2e

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/coreos/go-oidc/v3/oidc/oidctest"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// newToken creates a token with the command token new.
func newToken(t testing.TB, file, name string, args ...string) string {
	t.Helper()
	c := vademecum(t, append([]string{"token", "new", name, "--tokens", file}, args...)...)
	out, err := c.Output()
	token := strings.TrimSpace(string(out))
	if err != nil || !strings.HasPrefix(token, "vdm_") {
		t.Fatalf("token new: %q, %v", out, err)
	}
	return token
}

// signed is a transport that sends a token with each request.
type signed string

func (s signed) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(s))
	return http.DefaultTransport.RoundTrip(r)
}

func as(token string) *http.Client { return &http.Client{Transport: signed(token)} }

func bearer(token string, more ...string) map[string]string {
	header := map[string]string{"Authorization": "Bearer " + token}
	for i := 0; i < len(more); i += 2 {
		header[more[i]] = more[i+1]
	}
	return header
}

// TestHTTPTokens: tokens grant access, in all versions, within their scopes; the log
// contains none of them.
func TestHTTPTokens(t *testing.T) {
	t.Parallel()
	dir, file := httpFolder(t)
	tokens := filepath.Join(t.TempDir(), "tokens")
	reader, indexer := newToken(t, tokens, "reader", "--scope", "read"), newToken(t, tokens, "indexer")
	s := serveHTTP(t, "--tokens", tokens, "--log-level", "debug", ownIndex(t), dir)
	for _, protocol := range overHTTP {
		useHTTP(t, connectHTTP(t, s.url, protocol, as(indexer)), file)
		if _, err := tryHTTP(t, s.url, protocol, nil); err == nil {
			t.Errorf("%s: nobody is let in", protocol)
		}
		c := connectHTTP(t, s.url, protocol, as(reader))
		c.mustTool("list_docs", map[string]any{})
		if _, err := c.tool("index_docs", map[string]any{}); err == nil {
			t.Errorf("%s: a reader indexes", protocol)
		}
	}
	late := newToken(t, tokens, "late")
	connectHTTP(t, s.url, "2025-11-25", as(late)).mustTool("list_docs", map[string]any{})
	lines, err := os.ReadFile(tokens)
	if err != nil {
		t.Fatal(err)
	}
	before, _, _ := bytes.Cut(lines, []byte("late "))
	if err := os.WriteFile(tokens, before, 0o600); err != nil {
		t.Fatal(err)
	}
	if answer := rawCall(t, s.url+"/mcp", beginSession, bearer(late)); answer.StatusCode != http.StatusUnauthorized {
		t.Errorf("a token without a line: %s", answer.Status)
	}
	_ = s.cmd.Process.Kill()
	if log := s.log(); strings.Contains(log, reader) || strings.Contains(log, indexer) || strings.Contains(log, late) || !strings.Contains(log, "msg=request") {
		t.Error("a token is in the log, or the log is empty")
	}
}

// TestHTTPRevoked: a revoked user is refused at once, and the log records that and further
// attempts, in few lines.
func TestHTTPRevoked(t *testing.T) {
	t.Parallel()
	dir, _ := httpFolder(t)
	tokens := filepath.Join(t.TempDir(), "tokens")
	alice, dave := newToken(t, tokens, "alice"), newToken(t, tokens, "dave")
	s := serveHTTP(t, "--tokens", tokens, ownIndex(t), dir)
	connectHTTP(t, s.url, "2025-11-25", as(dave)).mustTool("list_docs", map[string]any{})
	if out, err := vademecum(t, "token", "revoke", "dave", "--tokens", tokens).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for range 50 {
		if answer := rawCall(t, s.url+"/mcp", beginSession, bearer(dave)); answer.StatusCode != http.StatusUnauthorized {
			t.Fatalf("a token that was revoked: %s", answer.Status)
		}
	}
	connectHTTP(t, s.url, "2025-11-25", as(alice)).mustTool("list_docs", map[string]any{})
	_ = s.cmd.Process.Signal(os.Interrupt)
	log := s.log()
	if !strings.Contains(log, `msg="tokens read again: 1, one fewer (dave)"`) || strings.Count(log, `msg="sign-in refused" address=127.0.0.1 at=/mcp`) != 3 ||
		!strings.Contains(log, `msg="more sign-ins refused" address=127.0.0.1 count=47`) || strings.Contains(log, dave) {
		t.Errorf("the log says:\n%s", log)
	}
}

const (
	callIndex = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"index_docs","arguments":{}}}`
	callList  = `{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"list_docs","arguments":{}}}`
)

// TestHTTPChallenges: each refusal has its status, and a challenge.
func TestHTTPChallenges(t *testing.T) {
	t.Parallel()
	dir, _ := httpFolder(t)
	tokens := filepath.Join(t.TempDir(), "tokens")
	reader, indexer := newToken(t, tokens, "reader", "--scope", "read"), newToken(t, tokens, "indexer")
	s := serveHTTP(t, "--tokens", tokens, ownIndex(t), dir)
	session := openSession(t, s.url, bearer(reader))
	in := func(token string) map[string]string {
		return bearer(token, "Mcp-Session-Id", session, "Mcp-Protocol-Version", "2025-11-25")
	}
	sly := strings.Replace(callIndex, `"name":"index_docs"`, `"name":"index_docs","Name":"list_docs"`, 1)
	for name, c := range map[string]struct {
		path, body string
		header     map[string]string
		want       int
		challenge  string
	}{
		"no token":          {"/mcp", beginSession, nil, 401, `Bearer scope="read"`},
		"wrong token":       {"/mcp", beginSession, bearer("vdm_wrong"), 401, `error="invalid_token"`},
		"token in the URL":  {"/mcp?access_token=" + reader, beginSession, nil, 401, `Bearer scope="read"`},
		"password":          {"/mcp", beginSession, map[string]string{"Authorization": "Basic YTpi"}, 400, `error="invalid_request"`},
		"empty token":       {"/mcp", beginSession, map[string]string{"Authorization": "Bearer "}, 400, `error="invalid_request"`},
		"own session":       {"/mcp", callList, in(reader), 200, ""},
		"stolen session":    {"/mcp", callList, in(indexer), 404, ""},
		"session, no token": {"/mcp", callList, map[string]string{"Mcp-Session-Id": session}, 401, `Bearer scope="read"`},
		"to index":          {"/mcp", callIndex, in(reader), 403, `error="insufficient_scope", scope="index"`},
		"to index slyly":    {"/mcp", sly, in(reader), 403, `scope="index"`},
		"to index in two":   {"/mcp", "[" + callList + "," + callIndex + "]", in(reader), 403, `scope="index"`},
		"unreadable":        {"/mcp", callIndex + "}", in(reader), 403, `scope="index"`},
		"foreign page":      {"/mcp", beginSession, bearer(reader, "Origin", "https://evil.example.com"), 403, ""},
		"no provider":       {"/.well-known/oauth-protected-resource/mcp", "", nil, 404, ""},
	} {
		answer := rawCall(t, s.url+c.path, c.body, c.header)
		body := bodyOf(t, answer)
		if got := answer.Header.Get("WWW-Authenticate"); answer.StatusCode != c.want || !strings.Contains(got, c.challenge) || c.challenge == "" && got != "" {
			t.Errorf("%s: %s, %s", name, answer.Status, got)
		}
		if strings.Contains(body, reader) || strings.Contains(body, indexer) {
			t.Errorf("%s: the answer has a token", name)
		}
	}
}

// TestHTTPStolenSSE: knowing the ID of a session of the oldest protocol lets no other
// user send into it.
func TestHTTPStolenSSE(t *testing.T) {
	t.Parallel()
	dir, _ := httpFolder(t)
	tokens := filepath.Join(t.TempDir(), "tokens")
	alice, bob := newToken(t, tokens, "alice"), newToken(t, tokens, "bob")
	s := serveHTTP(t, "--tokens", tokens, ownIndex(t), dir)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.url+"/sse", nil)
	if err != nil {
		t.Fatal(err)
	}
	stream := rawDo(t, r, bearer(alice))
	first := make([]byte, 4096)
	n, err := stream.Body.Read(first)
	if err != nil {
		t.Fatal(err)
	}
	_, place, _ := strings.Cut(string(first[:n]), "data: ")
	place, _, _ = strings.Cut(place, "\n")
	for token, want := range map[string]int{alice: 202, bob: 404} {
		if answer := rawCall(t, s.url+strings.TrimSpace(place), beginSession, bearer(token)); answer.StatusCode != want {
			t.Errorf("%s, want %d", answer.Status, want)
		}
	}
}

// TestHTTPOtherMethod: a request with a method that does nothing here learns so, instead of being asked to sign in.
func TestHTTPOtherMethod(t *testing.T) {
	t.Parallel()
	dir, _ := httpFolder(t)
	tokens := filepath.Join(t.TempDir(), "tokens")
	newToken(t, tokens, "alice")
	s := serveHTTP(t, "--tokens", tokens, ownIndex(t), dir)
	for _, path := range []string{"/sse", "/mcp"} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodDelete, s.url+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		if answer := rawDo(t, r, nil); answer.StatusCode != http.StatusMethodNotAllowed {
			t.Errorf("%s: %s", path, answer.Status)
		}
	}
}

// TestHTTPRate: one user who asks too often is slowed down, others are not.
func TestHTTPRate(t *testing.T) {
	t.Parallel()
	dir, _ := httpFolder(t)
	tokens := filepath.Join(t.TempDir(), "tokens")
	alice, bob := newToken(t, tokens, "alice"), newToken(t, tokens, "bob")
	s := serveHTTP(t, "--rate-limit=0.5", "--tokens", tokens, ownIndex(t), dir)
	var got []int
	for range 6 {
		got = append(got, rawCall(t, s.url+"/mcp", beginSession, bearer(alice)).StatusCode)
	}
	if !slices.Contains(got, http.StatusTooManyRequests) || got[0] != http.StatusOK {
		t.Errorf("alice gets %v", got)
	}
	if answer := rawCall(t, s.url+"/mcp", beginSession, bearer(bob)); answer.StatusCode != http.StatusOK {
		t.Errorf("bob gets %s", answer.Status)
	}
}

// testIssuer is an identity provider with a key of its own, which can be switched on.
type testIssuer struct {
	url string
	key *ecdsa.PrivateKey
	on  net.Listener
	oidctest.Server
}

func newIssuer(t *testing.T) *testIssuer {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	on, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	i := &testIssuer{url: "http://" + on.Addr().String(), key: key, on: on}
	i.PublicKeys = []oidctest.PublicKey{{PublicKey: key.Public(), KeyID: "a", Algorithm: oidc.ES256}}
	i.SetIssuer(i.url)
	return i
}

func (i *testIssuer) start(t *testing.T) {
	server := httptest.Server{Listener: i.on, Config: &http.Server{Handler: &i.Server}}
	server.Start()
	t.Cleanup(server.Close)
}

func (i *testIssuer) token(t *testing.T, audience, scope string, until time.Duration) string {
	t.Helper()
	claims, err := json.Marshal(map[string]any{"iss": i.url, "sub": "u1", "aud": audience, "scope": scope, "exp": time.Now().Add(until).Unix()})
	if err != nil {
		t.Fatal(err)
	}
	return oidctest.SignIDToken(i.key, "a", oidc.ES256, string(claims))
}

// TestHTTPProvider: a server started before its provider accepts users once the provider
// is up, and refers clients to it.
func TestHTTPProvider(t *testing.T) {
	t.Parallel()
	dir, _ := httpFolder(t)
	i := newIssuer(t)
	s := serveHTTP(t, "--auth-issuer", i.url, "--public-url=https://kb.example.com", ownIndex(t), dir)
	const audience = "https://kb.example.com/mcp"
	if err := i.on.Close(); err != nil { // the listener was needed only to reserve a port
		t.Fatal(err)
	}
	reader := i.token(t, audience, "openid read", time.Hour)
	if answer := rawCall(t, s.url+"/mcp", beginSession, bearer(reader)); answer.StatusCode != http.StatusServiceUnavailable || answer.Header.Get("Retry-After") == "" {
		t.Errorf("while the provider is down: %s", answer.Status)
	}
	on, err := net.Listen("tcp", i.on.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	i.on = on
	i.start(t)
	await(t, "the provider known", func() bool {
		return rawCall(t, s.url+"/mcp", beginSession, bearer(reader)).StatusCode == http.StatusOK
	})
	for name, c := range map[string]struct {
		token, body string
		want        int
		challenge   string
	}{
		"reader":           {reader, beginSession, 200, ""},
		"nobody":           {"", beginSession, 401, `Bearer scope="read", resource_metadata="https://kb.example.com/.well-known/oauth-protected-resource/mcp"`},
		"expired":          {i.token(t, audience, "read", -time.Minute), beginSession, 401, `error="invalid_token"`},
		"for another":      {i.token(t, "https://other.example.com/mcp", "read", time.Hour), beginSession, 401, `error="invalid_token"`},
		"without a scope":  {i.token(t, audience, "openid", time.Hour), beginSession, 403, `error="insufficient_scope", scope="read"`},
		"that may not":     {reader, callIndex, 403, `error="insufficient_scope", scope="index", resource_metadata=`},
		"that may do both": {i.token(t, audience, "index", time.Hour), beginSession, 200, ""},
	} {
		header := map[string]string{}
		if c.token != "" {
			header = bearer(c.token)
		}
		answer := rawCall(t, s.url+"/mcp", c.body, header)
		if got := answer.Header.Get("WWW-Authenticate"); answer.StatusCode != c.want || !strings.Contains(got, c.challenge) {
			t.Errorf("%s: %s, %s", name, answer.Status, got)
		}
	}
	for _, path := range []string{"", "/", "/mcp", "/mcp/"} {
		answer := rawCall(t, s.url+"/.well-known/oauth-protected-resource"+path, "", nil)
		var about struct {
			Resource string   `json:"resource"`
			Servers  []string `json:"authorization_servers"`
		}
		if err := json.NewDecoder(answer.Body).Decode(&about); err != nil || about.Resource != audience || !slices.Equal(about.Servers, []string{i.url}) {
			t.Errorf("%q: %+v, %v", path, about, err)
		}
	}
}

// TestHTTPS checks that the certificate is the one in the files, also after these are replaced.
func TestHTTPS(t *testing.T) {
	t.Parallel()
	dir, _ := httpFolder(t)
	cert, key := filepath.Join(t.TempDir(), "cert.pem"), filepath.Join(t.TempDir(), "key.pem")
	writeCertificate(t, cert, key, 1)
	s := serveHTTP(t, "--tls-cert", cert, "--tls-key", key, ownIndex(t), dir)
	number := func() int64 {
		conn, err := tls.Dial("tcp", strings.TrimPrefix(s.url, "https://"), &tls.Config{InsecureSkipVerify: true})
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		return conn.ConnectionState().PeerCertificates[0].SerialNumber.Int64()
	}
	if n := number(); n != 1 {
		t.Errorf("certificate %d", n)
	}
	for _, h2 := range []bool{false, true} {
		through := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, ForceAttemptHTTP2: h2}}
		for _, protocol := range overHTTP {
			c := connectHTTP(t, s.url, protocol, through)
			if err := c.Subscribe(t.Context(), &mcp.SubscribeParams{URI: c.anyURI()}); err != nil {
				t.Errorf("%s, HTTP/2 %t: %v", protocol, h2, err)
			}
		}
	}
	writeCertificate(t, cert, key, 2)
	await(t, "the new certificate", func() bool { return number() == 2 })
}

// TestHTTPWarnings: risky settings cause a warning at the start.
func TestHTTPWarnings(t *testing.T) {
	t.Parallel()
	dir, _ := httpFolder(t)
	own := t.TempDir()
	tokens, cert, key := filepath.Join(own, "tokens"), filepath.Join(own, "cert.pem"), filepath.Join(own, "key.pem")
	writeCertificate(t, cert, key, 1)
	newToken(t, tokens, "alice", "--group", "cardio")
	watcher := newToken(t, tokens, "watcher", "--scope", "metrics")
	s := serveHTTP(t, "--tokens", tokens, "--allow", "alcie,group:cardio,group:crdio="+dir, "--tls-cert", cert, "--tls-key", key, "--public-url", "https://kb.example.com", ownIndex(t), dir)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.url+"/metrics", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+watcher)
	answer, err := (&http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}).Do(r)
	if err != nil {
		t.Fatal(err)
	}
	if metrics := bodyOf(t, answer); !strings.Contains(metrics, "\nvademecum_certificate_days_left 0.04") {
		t.Errorf("no days are left:\n%s", metrics)
	}
	_ = s.cmd.Process.Kill()
	log := s.log()
	for _, want := range []string{"certificate expires soon", "name=kb.example.com error=", "user=alcie meant=alice", "group=crdio meant=cardio"} {
		if !strings.Contains(log, want) {
			t.Errorf("no %s in\n%s", want, log)
		}
	}
}

// anyURI returns the URI of a document.
func (c *webClient) anyURI() string {
	c.t.Helper()
	all, err := c.ListResources(c.t.Context(), nil)
	if err != nil || len(all.Resources) == 0 {
		c.t.Fatalf("no resources: %v", err)
	}
	return all.Resources[0].URI
}

func writeCertificate(t *testing.T, certFile, keyFile string, number int64) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	about := &x509.Certificate{SerialNumber: big.NewInt(number), NotAfter: time.Now().Add(time.Hour), DNSNames: []string{"localhost"}}
	cert, err := x509.CreateCertificate(rand.Reader, about, about, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	writeText(t, certFile, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: cert})))
	writeText(t, keyFile, string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private})))
}
