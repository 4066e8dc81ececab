package mcp

import (
	"bytes"
	"log/slog"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// logged is the output of a logger, which can be read while it is written.
type logged struct {
	mu  sync.Mutex
	all bytes.Buffer
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.all.Write(p)
}

// take returns what was logged since the last call, without times.
func (l *logged) take() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	defer l.all.Reset()
	return regexp.MustCompile(`time=\S+ |took=\S+ `).ReplaceAllString(l.all.String(), "")
}

func (l *logged) logger() *slog.Logger { return slog.New(slog.NewTextHandler(l, nil)) }

// TestAudit checks that each call is logged in a line with its outcome, and without the question.
func TestAudit(t *testing.T) {
	t.Parallel()
	var log logged
	c := connect(t, serve(t, folder(t, three), Options{Logger: log.logger()}), "test")
	c.call("index_docs", `{}`)
	log.take()
	for _, tt := range []struct{ tool, arguments, want string }{
		{"retrieve_docs", `{"query": "心绞痛患者的症状和治疗", "top_k": 1}`, "tool=retrieve_docs passages=1 outcome=answered"},
		{"retrieve_docs", `{"query": ""}`, "tool=retrieve_docs passages=0 outcome=refused"},
		{"find_in_docs", `{"text": "患者"}`, "tool=find_in_docs passages=3 outcome=answered"},
		{"check_quotes", `{"quotes": ["胸痛和气短", "nothing of the kind"]}`, "tool=check_quotes passages=1 outcome=answered"},
		{"list_docs", `{"path": "心脏病.txt"}`, "tool=list_docs passages=0 outcome=answered"},
	} {
		c.call(tt.tool, tt.arguments)
		if got, want := log.take(), "level=INFO msg=call user=local "+tt.want+"\n"; got != want {
			t.Errorf("%s %s is logged as %q, want %q", tt.tool, tt.arguments, got, want)
		}
	}
	_, _ = c.CallTool(t.Context(), &mcp.CallToolParams{Name: "心绞痛\nlevel=ERROR"})
	if got := log.take(); got != "level=INFO msg=call user=local tool=unknown passages=0 outcome=failed\n" {
		t.Errorf("an unknown tool is logged as %q", got)
	}
	_, _ = c.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "file:///心绞痛.md"})
	if got := log.take(); got != "level=INFO msg=call user=local tool=resources/read passages=0 outcome=failed\n" {
		t.Errorf("a resource that is not there is logged as %q", got)
	}
}

// TestLogQueries checks that the question is logged with its rewordings, in the same line, if that
// is wanted.
func TestLogQueries(t *testing.T) {
	t.Parallel()
	var log logged
	c := connect(t, serve(t, folder(t, three), Options{Logger: log.logger(), LogQueries: true}), "test")
	c.call("retrieve_docs", `{"query": "心绞痛\nlevel=ERROR", "also": ["angina"]}`)
	got := log.take()
	c.call("find_in_docs", `{"text": "硝酸甘油"}`)
	if found := log.take(); !strings.HasSuffix(found, " outcome=answered asked=[硝酸甘油]\n") {
		t.Errorf("what is found is logged as %q", found)
	}
	if !strings.HasSuffix(got, ` outcome=answered asked="[心绞痛\nlevel=ERROR angina]"`+"\n") {
		t.Errorf("it is logged as %q", got)
	}
}

// TestMistakesOfClients checks that mistakes of clients are not logged as errors.
func TestMistakesOfClients(t *testing.T) {
	t.Parallel()
	var log logged
	s := serve(t, folder(t, three), Options{Logger: log.logger()})
	here, there := mcp.NewInMemoryTransports()
	if _, err := s.sdk.Connect(t.Context(), there, nil); err != nil {
		t.Fatal(err)
	}
	raw, err := here.Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ask := func(id int64, method, params string) {
		t.Helper()
		name, err := jsonrpc.MakeID(float64(id))
		if err != nil {
			t.Fatal(err)
		}
		if err := raw.Write(t.Context(), &jsonrpc.Request{ID: name, Method: method, Params: []byte(params)}); err != nil {
			t.Fatal(err)
		}
		if _, err := raw.Read(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	begin := `{"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}`
	ask(1, "tools/list", `{}`)
	ask(2, "initialize", begin)
	ask(3, "initialize", begin)
	if got := log.take(); strings.Contains(got, "level=ERROR") || strings.Count(got, "level=INFO") < 2 {
		t.Errorf("what the client does wrong is logged as %s", got)
	}
	sdkLogger(log.logger()).Error("jsonrpc2 internal error")
	if got := log.take(); !strings.Contains(got, "level=ERROR") {
		t.Errorf("what the server does wrong is logged as %q", got)
	}
}
