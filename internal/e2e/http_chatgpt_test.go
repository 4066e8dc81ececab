package e2e

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// asClient sends a stateless request, like ChatGPT, as a client with a name.
func asClient(t *testing.T, s *httpServer, token, client, method, params string) string {
	t.Helper()
	var named struct{ Name string }
	if err := json.Unmarshal([]byte("{"+params+"}"), &named); err != nil {
		t.Fatal(err)
	}
	meta := fmt.Sprintf(`"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientInfo": {"name": %q, "version": "1.0.0"}, "io.modelcontextprotocol/clientCapabilities": {}}`, client)
	if params != "" {
		meta += ", " + params
	}
	header := bearer(token, "Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", method)
	if named.Name != "" {
		header["Mcp-Name"] = named.Name
	}
	return bodyOf(t, rawCall(t, s.url+"/mcp", fmt.Sprintf(`{"jsonrpc": "2.0", "id": 1, "method": %q, "params": {%s}}`, method, meta), header))
}

// textIn parses the JSON in the only block of a result.
func textIn(t *testing.T, answer string, into any) {
	t.Helper()
	_, data, isEvent := strings.Cut(answer, "data: ")
	if !isEvent {
		data = answer
	}
	var response struct {
		Result struct{ Content []struct{ Text string } }
	}
	err := json.NewDecoder(strings.NewReader(data)).Decode(&response)
	if err == nil && len(response.Result.Content) == 1 {
		err = json.Unmarshal([]byte(response.Result.Content[0].Text), into)
	}
	if err != nil || len(response.Result.Content) != 1 {
		t.Fatalf("%v: %s", err, answer)
	}
}

// TestHTTPChatGPT checks that ChatGPT can search, fetch and link to the page of a document with a
// token that may only read, and that other clients are not offered these tools unless all are.
func TestHTTPChatGPT(t *testing.T) {
	t.Parallel()
	dir, _ := httpFolder(t)
	tokens := filepath.Join(t.TempDir(), "tokens")
	token := newToken(t, tokens, "reader", "--scope", "read")
	s := serveHTTP(t, ownIndex(t), "--tokens", tokens, dir)
	const chatGPT = "openai-mcp (ChatGPT)"
	if list := asClient(t, s, token, chatGPT, "tools/list", ""); !strings.Contains(list, `"name":"search"`) || !strings.Contains(list, `"name":"fetch"`) || !strings.Contains(list, `"name":"retrieve_docs"`) {
		t.Errorf("it is offered %s", list)
	}
	var found struct {
		Results []struct{ ID, Title, URL string }
	}
	textIn(t, asClient(t, s, token, chatGPT, "tools/call", `"name": "search", "arguments": {"query": "高血压患者每天吃多少盐"}`), &found)
	if len(found.Results) == 0 || !strings.HasPrefix(found.Results[0].Title, "高血压 饮食.md, lines ") {
		t.Fatalf("it finds %+v", found)
	}
	first := found.Results[0]
	var read struct{ ID, Text, URL string }
	textIn(t, asClient(t, s, token, chatGPT, "tools/call", fmt.Sprintf(`"name": "fetch", "arguments": {"id": %q}`, first.ID)), &read)
	if read.ID != first.ID || read.URL != first.URL || !strings.Contains(read.Text, "少于5克") {
		t.Errorf("%+v is read as %+v", first, read)
	}
	path, isHere := strings.CutPrefix(first.URL, s.url+"/doc?")
	reader := visit(t, s)
	if page := reader.page("/doc?" + path); !isHere || strings.Contains(page, "少于5克") {
		t.Errorf("whoever has not signed in sees at %s: %s", first.URL, page)
	}
	reader.signIn(token)
	if page := reader.page("/doc?" + path); !strings.Contains(page, "少于5克") {
		t.Errorf("the page is %s", page)
	}
	if list := asClient(t, s, token, "claude-ai", "tools/list", ""); strings.Contains(list, `"name":"search"`) || strings.Contains(list, `"name":"fetch"`) {
		t.Errorf("another client is offered %s", list)
	}
	forAll := serveHTTP(t, ownIndex(t), "--tokens", tokens, "--tools", "openai", dir)
	if list := asClient(t, forAll, token, "claude-ai", "tools/list", ""); !strings.Contains(list, `"name":"search"`) {
		t.Errorf("with --tools openai all are offered %s", list)
	}
}
