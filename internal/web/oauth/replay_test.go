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

	"vademecum/internal/web"
)

// What claude.ai and ChatGPT do is replayed here from what their makers say of it: neither has
// connected to this program when this was written. Addresses are those of the answers that
// came before, as a client has them that knows nothing but the URL of the server.

// connector is a client that a site connects for its users.
type connector struct {
	*client
	name     string // as it calls itself to MCP servers
	resource string
	as       map[string]any // what the authorization server says of itself
	session  string
	told     string // when that began
	token    string
}

var resourceMetadata = regexp.MustCompile(`^Bearer .*resource_metadata="([^"]+)"`)

// discover goes from the URL of the server to its authorization server: a request without a
// token, the metadata that the refusal names (RFC 9728), and that of the server which is
// named there (RFC 8414).
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

// document is the JSON at an address.
func (c *connector) document(at string) (m map[string]any) {
	c.t.Helper()
	answer, err := http.Get(at)
	must(c.t, err)
	defer answer.Body.Close()
	must(c.t, json.NewDecoder(answer.Body).Decode(&m))
	return m
}

// at is an address that the authorization server names, as a path of it.
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

// connects has somebody agree in their browser, gets tokens and begins a session.
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

// refreshes goes on with the next tokens when the first have expired.
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

// message is a request of MCP, with the token that the client has.
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

// begins opens a session.
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

// awaits calls a tool until the folder of the server is indexed.
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

// claudeDocument is what claude.ai publishes of itself.
const claudeDocument = `{"client_id":"https://claude.ai/oauth/mcp-oauth-client-metadata","client_name":"Claude","client_uri":"https://claude.ai","redirect_uris":["https://claude.ai/api/mcp/auth_callback"],` +
	`"grant_types":["authorization_code","refresh_token","urn:ietf:params:oauth:grant-type:jwt-bearer"],"response_types":["code"],"token_endpoint_auth_method":"none"}`

// TestClaude replays how claude.ai connects a server, by its documentation:
// https://claude.com/docs/connectors/building/authentication and
// https://support.claude.com/en/articles/11503834 have the callbacks, the registration by a
// document or by itself, and that it registers again when it is told invalid_client.
func TestClaude(t *testing.T) {
	site := func(status int, kind, text string) func(*server, *web.Options) {
		return func(s *server, _ *web.Options) {
			s.fetch = &http.Client{Transport: answering(func(r *http.Request) *http.Response {
				if r.URL.String() != "https://claude.ai/oauth/mcp-oauth-client-metadata" {
					t.Errorf("fetched: %s", r.URL)
				}
				return &http.Response{StatusCode: status, Header: http.Header{"Content-Type": {kind}}, Body: io.NopCloser(strings.NewReader(text))}
			})}
		}
	}
	for name, change := range map[string]func(*server, *web.Options){
		"with its document":                 site(http.StatusOK, "application/json", claudeDocument),
		"whose site takes us for a robot":   site(http.StatusForbidden, "text/html; charset=UTF-8", "<!DOCTYPE html>"),
		"which registers, for claude.ai":    asItIs,
		"which registers, for claude.com":   asItIs,
		"which registers and asks for more": asItIs,
	} {
		t.Run(name, func(t *testing.T) {
			s := newServer(t, change)
			c, p := s.discover("claude-ai"), s.signedIn(s.alice)
			id, callback := "https://claude.ai/oauth/mcp-oauth-client-metadata", "https://claude.ai/api/mcp/auth_callback"
			if strings.HasPrefix(name, "which registers") {
				if strings.HasSuffix(name, "com") {
					callback = "https://claude.com/api/mcp/auth_callback"
				}
				id = c.registers(fmt.Sprintf(`{"client_name":"Claude","redirect_uris":[%q],"grant_types":["authorization_code","refresh_token"],"response_types":["code"],"token_endpoint_auth_method":"none","scope":"read index"}`, callback)).field("client_id")
			} else if c.as["client_id_metadata_document_supported"] != true || !slices.Contains(c.as["token_endpoint_auth_methods_supported"].([]any), any("none")) {
				t.Fatalf("it takes no document: %v", c.as)
			}
			scope := "read" // as the refusal says
			if strings.HasSuffix(name, "more") {
				scope = "read index"
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
		})
	}
}

// TestChatGPT replays how ChatGPT connects a server, by its documentation:
// https://developers.openai.com/apps-sdk/build/auth has the registration, the callbacks (each
// connector has one of its own; the older one is for all) and the resource that is named
// throughout, https://developers.openai.com/apps-sdk/build/mcp-server the tools search and
// fetch. That it names the scopes that are supported, and none when somebody connects once
// more, is in https://community.openai.com/t/oauth-missing-scopes-after-reconnect/1366784.
func TestChatGPT(t *testing.T) {
	for _, callback := range []string{"https://chatgpt.com/connector/oauth/FLLrQdlez6Uf", "https://chatgpt.com/connector_platform_oauth_redirect"} {
		s := newServer(t)
		c, p := s.discover("openai-mcp (ChatGPT)"), s.signedIn(s.bob) // who may read only
		var scopes []string
		for _, scope := range c.as["scopes_supported"].([]any) {
			scopes = append(scopes, scope.(string))
		}
		id := c.registers(fmt.Sprintf(`{"client_name":"ChatGPT","redirect_uris":[%q],"grant_types":["authorization_code","refresh_token"],"response_types":["code"],"token_endpoint_auth_method":"none"}`, callback)).field("client_id")
		state := []string{"state", "oauth_s_691b55f5b11481919ddp59nge4998443f"}
		got := c.connects(p, id, callback, append(state, "scope", strings.Join(scopes, " "))...)
		if got.field("scope") != "read" {
			t.Errorf("somebody who may read lets it %s", got.field("scope"))
		}
		tools := c.calls("tools/list", `{}`)
		for tool, want := range map[string]bool{"search": true, "fetch": true, "retrieve_docs": true, "index_docs": false} {
			if strings.Contains(tools, fmt.Sprintf(`"name":%q`, tool)) != want {
				t.Errorf("it is offered %s: %v", tool, !want)
			}
		}
		var found struct {
			Results []struct{ ID, Title, URL string }
		}
		onlyBlock(t, c.awaits("search", `{"query":"spacer for children"}`, "asthma.md"), &found)
		var read struct {
			ID, Title, Text, URL string
			Metadata             map[string]string
		}
		onlyBlock(t, c.calls("tools/call", fmt.Sprintf(`{"name":"fetch","arguments":{"id":%q}}`, found.Results[0].ID)), &read)
		if first := found.Results[0]; read.ID != first.ID || read.URL != first.URL || !strings.HasPrefix(read.URL, s.public+"/doc?") || !strings.Contains(read.Text, "A spacer helps children") {
			t.Errorf("%+v is read as %+v", first, read)
		}
		c.refreshes(got)
		again := c.connects(p, id, callback, append(state, "scope", "")...)
		if again.field("scope") != "read" {
			t.Errorf("without a scope it gets %s", again.body)
		}
	}
}

// answering answers requests to all addresses.
type answering func(*http.Request) *http.Response

func (a answering) RoundTrip(r *http.Request) (*http.Response, error) { return a(r), nil }

// onlyBlock reads the JSON in the only block of a result, which is what is structured, too.
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
