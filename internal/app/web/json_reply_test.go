package web

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
)

// TestJSONReply checks that a client that does not accept streams gets JSON, also under a path with
// a trailing slash.
func TestJSONReply(t *testing.T) {
	a := attack(t, Options{pace: patient})
	post := func(path, accept, session, body string) (*http.Response, string) {
		t.Helper()
		r, err := http.NewRequest(http.MethodPost, "http://"+a.at+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header = http.Header{"Content-Type": {mediaTypeJSON}, "Accept": {accept}}
		if accept == "" {
			r.Header.Del("Accept")
		}
		if session != "" {
			r.Header.Set("Mcp-Session-Id", session)
		}
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		text, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Fatal(err)
		}
		return answer, string(text)
	}
	opened, text := post("/mcp/", "application/json", "", begin)
	session := opened.Header.Get("Mcp-Session-Id")
	var answer struct {
		ID     int
		Result struct{ ServerInfo struct{ Name string } }
	}
	if err := json.Unmarshal([]byte(text), &answer); err != nil || answer.ID != 1 || answer.Result.ServerInfo.Name != "vademecum" || session == "" || opened.Header.Get("Content-Type") != mediaTypeJSON {
		t.Fatalf("initialize is answered with %v %q, %v", opened.Header, text, err)
	}
	if told, text := post("/mcp", "application/json", session, `{"jsonrpc":"2.0","method":"notifications/initialized"}`); told.StatusCode != http.StatusAccepted || text != "" {
		t.Errorf("a notification is answered with %d %q", told.StatusCode, text)
	}
	search := `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"retrieve_docs","arguments":{"query":"spacer"},"_meta":{"progressToken":1}}}`
	if found, text := post("/mcp", "application/json; q=0.9, text/plain", session, search); !json.Valid([]byte(text)) || !strings.Contains(text, `"id":7`) || !strings.Contains(text, "A spacer helps") || found.StatusCode != http.StatusOK {
		t.Errorf("a call is answered with %d %q", found.StatusCode, text)
	}
	if failed, text := post("/mcp", "application/json", session, `{"jsonrpc":"2.0","id":8,"method":"resources/list","params":{"cursor":"none"}}`); !json.Valid([]byte(text)) || !strings.Contains(text, `"code":-32602`) {
		t.Errorf("a wrong cursor is answered with %d %q", failed.StatusCode, text)
	}
	for _, accept := range []string{"application/json, text/event-stream", "*/*"} {
		if stream, text := post("/mcp/", accept, session, listOnce); stream.Header.Get("Content-Type") != mediaTypeStream || !strings.Contains(text, "data: ") {
			t.Errorf("who accepts %s is answered with %v %q", accept, stream.Header, text)
		}
	}
	if silent, text := post("/mcp", "", session, listOnce); silent.Header.Get("Content-Type") != mediaTypeJSON || !json.Valid([]byte(text)) {
		t.Errorf("who says nothing of it is answered with %v %q", silent.Header, text)
	}
	if refused, text := post("/mcp", "text/html", session, listOnce); refused.StatusCode != http.StatusBadRequest {
		t.Errorf("who accepts no JSON is answered with %d %q", refused.StatusCode, text)
	}
	if got := string(responsesIn([]byte("event: message\ndata: {\"id\":1,\"result\":{}}\n\ndata: {\"method\":\"x\"}\n\ndata: {\"id\":2,\"error\":{}}\n\n"))); got != `[{"id":1,"result":{}},{"id":2,"error":{}}]` {
		t.Errorf("several responses are %s", got)
	}
}
