package web

import (
	"context"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"vademecum/index/progress"
	"vademecum/internal/app/web/access"
	"vademecum/internal/app/web/guard"
	"vademecum/internal/app/web/signin"
	"vademecum/mcp"
)

// indexInState is an index with a fixed state.
type indexInState struct {
	state     progress.State
	documents int
}

func (s *indexInState) State() progress.State           { return s.state }
func (s *indexInState) Size() (documents, passages int) { return s.documents, 10 * s.documents }

// scoped is a checker whose tokens are names of scopes, and give that scope.
type scoped struct{ ready bool }

func (scoped) Check(_ context.Context, token string) (signin.User, error) {
	if token == "wrong" {
		return signin.User{}, signin.ErrInvalidToken
	}
	return signin.User{ID: token, Scopes: []string{token}}, nil
}

func (s scoped) CanAcceptTokens() bool { return s.ready }

// watchedServer returns a server that has nothing but its monitoring paths.
func watchedServer(t *testing.T, o Options, all ...MonitoredIndex) *Server {
	t.Helper()
	var err error
	if o.AllowedHosts, err = guard.NewAllowedHosts("127.0.0.1", "", nil, nil); err != nil {
		t.Fatal(err)
	}
	o.Logger, o.Stats = slog.New(slog.DiscardHandler), NewStats("1.2.3")
	o.ChooseView = func(signin.User) (*access.View, error) {
		return newView(), nil
	}
	for i, c := range all {
		o.Stats.WatchIndex(fmt.Sprint(i+1), c)
	}
	return New(o)
}

// ask sends a request from this machine.
func ask(s *Server, method, path string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, "http://localhost:8765"+path, strings.NewReader("{}"))
	r.RemoteAddr = "127.0.0.1:1234"
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	if host := r.Header.Get("Host"); host != "" {
		r.Host = host
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

// TestReady checks that a server is ready when an index can answer, and otherwise says what it
// waits for.
func TestReady(t *testing.T) {
	var (
		loading = &indexInState{state: progress.State{Phase: progress.Loading}}
		first   = &indexInState{state: progress.State{Phase: progress.Indexing}}
		stored  = &indexInState{state: progress.State{Phase: progress.Scanning}, documents: 3}
		empty   = &indexInState{state: progress.State{Phase: progress.Ready, Synced: time.Now()}}
		failed  = &indexInState{state: progress.State{Phase: progress.Failed, Failure: "open /home/alice/diary"}}
	)
	for name, c := range map[string]struct {
		all           []MonitoredIndex
		authenticator *signin.Authenticator
		want          string
	}{
		"nothing opened yet":         {nil, nil, "200 ready"},
		"loading":                    {[]MonitoredIndex{loading}, nil, "503 not ready: the index is being loaded"},
		"the first run":              {[]MonitoredIndex{first}, nil, "503 not ready: the documents are being read for the first time"},
		"an index of the last time":  {[]MonitoredIndex{stored}, nil, "200 ready"},
		"an empty folder":            {[]MonitoredIndex{empty}, nil, "200 ready"},
		"out of order":               {[]MonitoredIndex{failed}, nil, "503 not ready: the index cannot be used; the log says why"},
		"others load":                {[]MonitoredIndex{loading, stored, first}, nil, "200 ready"},
		"a provider that is down":    {[]MonitoredIndex{stored}, &signin.Authenticator{Checkers: []signin.Checker{scoped{}}}, "503 not ready: nobody can be let in"},
		"tokens, while that is down": {[]MonitoredIndex{stored}, &signin.Authenticator{Checkers: []signin.Checker{scoped{true}, scoped{}}}, "200 ready"},
	} {
		w := ask(watchedServer(t, Options{Authenticator: c.authenticator}, c.all...), "GET", "/readyz")
		if got := fmt.Sprint(w.Code, " ", w.Body); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
		if w.Code == 503 && w.Header().Get("Retry-After") == "" || strings.Contains(w.Body.String(), "alice") {
			t.Errorf("%s: %v %s", name, w.Header(), w.Body)
		}
	}
}

// TestWhoWatches checks that the health check is open to all who pass the guard, and the metrics to
// those with a token for them, or to everyone without authentication.
func TestWhoWatches(t *testing.T) {
	authenticator := &signin.Authenticator{Checkers: []signin.Checker{scoped{true}}}
	for name, c := range map[string]struct {
		authenticator *signin.Authenticator
		method, path  string
		header        []string
		want          int
	}{
		"alive":                  {authenticator, "GET", "/healthz", nil, 200},
		"alive, in short":        {authenticator, "HEAD", "/readyz", nil, 200},
		"to change something":    {authenticator, "POST", "/healthz", nil, 405},
		"to change more":         {nil, "DELETE", "/metrics", nil, 405},
		"a foreign name":         {nil, "GET", "/healthz", []string{"Host", "evil.example.com"}, 403},
		"a foreign page":         {nil, "GET", "/metrics", []string{"Origin", "https://evil.example.com"}, 403},
		"numbers, unasked":       {nil, "GET", "/metrics", nil, 200},
		"numbers, no token":      {authenticator, "GET", "/metrics", nil, 401},
		"numbers, through proxy": {authenticator, "GET", "/metrics", []string{"X-Forwarded-For", "127.0.0.1"}, 401},
		"numbers, wrong token":   {authenticator, "GET", "/metrics", []string{"Authorization", "Bearer wrong"}, 401},
		"numbers, reader":        {authenticator, "GET", "/metrics", []string{"Authorization", "Bearer read"}, 403},
		"numbers, indexer":       {authenticator, "GET", "/metrics", []string{"Authorization", "Bearer index"}, 403},
		"numbers, watcher":       {authenticator, "GET", "/metrics", []string{"Authorization", "Bearer metrics"}, 200},
		"documents, watcher":     {authenticator, "POST", "/mcp", []string{"Authorization", "Bearer metrics", "Content-Type", "application/json"}, 403},
	} {
		w := ask(watchedServer(t, Options{Authenticator: c.authenticator}), c.method, c.path, c.header...)
		if w.Code != c.want {
			t.Errorf("%s: %d %s, want %d", name, w.Code, w.Body, c.want)
		}
		if c.path == "/metrics" && w.Code == 401 && !strings.Contains(w.Header().Get("WWW-Authenticate"), `scope="metrics"`) {
			t.Errorf("%s: %s", name, w.Header().Get("WWW-Authenticate"))
		}
	}
}

// TestMetrics checks what is counted, and that clients cannot create labels.
func TestMetrics(t *testing.T) {
	full := &indexInState{state: progress.State{Phase: progress.Indexing, FilesDone: 2, FilesTotal: 5, Synced: time.Unix(1700000000, 0), UnwatchedReason: "too many folders in /home/alice"}, documents: 7}
	s := watchedServer(t, Options{Authenticator: &signin.Authenticator{Checkers: []signin.Checker{scoped{true}}}, RequestsPerSecond: 1}, full)
	NewQuestionLimiter(1, true, s.o.Stats)
	s.o.Stats.CountCall(mcp.ToolCall{Tool: "read_doc", Outcome: "refused", Duration: 30 * time.Millisecond})
	ask(s, "GET", "/healthz")
	for i := range 20 {
		ask(s, "GET", fmt.Sprint("/made/up/", i))
	}
	ask(s, "GET", "/.well-known/oauth-protected-resource/mcp")
	ask(s, "POST", "/mcp")
	ask(s, "POST", "/mcp", "Authorization", "Basic x")
	ask(s, "POST", "/mcp", "Authorization", "Bearer wrong")
	for range 6 {
		ask(s, "POST", "/mcp", "Authorization", "Bearer index")
	}
	w := ask(s, "GET", "/metrics", "Authorization", "Bearer metrics")
	if kind := w.Header().Get("Content-Type"); kind != "text/plain; version=0.0.4; charset=utf-8" {
		t.Error(kind)
	}
	for _, want := range []string{
		`vademecum_http_requests_total{path="healthz",status="200"} 1`,
		`vademecum_http_requests_total{path="other",status="404"} 20`,
		`vademecum_http_requests_total{path=".well-known/oauth-protected-resource",status="404"} 1`,
		`vademecum_http_requests_total{path="mcp",status="401"} 2`,
		`vademecum_signin_refusals_total{reason="missing"} 1`,
		`vademecum_signin_refusals_total{reason="malformed"} 1`,
		`vademecum_signin_refusals_total{reason="invalid"} 1`,
		`vademecum_limited_total{by="address"} 0`,
		`vademecum_limited_total{by="user"} 2`,
		`vademecum_tool_calls_total{tool="read_doc",outcome="refused"} 1`,
		`vademecum_tool_seconds_bucket{tool="read_doc",le="0.025"} 0`,
		`vademecum_tool_seconds_bucket{tool="read_doc",le="0.05"} 1`,
		`vademecum_documents{folders="1"} 7`,
		`vademecum_passages{folders="1"} 70`,
		`vademecum_index_loaded{folders="1"} 1`,
		`vademecum_index_behind{folders="1"} 1`,
		`vademecum_index_failing{folders="1"} 0`,
		`vademecum_index_watched{folders="1"} 0`,
		`vademecum_index_files_due{folders="1"} 3`,
		`vademecum_index_synced_timestamp_seconds{folders="1"} 1.7e+09`,
		`vademecum_searches_waiting 0`,
		`vademecum_searches_turned_away_total 0`,
		`vademecum_sessions 0`,
		`vademecum_streams 0`,
		`vademecum_build_info{version="1.2.3"} 1`,
	} {
		if !strings.Contains(w.Body.String(), "\n"+want+"\n") {
			t.Errorf("%s is missing", want)
		}
	}
	if t.Failed() || strings.Contains(w.Body.String(), "alice") {
		t.Errorf("all of it:\n%s", w.Body)
	}
}

// TestSlowDown checks that a client over the rate limit is told when to retry.
func TestSlowDown(t *testing.T) {
	s := watchedServer(t, Options{Authenticator: &signin.Authenticator{Checkers: []signin.Checker{scoped{true}}}, RequestsPerSecond: 0.2})
	for range 2 {
		w := ask(s, "GET", "/metrics", "Authorization", "Bearer metrics")
		if w.Code == 429 && w.Header().Get("Retry-After") == "5" && strings.Contains(w.Body.String(), "0.2 a second are allowed; try again in 5 s") {
			return
		}
	}
	t.Error("nobody is slowed down")
}
