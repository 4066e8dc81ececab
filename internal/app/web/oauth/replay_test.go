package oauth_test

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"vademecum/internal/app/web"
)

// What claude.ai and ChatGPT do is replayed here from what their makers say of it, of which
// later pages were read as others quote them in public: neither has connected to this
// program when this was written. Addresses are those of the answers that
// came before, as a client has them that knows nothing but the URL of the server.

// connector is a client that a site connects for its users.
type connector struct {
	*client
	name     string // name that it sends to MCP servers
	resource string
	as       map[string]any // metadata of the authorization server
	session  string
	told     string // time at which the session began
	token    string
}

var resourceMetadata = regexp.MustCompile(`^Bearer .*resource_metadata="([^"]+)"`)

// discover finds the authorization server from the URL of the server, as clients do: by a request
// without a token, the metadata that the refusal names (RFC 9728), and the metadata of the
// authorization server named there (RFC 8414).
func (s *server) discover(name string) *connector {
	s.t.Helper()
	c := &connector{name: name, client: &client{server: s}}
	refused := c.send(http.DefaultClient, c.message("initialize", `{}`))
	at := resourceMetadata.FindStringSubmatch(refused.header.Get("WWW-Authenticate"))
	if refused.status != http.StatusUnauthorized || at == nil {
		s.t.Fatalf("without a token: %d %v", refused.status, refused.header)
	}
	resource := c.document(at[1])
	c.resource, _ = resource["resource"].(string)
	issuer := resource["authorization_servers"].([]any)[0].(string)
	c.as = c.document(strings.TrimSuffix(issuer, "/") + "/.well-known/oauth-authorization-server")
	if c.resource != s.url+"/mcp" || c.as["issuer"] != issuer || !slices.Contains(c.as["code_challenge_methods_supported"].([]any), any("S256")) {
		s.t.Fatalf("what is found is %v and %v", resource, c.as)
	}
	return c
}

// document returns the JSON at an address.
func (c *connector) document(at string) (m map[string]any) {
	c.t.Helper()
	answer, err := http.Get(at)
	must(c.t, err)
	defer answer.Body.Close()
	must(c.t, json.NewDecoder(answer.Body).Decode(&m))
	return m
}

// at returns the path of an address in the metadata of the authorization server.
func (c *connector) at(name string) string {
	c.t.Helper()
	path, found := strings.CutPrefix(c.as[name].(string), c.url)
	if !found {
		c.t.Fatalf("%s is %v", name, c.as[name])
	}
	return path
}

// registers sends a registration (RFC 7591).
func (c *connector) registers(metadata string) answer {
	c.t.Helper()
	got := c.send(http.DefaultClient, c.request(http.MethodPost, c.at("registration_endpoint"), "application/json", metadata))
	if got.status != http.StatusCreated || got.field("token_endpoint_auth_method") != "none" || strings.Contains(got.body, "client_secret") {
		c.t.Fatalf("register: %d %s", got.status, got.body)
	}
	return got
}

// connects lets a user consent in a browser, gets tokens, and begins a session.
func (c *connector) connects(p *person, id, redirect string, more ...string) answer {
	c.t.Helper()
	c.client = c.server.client(id, redirect)
	q := c.asking(append([]string{"resource", c.resource}, more...)...)
	if c.at("authorization_endpoint") != "/authorize" || !strings.HasPrefix(p.says("allow", p.question(q)).header.Get("Location"), redirect+"?code=") {
		c.t.Fatal("the browser is not sent back")
	}
	back := p.allow(q)
	if back.Get("state") != q.Get("state") || back.Get("iss") != c.as["issuer"] {
		c.t.Fatalf("the client is told %v", back)
	}
	got := c.post(c.at("token_endpoint"), url.Values{
		"grant_type": {"authorization_code"}, "code": {back.Get("code")}, "client_id": {id}, "redirect_uri": {redirect}, "code_verifier": {c.verifier}, "resource": {c.resource},
	})
	if got.status != http.StatusOK || got.field("refresh_token") == "" {
		c.t.Fatalf("no tokens: %d %s", got.status, got.body)
	}
	c.token = got.field("access_token")
	c.begins()
	return got
}

// refreshes gets the next tokens after the first have expired.
func (c *connector) refreshes(before answer) {
	c.t.Helper()
	c.turnClock(time.Hour + time.Minute)
	defer c.turnClock(0)
	refused := c.send(http.DefaultClient, c.message("tools/list", `{}`))
	if refused.status != http.StatusUnauthorized || !strings.Contains(refused.header.Get("WWW-Authenticate"), `error="invalid_token"`) {
		c.t.Fatalf("an expired token: %d %v", refused.status, refused.header)
	}
	got := c.post(c.at("token_endpoint"), url.Values{"grant_type": {"refresh_token"}, "refresh_token": {before.field("refresh_token")}, "client_id": {c.id}, "resource": {c.resource}})
	if got.status != http.StatusOK || got.field("refresh_token") == before.field("refresh_token") {
		c.t.Fatalf("refresh: %d %s", got.status, got.body)
	}
	c.token = got.field("access_token")
	if tools := c.calls("tools/list", `{}`); !strings.Contains(tools, "retrieve_docs") {
		c.t.Errorf("with the next token: %s", tools)
	}
}

const protocolOfSites = "2025-06-18"

// message returns an MCP request with the client's token.
func (c *connector) message(method, params string) *http.Request {
	c.t.Helper()
	id := `"id":1,`
	if strings.HasPrefix(method, "notifications/") {
		id = ""
	}
	r := c.request(http.MethodPost, "/mcp", "application/json", fmt.Sprintf(`{"jsonrpc":"2.0",%s"method":%q,"params":%s}`, id, method, params))
	r.Header.Set("Accept", "application/json, text/event-stream")
	if c.token != "" {
		r.Header.Set("Authorization", "Bearer "+c.token)
	}
	if c.session != "" {
		r.Header.Set("Mcp-Session-Id", c.session)
		r.Header.Set("Mcp-Protocol-Version", protocolOfSites)
	}
	return r
}

// begins begins a session.
func (c *connector) begins() {
	c.t.Helper()
	c.session = ""
	got := c.send(http.DefaultClient, c.message("initialize", fmt.Sprintf(`{"protocolVersion":%q,"capabilities":{},"clientInfo":{"name":%q,"version":"1.0.0"}}`, protocolOfSites, c.name)))
	if c.session = got.header.Get("Mcp-Session-Id"); got.status != http.StatusOK || c.session == "" {
		c.t.Fatalf("initialize: %d %s", got.status, got.body)
	}
	c.told = got.body
	c.send(http.DefaultClient, c.message("notifications/initialized", `{}`))
}

// calls sends a request in the session, and returns its result.
func (c *connector) calls(method, params string) string {
	c.t.Helper()
	got := c.send(http.DefaultClient, c.message(method, params))
	_, data, isEvent := strings.Cut(got.body, "data: ")
	var said struct {
		Result json.RawMessage
	}
	if err := json.NewDecoder(strings.NewReader(data)).Decode(&said); got.status != http.StatusOK || !isEvent || err != nil || said.Result == nil {
		c.t.Fatalf("%s %s: %d %s", method, params, got.status, got.body)
	}
	return string(said.Result)
}

// awaits calls a tool until the folder is indexed.
func (c *connector) awaits(tool, arguments, text string) string {
	c.t.Helper()
	for {
		got := c.calls("tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, tool, arguments))
		if strings.Contains(got, text) {
			return got
		}
		if c.t.Context().Err() != nil {
			c.t.Fatalf("%s: %s", tool, got)
		}
	}
}

func asItIs(*server, *web.Options) {}

// claudeDocument is the metadata document that claude.ai publishes.
const claudeDocument = `{"client_id":"https://claude.ai/oauth/mcp-oauth-client-metadata","client_name":"Claude","client_uri":"https://claude.ai","redirect_uris":["https://claude.ai/api/mcp/auth_callback"],` +
	`"grant_types":["authorization_code","refresh_token","urn:ietf:params:oauth:grant-type:jwt-bearer"],"response_types":["code"],"token_endpoint_auth_method":"none"}`

// documentAt makes the site of a client respond with its document, and fails if another document is
// fetched.
func documentAt(t *testing.T, id string, status int, kind, text string) func(*server, *web.Options) {
	return func(s *server, _ *web.Options) {
		s.fetch = &http.Client{Transport: answering(func(r *http.Request) *http.Response {
			if r.URL.String() != id {
				t.Errorf("fetched: %s", r.URL)
			}
			return &http.Response{StatusCode: status, Header: http.Header{"Content-Type": {kind}}, Body: io.NopCloser(strings.NewReader(text))}
		})}
	}
}

// robot makes a site refuse the server as sites refuse robots.
func robot(t *testing.T, id string) func(*server, *web.Options) {
	return documentAt(t, id, http.StatusForbidden, "text/html; charset=UTF-8", "<!DOCTYPE html>")
}

// TestClaude replays how claude.ai connects to a server, according to its documentation:
// https://claude.com/docs/connectors/building/authentication and
// https://support.claude.com/en/articles/11503834 describe both redirect URIs and both kinds of
// registration. It uses a metadata document if the server supports documents and clients without a
// secret, requests offline_access only if the metadata of the authorization server has it, and
// registers again after invalid_client.
func TestClaude(t *testing.T) {
	const id = "https://claude.ai/oauth/mcp-oauth-client-metadata"
	for name, change := range map[string]func(*server, *web.Options){
		"with its document":                              documentAt(t, id, http.StatusOK, "application/json", claudeDocument),
		"whose site takes us for a robot":                robot(t, id),
		"whose site takes us for a robot, at claude.com": robot(t, id),
		"which registers, for claude.ai":                 asItIs,
		"which registers, for claude.com":                asItIs,
		"which registers and asks for more":              asItIs,
	} {
		t.Run(name, func(t *testing.T) {
			s := newServer(t, change)
			c, p := s.discover("claude-ai"), s.signedIn(s.alice)
			id, callback := id, "https://claude.ai/api/mcp/auth_callback"
			if strings.HasSuffix(name, "com") {
				callback = "https://claude.com/api/mcp/auth_callback"
			}
			if strings.HasPrefix(name, "which registers") {
				id = c.registers(fmt.Sprintf(`{"client_name":"Claude","redirect_uris":[%q],"grant_types":["authorization_code","refresh_token"],"response_types":["code"],"token_endpoint_auth_method":"none","scope":"read index"}`, callback)).field("client_id")
			} else if c.as["client_id_metadata_document_supported"] != true || !slices.Contains(c.as["token_endpoint_auth_methods_supported"].([]any), any("none")) {
				t.Fatalf("it takes no document: %v", c.as)
			}
			scope := "read" // as the refusal names it
			if strings.HasSuffix(name, "more") {
				scope = "read index"
			}
			if slices.Contains(c.as["scopes_supported"].([]any), any("offline_access")) {
				t.Error("it would ask for offline_access, which means nothing here")
			}
			got := c.connects(p, id, callback, "scope", scope)
			c.awaits("retrieve_docs", `{"query":"spacer for children"}`, "A spacer helps children")
			if tools := c.calls("tools/list", `{}`); strings.Contains(tools, `"index_docs"`) != (scope != "read") || strings.Contains(tools, `"search"`) {
				t.Errorf("with the scope %s it is offered %s", scope, tools)
			}
			if strings.Contains(c.told, "index_docs") != (scope != "read") {
				t.Errorf("with the scope %s it is told %s", scope, c.told)
			}
			c.refreshes(got)
			s.turnClock(time.Hour + time.Minute) // when it did that
			c.forgets()
		})
	}
}

// chatGPTDocument is the metadata document of chatgpt.com for a client ID and redirect URI. It
// selects the method without a secret.
func chatGPTDocument(id, callback string) string {
	return fmt.Sprintf(`{"client_id":%q,"client_name":"ChatGPT","client_uri":"https://chatgpt.com","redirect_uris":[%q],"grant_types":["authorization_code","refresh_token"],"response_types":["code"],`+
		`"token_endpoint_auth_method":"private_key_jwt","token_endpoint_auth_methods_supported":["none","private_key_jwt"],"token_endpoint_auth_signing_alg":"RS256","jwks_uri":"https://chatgpt.com/oauth/jwks.json"}`, id, callback)
}

// TestChatGPT replays how ChatGPT connects a server, by its documentation:
// https://developers.openai.com/apps-sdk/build/auth, now
// https://developers.openai.com/plugins/build/auth, has the registration by a document or
// by itself, the callbacks (one for all where the server names itself in its answers, and
// the document of that; else each connection has both of its own) and the resource that
// is named throughout, https://developers.openai.com/plugins/build/mcp-server the tools
// search and fetch. That it names the scopes that are supported, and none when somebody
// connects once more, is in
// https://community.openai.com/t/oauth-missing-scopes-after-reconnect/1366784.
func TestChatGPT(t *testing.T) {
	const (
		forAll, ofOne    = "https://chatgpt.com/connector_platform_oauth_redirect", "https://chatgpt.com/connector/oauth/FLLrQdlez6Uf"
		idOfAll, idOfOne = "https://chatgpt.com/oauth/client.json", "https://chatgpt.com/oauth/FLLrQdlez6Uf/client.json"
	)
	for name, way := range map[string]struct {
		id, callback string // the id is "" where it registers
		change       func(*server, *web.Options)
	}{
		"registers, for all":                     {"", forAll, asItIs},
		"registers, for one":                     {"", ofOne, asItIs},
		"has a document for all":                 {idOfAll, forAll, documentAt(t, idOfAll, http.StatusOK, "application/json", chatGPTDocument(idOfAll, forAll))},
		"has a document for one":                 {idOfOne, ofOne, documentAt(t, idOfOne, http.StatusOK, "application/json", chatGPTDocument(idOfOne, ofOne))},
		"takes us for a robot, as it is for all": {idOfAll, forAll, robot(t, idOfAll)},
		"takes us for a robot, as it is for one": {idOfOne, ofOne, robot(t, idOfOne)},
	} {
		t.Run(name, func(t *testing.T) {
			s := newServer(t, way.change)
			c, p := s.discover("openai-mcp (ChatGPT)"), s.signedIn(s.bob) // who may read only
			var scopes []string
			for _, scope := range c.as["scopes_supported"].([]any) {
				scopes = append(scopes, scope.(string))
			}
			if c.as["authorization_response_iss_parameter_supported"] != true {
				t.Error("it would not take the callback for all")
			}
			id := way.id
			if id == "" {
				id = c.registers(fmt.Sprintf(`{"client_name":"ChatGPT","redirect_uris":[%q],"grant_types":["authorization_code","refresh_token"],"response_types":["code"],"token_endpoint_auth_method":"none"}`, way.callback)).field("client_id")
			}
			state := []string{"state", "oauth_s_691b55f5b11481919ddp59nge4998443f"}
			got := c.connects(p, id, way.callback, append(state, "scope", strings.Join(scopes, " "))...)
			if got.field("scope") != "read" {
				t.Errorf("somebody who may read lets it %s", got.field("scope"))
			}
			c.searches()
			c.refreshes(got)
			again := c.connects(p, id, way.callback, append(state, "scope", "")...)
			if again.field("scope") != "read" {
				t.Errorf("without a scope it gets %s", again.body)
			}
			c.forgets()
		})
	}
}

// searches asks a question and fetches a document with the tools that ChatGPT knows.
func (c *connector) searches() {
	c.t.Helper()
	tools := c.calls("tools/list", `{}`)
	for tool, want := range map[string]bool{"search": true, "fetch": true, "retrieve_docs": true, "index_docs": false} {
		if strings.Contains(tools, fmt.Sprintf(`"name":%q`, tool)) != want {
			c.t.Errorf("it is offered %s: %v", tool, !want)
		}
	}
	var found struct {
		Results []struct{ ID, Title, URL string }
	}
	onlyBlock(c.t, c.awaits("search", `{"query":"spacer for children"}`, "asthma.md"), &found)
	var read struct {
		ID, Title, Text, URL string
		Metadata             map[string]string
	}
	onlyBlock(c.t, c.calls("tools/call", fmt.Sprintf(`{"name":"fetch","arguments":{"id":%q}}`, found.Results[0].ID)), &read)
	if first := found.Results[0]; read.ID != first.ID || read.URL != first.URL || !strings.HasPrefix(read.URL, c.public+"/doc?") || read.Title == "" || !strings.Contains(read.Text, "A spacer helps children") {
		c.t.Errorf("%+v is read as %+v", first, read)
	}
}

// forgets ends the session and the grant, as when a user disconnects.
func (c *connector) forgets() {
	c.t.Helper()
	r := c.message("tools/list", `{}`)
	r.Method = http.MethodDelete
	if got := c.send(http.DefaultClient, r); got.status != http.StatusNoContent {
		c.t.Errorf("the session is ended: %d %s", got.status, got.body)
	}
	if got := c.post(c.at("revocation_endpoint"), url.Values{"token": {c.token}, "client_id": {c.id}}); got.status != http.StatusOK {
		c.t.Errorf("the token is ended: %d %s", got.status, got.body)
	}
	if c.session = ""; c.send(http.DefaultClient, c.message("tools/list", `{}`)).status != http.StatusUnauthorized {
		c.t.Error("its token counts")
	}
}

// TestProbes checks that everything that clients look up before sign-in leads them to the same
// place, in each order that is known of them (from the documentation of claude.ai and ChatGPT, and
// the sources of VS Code and the SDKs), and makes no client repeat its request endlessly.
func TestProbes(t *testing.T) {
	for _, below := range []string{"", "/kb"} {
		s := newServer(t, func(s *server, _ *web.Options) { s.public = s.url + below })
		for _, path := range []string{"oauth-protected-resource" + below + "/mcp", "oauth-protected-resource"} {
			for _, method := range []string{http.MethodGet, http.MethodHead} {
				got := s.send(http.DefaultClient, s.request(method, "/.well-known/"+path, "", ""))
				if got.status != http.StatusOK || method == http.MethodGet && (got.field("resource") != s.public+"/mcp" || !strings.Contains(got.body, `"authorization_servers":["`+s.public+`"]`)) {
					t.Errorf("%s %s: %d %s", method, path, got.status, got.body)
				}
			}
		}
		for _, path := range []string{"/.well-known/oauth-authorization-server" + below, "/.well-known/openid-configuration" + below, below + "/.well-known/openid-configuration"} {
			for _, method := range []string{http.MethodGet, http.MethodHead} {
				got := s.send(http.DefaultClient, s.request(method, path, "", ""))
				if got.status != http.StatusOK || method == http.MethodGet && got.field("issuer") != s.public {
					t.Errorf("%s %s: %d %s", method, path, got.status, got.body)
				}
			}
		}
		want := fmt.Sprintf(`Bearer scope="read", resource_metadata="%s/.well-known/oauth-protected-resource%s/mcp"`, s.url, below)
		for _, method := range []string{http.MethodPost, http.MethodDelete, http.MethodGet, http.MethodHead} {
			got := s.send(http.DefaultClient, s.request(method, below+"/mcp", "application/json", ""))
			isRefused := got.status == http.StatusUnauthorized && got.header.Get("WWW-Authenticate") == want
			if isNone := got.status == http.StatusMethodNotAllowed && got.header.Get("WWW-Authenticate") == ""; !isRefused && (!isNone || method == http.MethodPost) {
				t.Errorf("%s: %d %v", method, got.status, got.header)
			}
		}
		for _, path := range []string{below + "/token", below + "/register", below + "/revoke"} {
			if got := s.send(http.DefaultClient, s.request(http.MethodGet, path, "", "")); got.status != http.StatusMethodNotAllowed || got.header.Get("Allow") != "POST" {
				t.Errorf("GET %s: %d", path, got.status)
			}
		}
	}
}

// TestPrograms replays what programs on users' devices register and request, according to what is
// public: for VS Code src/vs/base/common/oauth.ts and its document; for Codex its document; for Zed
// crates/context_server/src/oauth.rs; for Cursor what servers saw version 3.20 register.
func TestPrograms(t *testing.T) {
	cursor := []string{"https://www.cursor.com/agents/mcp/oauth/callback", "https://www.cursor.com/bot/mcp/oauth/callback", "cursor://anysphere.cursor-mcp/oauth/callback", "http://localhost:8787/callback", "grokbot://mcp/oauth/callback"}
	code := []string{"https://insiders.vscode.dev/redirect", "https://vscode.dev/redirect", "http://127.0.0.1/", "http://127.0.0.1:33418/"}
	for name, way := range map[string]struct {
		id        string // "" where it registers
		redirects []string
		redirect  string
	}{
		"Cursor":                 {"", cursor, "cursor://anysphere.cursor-mcp/oauth/callback"},
		"Cursor on this device":  {"", cursor, "http://localhost:8787/callback"},
		"VS Code":                {"", code, "http://127.0.0.1:33418/"},
		"VS Code at its site":    {"", code, "https://vscode.dev/redirect"},
		"VS Code by document":    {"https://vscode.dev/oauth/client-metadata.json", nil, "http://127.0.0.1:50123/"},
		"Codex by document":      {"https://chatgpt.com/oauth/codex/client.json", nil, "http://127.0.0.1:42571/callback"},
		"Codex for a connection": {"https://chatgpt.com/oauth/codex/a1b2c3/client.json", nil, "http://127.0.0.1:42571/callback/a1b2c3"},
		"Zed by document":        {"https://zed.dev/oauth/client-metadata.json", nil, "http://127.0.0.1:42571/callback"},
		"Claude Code":            {"https://claude.ai/oauth/claude-code-client-metadata", nil, "http://localhost:55966/callback"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newServer(t, robot(t, way.id))
			c, id := s.discover("program"), way.id
			if id == "" {
				uris, err := json.Marshal(way.redirects)
				must(t, err)
				got := c.registers(fmt.Sprintf(`{"client_name":"Program","redirect_uris":%s,"grant_types":["authorization_code","refresh_token"],"response_types":["code"],"token_endpoint_auth_method":"none","application_type":"native"}`, uris))
				if id = got.field("client_id"); strings.Contains(got.body, "grokbot") || !strings.Contains(got.body, way.redirect) {
					t.Errorf("it is told that it has registered %s", got.body)
				}
			}
			c.connects(s.signedIn(s.alice), id, way.redirect, "scope", "read")
			c.awaits("retrieve_docs", `{"query":"spacer for children"}`, "A spacer helps children")
		})
	}
}

// answering answers requests to all addresses.
type answering func(*http.Request) *http.Response

func (a answering) RoundTrip(r *http.Request) (*http.Response, error) { return a(r), nil }

// onlyBlock parses the JSON in the only block of a result, and checks that the structured content
// is the same.
func onlyBlock(t *testing.T, result string, into any) {
	t.Helper()
	var r struct {
		Content           []struct{ Type, Text string }
		StructuredContent map[string]any
	}
	must(t, json.Unmarshal([]byte(result), &r))
	var same map[string]any
	if len(r.Content) != 1 || r.Content[0].Type != "text" || json.Unmarshal([]byte(r.Content[0].Text), &same) != nil || len(same) == 0 || !slices.Equal(slices.Sorted(maps.Keys(same)), slices.Sorted(maps.Keys(r.StructuredContent))) {
		t.Fatalf("the result is %s", result)
	}
	must(t, json.Unmarshal([]byte(r.Content[0].Text), into))
}
