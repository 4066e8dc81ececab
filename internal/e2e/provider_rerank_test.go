package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"vademecum/embed/local/localtest"
)

// rerankServer is a reranker that prefers the notes with high numbers. It remembers the
// keys that it was given.
type rerankServer struct {
	*httptest.Server
	mu   sync.Mutex
	keys []string
}

func newRerankServer(t *testing.T) *rerankServer {
	s := new(rerankServer)
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *rerankServer) spec() string { return s.URL + "/v1#m" }

func (s *rerankServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var req struct{ Documents []string }
	if err := json.NewDecoder(r.Body).Decode(&req); err != nil || r.URL.Path != "/v1/rerank" {
		http.Error(w, "no", http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	s.keys = append(s.keys, r.Header.Get("Authorization"))
	s.mu.Unlock()
	type result struct {
		Index int     `json:"index"`
		Score float64 `json:"relevance_score"`
	}
	var results []result
	for i, text := range req.Documents {
		_, after, _ := strings.Cut(text, "Note ")
		var number float64
		_, _ = fmt.Sscan(after, &number)
		results = append(results, result{i, number})
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"results": results})
}

// output runs the program and returns its output on both streams.
func output(t *testing.T, args ...string) string {
	t.Helper()
	out, err := vademecum(t, args...).CombinedOutput()
	if err != nil {
		t.Errorf("%q: %s %v", args, out, err)
	}
	return string(out)
}

// TestRerankMeasured checks that eval shows the effect of a reranker, and none for one that is
// unreachable.
func TestRerankMeasured(t *testing.T) {
	t.Parallel()
	dir, file, s := manyNotes(t, 24), indexFile(t), newRerankServer(t)
	queries, qrels := filepath.Join(t.TempDir(), "q"), filepath.Join(t.TempDir(), "r")
	for file, text := range map[string]string{queries: "1\twarfarin\n2\tinsulin\n", qrels: "1\t0/16.md\t1\n2\t0/17.md\t1\n"} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	eval := func(more ...string) string {
		return output(t, append([]string{"eval", dir, "--index", file, "--queries", queries, "--qrels", qrels}, more...)...)
	}
	if out := eval(); strings.Count(out, "\n") != 2 || strings.Contains(out, "reranke") {
		t.Errorf("without one it says:\n%s", out)
	}
	if out := eval("--rerank", s.spec()); strings.Count(out, "\n") != 3 || !strings.Contains(out, "without reranker\n") || !strings.Contains(out, "reranked\n") {
		t.Errorf("with one it says:\n%s", out)
	}
	var m struct {
		NDCG     float64 `json:"ndcg@10"`
		Reranked *struct {
			NDCG float64 `json:"ndcg@10"`
		}
		NotReranked int `json:"not_reranked"`
	}
	if err := json.Unmarshal([]byte(eval("--json", "--rerank", s.spec())), &m); err != nil || m.Reranked == nil || m.Reranked.NDCG != 1 || m.NDCG >= 1 || m.NotReranked != 0 {
		t.Errorf("in JSON it says %+v, %v", m, err)
	}
	s.Close()
	if out := eval("--rerank", s.spec()); !strings.Contains(out, "2 of 2 questions were not reranked") {
		t.Errorf("with one that is away it says:\n%s", out)
	}
}

// TestRerankServed: a server that indexes and one that follows use the order of the
// reranker, and answer without it when it is down.
func TestRerankServed(t *testing.T) {
	t.Parallel()
	dir, file, s := manyNotes(t, 24), indexFile(t), newRerankServer(t)
	first := func(f found) string {
		if len(f.Passages) == 0 {
			return ""
		}
		return f.Passages[0].Text
	}
	var servers []*client
	for i := range 2 {
		c := connect(t, vademecum(t, "serve", dir, "--index", file, "--rerank", s.spec()))
		servers = append(servers, c)
		if _, err := c.await(time.Now(), "warfarin", func(f found) bool { return strings.Contains(first(f), "Note 16 ") && len(f.Notes) == 0 }); err != nil {
			t.Errorf("server %d: %v", i, err)
		}
	}
	s.Close()
	for i, c := range servers {
		f, err := c.retrieve("warfarin")
		if err != nil || !f.says("Not reranked:") || !f.holds("Note 16 ") || len(f.Passages) == 0 {
			t.Errorf("server %d without it: %s %v", i, f, err)
		}
		c.kill()
	}
}

// TestRerankHostIsNamed: the program names the host that receives passages if that is not
// this machine. A proxy on which nothing listens keeps them here.
func TestRerankHostIsNamed(t *testing.T) {
	t.Parallel()
	for spec, host := range map[string]string{newRerankServer(t).spec(): "", "https://rerank.invalid/v1#m": "rerank.invalid"} {
		dir, file := manyNotes(t, 9), indexFile(t)
		for try := range 2 {
			c := vademecum(t, "search", dir, "warfarin", "--index", file, "--rerank", spec)
			c.Env = append(c.Env, "HTTPS_PROXY=http://127.0.0.1:1", "NO_PROXY=127.0.0.1")
			var stderr strings.Builder
			c.Stderr = &stderr
			out, err := c.Output()
			if err != nil || !strings.Contains(string(out), "warfarin") {
				t.Errorf("%s: %s %s %v", spec, out, &stderr, err)
			}
			first, _, _ := strings.Cut(stderr.String(), "\n") // before anything is sent
			if named := strings.Contains(first, "sent to") && strings.Contains(first, host); named != (host != "" && try == 0) {
				t.Errorf("%s: question %d says first %q", spec, try, first)
			}
		}
		if told := output(t, "status", dir, "--index", file); strings.Contains(told, "passages found are sent to: "+host) != (host != "") {
			t.Errorf("%s: the status is\n%s", spec, told)
		}
	}
}

// TestRerankKeyIsKept: the key is sent to the reranker, and neither printed, stored nor
// installed, and that of an embedder elsewhere is not sent.
func TestRerankKeyIsKept(t *testing.T) {
	t.Parallel()
	dir, file, s, p := manyNotes(t, 9), indexFile(t), newRerankServer(t), newProvider(t)
	for _, set := range []struct {
		variable string
		embed    string
		want     string
	}{
		{"VADEMECUM_RERANK_API_KEY", p.spec("model"), "Bearer " + secret},
		{"VADEMECUM_API_KEY", "builtin", "Bearer " + secret},
		{"VADEMECUM_API_KEY", p.spec("model"), ""},
	} {
		c := vademecum(t, "search", dir, "warfarin", "--index", file, "--embed", set.embed, "--rerank", s.spec(), "--log-level", "debug")
		c.Env = append(c.Env, set.variable+"="+secret)
		said, err := c.CombinedOutput()
		if err != nil || strings.Contains(string(said), secret) {
			t.Errorf("%+v: %s %v", set, said, err)
		}
		s.mu.Lock()
		if n := len(s.keys); n == 0 || s.keys[n-1] != set.want {
			t.Errorf("%+v: the keys sent are %q", set, s.keys)
		}
		s.mu.Unlock()
	}
	for where, text := range everyFile(t, filepath.Dir(file)) {
		if strings.Contains(text, secret) {
			t.Errorf("the key is in %s", where)
		}
	}
	c := vademecum(t, "install", "cursor", dir, "--rerank", "https://rerank.invalid/v1#m", "--print")
	c.Env = append(c.Env, "VADEMECUM_RERANK_API_KEY="+secret)
	said, err := c.CombinedOutput()
	if err != nil || strings.Contains(string(said), secret) || !strings.Contains(string(said), `"https://rerank.invalid/v1#m"`) {
		t.Errorf("installed is %s %v", said, err)
	}
}

// TestRerankMistakes checks that an invalid reranker is refused without printing what may be a key
// in it.
func TestRerankMistakes(t *testing.T) {
	t.Parallel()
	dir := manyNotes(t, 1)
	for want, args := range map[string][]string{
		"no model is named":                  {"--rerank", "https://h/v1"},
		"not an address like http://host/v1": {"--rerank", secret},
		"no-such-model is missing":           {"--rerank", "local:no-such-model"},
	} {
		for _, command := range [][]string{{"search", dir, "q"}, {"serve", dir}, {"install", "cursor", dir, "--print"}} {
			out, err := vademecum(t, append(command, args...)...).CombinedOutput()
			if err == nil || err.Error() != "exit status 2" || !strings.Contains(string(out), want) || strings.Contains(string(out), secret) {
				t.Errorf("%q %q: %s %v", command, args, out, err)
			}
		}
	}
}

// TestRerankLocal: a model in a folder reorders the notes, no passage is lost, and a host gets
// the folder's absolute path.
func TestRerankLocal(t *testing.T) {
	t.Parallel()
	dir, file, model := manyNotes(t, 24), indexFile(t), localtest.WriteCrossEncoder(t, "bert", localtest.SmallShape)
	cited := func(more ...string) (paths []string) {
		var f found
		if err := json.Unmarshal([]byte(output(t, append([]string{"search", dir, "warfarin", "--json", "--top-k", "20", "--index", file}, more...)...)), &f); err != nil {
			t.Fatal(err)
		}
		for _, p := range f.Passages {
			path, _, _ := strings.Cut(p.URI, "#") // what is shown of a note depends on its score
			paths = append(paths, path)
		}
		return paths
	}
	before := cited()
	after := cited("--rerank", "local:"+model)
	if len(before) < 3 || slices.Equal(before, after) {
		t.Errorf("without it %q, with it %q", before, after)
	}
	slices.Sort(before)
	slices.Sort(after)
	if !slices.Equal(before, after) {
		t.Errorf("without it there are %q, with it %q", before, after)
	}
	c := vademecum(t, "install", "cursor", dir, "--print", "--rerank", "local:"+filepath.Base(model))
	c.Dir = filepath.Dir(model)
	if out, err := c.CombinedOutput(); err != nil || !strings.Contains(string(out), "local:"+model) {
		t.Errorf("installed is %s %v", out, err)
	}
}
