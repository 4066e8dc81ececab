package embed

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"
)

// rerankServer is a server that reranks. The score of a text is the number that it begins
// with, and results come with the best first.
type rerankServer struct {
	t     *testing.T
	path  string // that it answers at
	key   string // that it wants
	texts bool   // it takes "texts", as text-embeddings-inference does, else "documents"
	both  bool   // it takes either, as llama.cpp does
	lacks string // how it says that the field is missing, with a status before it
	echo  bool   // results hold the texts, as Jina's and vLLM's do
	model bool   // it wants one

	longest int // characters of a text that it takes, 0: any

	mu       sync.Mutex // guards what follows once requests come
	requests []rerankRequest
	instead  func(w http.ResponseWriter, count int) // answers a request by itself, if set; it counts from 1
	latency  time.Duration                          // before it answers
}

func (s *rerankServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client went away
	}
	var req rerankRequest
	if err := json.Unmarshal(body, &req); err != nil {
		s.t.Errorf("request body %.100s: %v", body, err)
	}
	want := ""
	if s.key != "" {
		want = "Bearer " + s.key
	}
	if r.Method != http.MethodPost || r.URL.Path != s.path || r.URL.RawQuery != "" || r.Header.Get("Content-Type") != "application/json" || r.Header.Get("Authorization") != want {
		s.t.Errorf("request %s %s with %v", r.Method, r.URL, r.Header)
	}
	s.mu.Lock()
	s.requests = append(s.requests, req)
	count, latency, instead := len(s.requests), s.latency, s.instead
	s.mu.Unlock()
	if sleepContext(r.Context(), latency) != nil {
		return
	}
	if instead != nil {
		instead(w, count)
		return
	}
	s.answer(w, req)
}

func (s *rerankServer) answer(w http.ResponseWriter, req rerankRequest) {
	all, inTexts := req.Documents, false
	if s.texts || s.both && req.Texts != nil {
		all, inTexts = req.Texts, true
	}
	switch {
	case all == nil:
		status, said, _ := strings.Cut(s.lacks, " ")
		code, _ := strconv.Atoi(status)
		w.WriteHeader(code)
		fmt.Fprint(w, said)
		return
	case s.model && req.Model == "":
		writeError(w, http.StatusBadRequest, "no model", "")
		return
	case inTexts && !req.Truncate || !inTexts && req.TopN != len(all):
		s.t.Errorf("it is asked for %+v", req)
	}
	for _, text := range all {
		if s.longest > 0 && utf8.RuneCountInString(text) > s.longest {
			writeError(w, http.StatusBadRequest, "input is too large to process", "")
			return
		}
	}
	results := make([]map[string]any, len(all))
	for i, text := range all {
		score, _ := strconv.ParseFloat(strings.Fields(text)[0], 64)
		results[i] = map[string]any{"index": i, "relevance_score": score}
		if inTexts {
			results[i] = map[string]any{"index": i, "score": score}
		}
		if s.echo {
			results[i]["document"] = map[string]any{"text": text}
		}
	}
	slices.Reverse(results)
	w.Header().Set("Content-Type", "application/json")
	if inTexts {
		_ = json.NewEncoder(w).Encode(results)
		return
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"id": "7", "results": results, "meta": nil})
}

// mend has the server answer well and at once from now on.
func (s *rerankServer) mend() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.latency, s.instead = 0, nil
}

func (s *rerankServer) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.requests)
}

func newReranker(t *testing.T, spec string) *Reranker {
	t.Helper()
	r, err := NewReranker(spec, DefaultSpec)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// newBubbleReranker returns a server in a synctest bubble and the reranker that asks it.
func newBubbleReranker(t *testing.T) (*rerankServer, *Reranker) {
	t.Helper()
	s, r := &rerankServer{t: t, path: "/v1/rerank", lacks: missingField}, newReranker(t, bubble)
	serveInBubble(t, r.service, s)
	return s, r
}

var numbered = []string{"-11.02 a", "0.3 b", "7.74 c", "0 d"}

var theirScores = []float64{-11.02, 0.3, 7.74, 0}

// How servers say that a field is missing.
const (
	missingTexts = "422 Failed to deserialize the JSON body into the target type: missing field `texts` at line 1 column 64"
	missingField = `400 {"object":"error","message":"[{'type': 'missing', 'loc': ('body', 'documents'), 'msg': 'Field required'}]","code":400}`
)

// TestRerankFormats has a server for each that is known, as its documentation and its
// source say.
func TestRerankFormats(t *testing.T) {
	for name, c := range map[string]struct {
		server *rerankServer
		spec   string // behind the address of the server
		first  int    // requests for the first question
	}{
		"Jina":                         {&rerankServer{path: "/v1/rerank", key: "sk-secret", echo: true, model: true}, "/v1#jina-reranker-v2-base-multilingual", 1},
		"Cohere, first version":        {&rerankServer{path: "/v1/rerank", key: "sk-secret", model: true}, "/v1/rerank#rerank-v3.5", 1},
		"Cohere, second version":       {&rerankServer{path: "/v2/rerank", key: "sk-secret", model: true}, "/v2#rerank-v3.5", 1},
		"vLLM":                         {&rerankServer{path: "/v1/rerank", echo: true, lacks: missingField}, "/v1#BAAI/bge-reranker-v2-m3", 1},
		"vLLM, without version":        {&rerankServer{path: "/rerank", echo: true, lacks: missingField}, "/rerank#BAAI/bge-reranker-v2-m3", 1},
		"vLLM, without model":          {&rerankServer{path: "/rerank", echo: true, lacks: missingField}, "", 2},
		"llama.cpp":                    {&rerankServer{path: "/v1/rerank", both: true}, "/v1#any", 1},
		"llama.cpp, without model":     {&rerankServer{path: "/rerank", both: true}, "/rerank/", 1},
		"text-embeddings-inference":    {&rerankServer{path: "/rerank", texts: true, lacks: missingTexts}, "", 1},
		"the same, with a model":       {&rerankServer{path: "/rerank", texts: true, lacks: missingTexts}, "#bge", 2},
		"the same, behind a gateway":   {&rerankServer{path: "/tei/v1/rerank", key: "sk-secret", texts: true, lacks: missingTexts}, "/tei/v1#bge", 2},
		"one that is as slow as it is": {&rerankServer{path: "/v1/rerank", latency: time.Millisecond}, "/v1#m", 1},
	} {
		t.Run(name, func(t *testing.T) {
			clearEnvironment(t)
			t.Setenv("VADEMECUM_RERANK_API_KEY", c.server.key)
			s := c.server
			s.t = t
			at := httptest.NewServer(s)
			defer at.Close()
			r := newReranker(t, at.URL+c.spec)
			for question := range 2 {
				scores, err := r.Rerank(t.Context(), "which?", numbered)
				if err != nil || !slices.Equal(scores, theirScores) {
					t.Errorf("question %d: %v, %v", question, scores, err)
				}
				if got := s.count(); got != c.first+question {
					t.Errorf("question %d: %d requests, want %d", question, got, c.first+question)
				}
			}
			if last := s.requests[len(s.requests)-1]; last.Query != "which?" || !slices.Equal(append(last.Documents, last.Texts...), numbered) {
				t.Errorf("it was asked for %+v", last)
			}
			if r.Host() != "" {
				t.Errorf("texts go to %q", r.Host())
			}
		})
	}
}

// TestRerankFaults: each fault is one line that names the host, and the next question is
// asked in vain only when the server was left alone for a while.
func TestRerankFaults(t *testing.T) {
	clearEnvironment(t)
	t.Setenv("VADEMECUM_RERANK_API_KEY", "sk-secret")
	say := func(status int, body string, header ...string) func(http.ResponseWriter, int) {
		return func(w http.ResponseWriter, _ int) {
			for i := 0; i+1 < len(header); i += 2 {
				w.Header().Set(header[i], header[i+1])
			}
			w.WriteHeader(status)
			fmt.Fprint(w, body)
		}
	}
	result := func(results ...string) func(http.ResponseWriter, int) {
		return say(200, `{"results":[`+strings.Join(results, ",")+`]}`)
	}
	one := func(index any, score string) string {
		return fmt.Sprintf(`{"index":%v,"relevance_score":%s}`, index, score)
	}
	for name, c := range map[string]struct {
		answer   func(http.ResponseWriter, int)
		requests int
		want     string
	}{
		"too few":         {result(one(0, "1")), 1, "answer of HOST: 1 scores for 2 texts"},
		"too many":        {result(one(0, "1"), one(1, "1"), one(2, "1")), 1, "answer of HOST: 3 scores for 2 texts"},
		"none":            {say(200, `{"results":null}`), 2, "200 OK from HOST: the answer contains no scores"},
		"an empty list":   {say(200, `[]`), 1, "answer of HOST: 0 scores for 2 texts"},
		"an index twice":  {result(one(1, "1"), one(1, "2")), 1, "answer of HOST: two scores for text 1"},
		"index too high":  {result(one(0, "1"), one(2, "2")), 1, "answer of HOST: a score for text 2 of 2"},
		"index below 0":   {result(one(-1, "1"), one(0, "2")), 1, "answer of HOST: a score for text -1 of 2"},
		"no index":        {result(one(0, "1"), `{"relevance_score":1}`), 1, "answer of HOST: a score that does not say for which text it is"},
		"index in words":  {result(one(`"0"`, "1"), one(1, "2")), 2, "200 OK from HOST: scores that are not numbers"},
		"null":            {result(one(0, "null"), one(1, "2")), 1, "answer of HOST: no score for text 0"},
		"NaN":             {result(one(0, "NaN"), one(1, "2")), 2, "200 OK from HOST: the answer is not JSON"},
		"Infinity":        {result(one(0, "1"), one(1, "Infinity")), 2, "200 OK from HOST: the answer is not JSON"},
		"overflow":        {result(one(0, "1e999"), one(1, "2")), 2, "200 OK from HOST: scores that are not numbers"},
		"in words":        {result(one(0, `"high"`), one(1, "2")), 2, "200 OK from HOST: scores that are not numbers"},
		"error with 200":  {say(200, `{"error":"model is loading"}`), 2, "200 OK from HOST: an error instead of scores: model is loading"},
		"HTML":            {say(200, "<!doctype html>"), 2, "200 OK from HOST: " + htmlAnswer.String()},
		"empty":           {say(200, ""), 2, "200 OK from HOST: the answer is empty"},
		"cut off":         {func(w http.ResponseWriter, _ int) { cutOff(w) }, 2, "200 OK from HOST: the answer is cut off"},
		"100 MB":          {endless, 1, "200 OK from HOST: the answer is longer than 32 MB"},
		"wrong key":       {say(401, `{"detail":"sk-secret is wrong"}`), 1, "401 Unauthorized from HOST: it does not accept the API key from the environment"},
		"key repeated":    {say(403, `{"detail":"no access for\nsk-secret"}`), 1, "403 Forbidden from HOST: no access for [key]"},
		"not there":       {say(404, ""), 1, "404 Not Found from HOST: no reason given"},
		"refused":         {say(422, `{"message":"no"}`), 1, "422 Unprocessable Entity from HOST: no"},
		"down":            {say(500, "<html>"), 2, "500 Internal Server Error from HOST: HTML instead of JSON; the service, or a proxy before it, is down"},
		"too often":       {say(429, `{"message":"slow down"}`), 2, "429 Too Many Requests from HOST: slow down"},
		"wait":            {say(429, `{"message":"slow down"}`, "Retry-After", "30"), 1, "429 Too Many Requests from HOST: slow down (it asks to wait 30s)"},
		"redirect":        {say(307, "", "Location", "http://elsewhere.test/v1/rerank"), 1, "307 Temporary Redirect from HOST: it redirects elsewhere, but texts are sent only to the address given"},
		"another answer":  {say(200, `{"data":[{"index":0}]}`), 2, "200 OK from HOST: the answer contains no scores"},
		"another value":   {say(200, `7`), 2, "200 OK from HOST: scores that are not numbers"},
		"texts named":     {say(422, `{"message":"the texts are no good"}`), 1, "422 Unprocessable Entity from HOST: the texts are no good"},
		"the other field": {say(422, "missing field `texts`"), 2, "422 Unprocessable Entity from HOST: no reason given"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, r := newBubbleReranker(t)
				s.key, s.instead = "sk-secret", c.answer
				scores, err := r.Rerank(t.Context(), "q", []string{"1 a", "2 b"})
				checkRerankError(t, err, c.want)
				if scores != nil || s.count() != c.requests {
					t.Errorf("%v after %d requests, want none after %d", scores, s.count(), c.requests)
				}
				before := s.count()
				if _, again := r.Rerank(t.Context(), "q", []string{"1 a", "2 b"}); again == nil || s.count() != before {
					t.Errorf("at once it is asked again: %v", again)
				}
				s.mend()
				time.Sleep(time.Minute)
				if scores, err := r.Rerank(t.Context(), "q", []string{"1 a", "2 b"}); err != nil || !slices.Equal(scores, []float64{1, 2}) {
					t.Errorf("when it is well again: %v, %v", scores, err)
				}
			})
		})
	}
}

// endless sends 100 MB, as far as anybody reads that.
func endless(w http.ResponseWriter, _ int) {
	chunk := []byte(strings.Repeat(" ", 1<<20))
	for range 100 {
		if _, err := w.Write(chunk); err != nil {
			return
		}
	}
}

// checkRerankError wants an error in one line, with the host of the bubble for HOST and
// without the key.
func checkRerankError(t *testing.T, err error, want string) {
	t.Helper()
	want = "rerank with http://host.test/v1#m: " + strings.ReplaceAll(want, "HOST", "host.test")
	if err == nil || err.Error() != want {
		t.Errorf("error %v\nwant  %s", err, want)
	}
}

// TestRerankPatience has a server that says nothing for a minute: the first question waits
// as long as it has time, and those that follow do not.
func TestRerankPatience(t *testing.T) {
	clearEnvironment(t)
	synctest.Test(t, func(t *testing.T) {
		s, r := newBubbleReranker(t)
		s.latency = time.Minute
		ask := func() (time.Duration, error) {
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
			defer cancel()
			began := time.Now()
			_, err := r.Rerank(ctx, "q", []string{"1 a", "2 b"})
			return time.Since(began), err
		}
		if took, err := ask(); took != 2*time.Second || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the first question took %v (%v), want 2s", took, err)
		}
		took, err := ask()
		if checkRerankError(t, err, "HOST did not answer the last question in time"); took != 0 {
			t.Errorf("the second took %v", took)
		}
		s.mend()
		time.Sleep(firstCoolOff)
		if _, err := ask(); err != nil {
			t.Errorf("when it is well again: %v", err)
		}
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := r.Rerank(gone, "q", []string{"1 a"}); !errors.Is(err, context.Canceled) {
			t.Errorf("given up: %v", err)
		}
	})
}

// TestRerankAway: a server that is not there is looked for from time to time.
func TestRerankAway(t *testing.T) {
	clearEnvironment(t)
	synctest.Test(t, func(t *testing.T) {
		_, r := newBubbleReranker(t)
		dials := 0
		r.service.client.Transport.(*http.Transport).DialContext = func(context.Context, string, string) (net.Conn, error) {
			dials++
			return nil, &net.OpError{Op: "dial", Net: "tcp", Err: errors.New("connection refused")}
		}
		for range 200 { // 20 s
			_, err := r.Rerank(t.Context(), "q", []string{"1 a"})
			checkRerankError(t, err, "reach HOST: connection refused")
			time.Sleep(100 * time.Millisecond)
		}
		if dials != 6 { // as for an embedder, see TestCircuit
			t.Errorf("%d dials in 20 s, want 6", dials)
		}
	})
}

// TestRerankCuts: texts are cut to what is sensible, to what a model is known to take, and
// to what a server turns out to take.
func TestRerankCuts(t *testing.T) {
	clearEnvironment(t)
	long, question := "1 "+strings.Repeat("words and words ", 1000), strings.Repeat("why ", 1000)
	for name, c := range map[string]struct {
		model    string
		longest  int // that the server takes
		requests int
		least    int // characters of what is sent in the end
		most     int
	}{
		"any model":               {"any", 0, 1, 1900, 2000},
		"one of 512 tokens":       {"BAAI/bge-reranker-base", 0, 1, 1000, 1500},
		"one that takes a half":   {"any", 1000, 2, 900, 1000},
		"one that takes a fourth": {"any", 600, 3, 400, 500},
	} {
		s := &rerankServer{t: t, path: "/v1/rerank", longest: c.longest}
		at := httptest.NewServer(s)
		defer at.Close()
		r := newReranker(t, at.URL+"/v1#"+c.model)
		for asked := range 2 {
			if _, err := r.Rerank(t.Context(), question, []string{long, "2 short", " "}); err != nil || s.count() != c.requests+asked {
				t.Errorf("%s: %d requests, want %d: %v", name, s.count(), c.requests+asked, err)
			}
		}
		last := s.requests[len(s.requests)-1]
		if n := len(last.Documents[0]); n < c.least || n > c.most || last.Documents[1] != "2 short" || last.Documents[2] != "." || len(last.Query) > rerankedQuestion {
			t.Errorf("%s: %d characters are sent, a question of %d, and %q", name, n, len(last.Query), last.Documents[1:])
		}
	}
	synctest.Test(t, func(t *testing.T) {
		s, r := newBubbleReranker(t)
		s.longest = 7
		_, err := r.Rerank(t.Context(), "q", []string{long})
		if checkRerankError(t, err, "400 Bad Request from HOST: input is too large to process"); s.count() != 3 {
			t.Errorf("%d requests, want 3", s.count())
		}
	})
}

func TestNewReranker(t *testing.T) {
	for _, c := range []struct{ env, spec, embedder, model, host, key, err string }{
		{"", "https://api.jina.ai/v1#jina-reranker-v3", "", "https://api.jina.ai/v1#jina-reranker-v3", "api.jina.ai", "", ""},
		{"", " HTTPS://API.cohere.com/v2/rerank/#rerank-v3.5", "", "https://api.cohere.com/v2#rerank-v3.5", "api.cohere.com", "", ""},
		{"", "http://localhost:8080", "", "http://localhost:8080", "", "", ""},
		{"", "http://[::1]:8080/rerank", "", "http://[::1]:8080", "", "", ""},
		{"", "http://10.0.0.7:80#a/b", "", "http://10.0.0.7:80#a/b", "10.0.0.7:80", "", ""},
		{"VADEMECUM_API_KEY=k", "https://h/v1#m", "builtin", "https://h/v1#m", "h", "k", ""},
		{"VADEMECUM_API_KEY=k", "https://h/v1#m", "https://h/v1#e", "https://h/v1#m", "h", "k", ""},
		{"VADEMECUM_API_KEY=k", "https://h/v1#m", "https://other/v1#e", "https://h/v1#m", "h", "", ""},
		{"VADEMECUM_API_KEY=k", "https://h/v1#m", "ollama:e", "https://h/v1#m", "h", "", ""},
		{"VADEMECUM_API_KEY=k VADEMECUM_RERANK_API_KEY=r", "https://h/v1#m", "openai:e", "https://h/v1#m", "h", "r", ""},
		{"OPENAI_API_KEY=k", "https://h/v1#m", "", "https://h/v1#m", "h", "", ""},
		{"", "https://h/v1", "", "", "", "", "no model is named"},
		{"", "https://h/v2/rerank", "", "", "", "", "no model is named"},
		{"", "https://h/v1?key=sk-secret#m", "", "", "", "", "must have no '?'"},
		{"", "https://me:sk-secret@h/v1#m", "", "", "", "", "without a password"},
		{"", "ollama:sk-secret", "", "", "", "", "not an address like http://host/v1#model"},
		{"", "sk-secret", "", "", "", "", "not an address"},
		{"", "", "", "", "", "", "not an address"},
	} {
		clearEnvironment(t)
		setEnvironment(t, c.env)
		r, err := NewReranker(c.spec, c.embedder)
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) || strings.Contains(err.Error(), "sk-secret") {
				t.Errorf("%q: %v, want %s", c.spec, err, c.err)
			}
			continue
		}
		if err != nil || r.ModelIdentity() != c.model || r.Host() != c.host || r.service.key != c.key {
			t.Errorf("%s %q: %v, %+v", c.env, c.spec, err, r)
		}
	}
	if !slices.Equal(RerankerEnvironmentVariables(), []string{"VADEMECUM_RERANK_API_KEY", "VADEMECUM_API_KEY"}) {
		t.Error(RerankerEnvironmentVariables())
	}
}

func TestRerankKeyWanted(t *testing.T) {
	clearEnvironment(t)
	synctest.Test(t, func(t *testing.T) {
		s, r := newBubbleReranker(t)
		s.instead = func(w http.ResponseWriter, _ int) { w.WriteHeader(http.StatusUnauthorized) }
		_, err := r.Rerank(t.Context(), "q", []string{"1 a"})
		checkRerankError(t, err, "401 Unauthorized from HOST: it requires an API key: set VADEMECUM_RERANK_API_KEY in the environment")
	})
}

// FuzzScores: whatever a server answers is an error or a score for each text.
func FuzzScores(f *testing.F) {
	for _, body := range []string{`{"results":[{"index":1,"relevance_score":2},{"index":0,"relevance_score":-1}]}`, `[{"index":0,"score":1e9},{"index":1,"score":0}]`, `{"results":[null,{}]}`, ` [[]]`, `{`, ``} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		results, err := decodeResults(body)
		if err != nil {
			return
		}
		scores, err := arrangeScores(results, 2)
		if err == nil && (len(scores) != 2 || math.IsNaN(scores[0]) || math.IsInf(scores[0], 0)) {
			t.Errorf("%q has the scores %v", body, scores)
		}
	})
}

// TestRerankLearnsFormatInTime: a server that is slow is not asked in the wrong format again
// and again, with no time left for the right one.
func TestRerankLearnsFormatInTime(t *testing.T) {
	clearEnvironment(t)
	synctest.Test(t, func(t *testing.T) {
		s, r := newBubbleReranker(t)
		r.takesText.Store(true)
		s.latency = 1500 * time.Millisecond
		ask := func() error {
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
			defer cancel()
			_, err := r.Rerank(ctx, "q", []string{"1 a"})
			return err
		}
		if err := ask(); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the first question: %v", err)
		}
		time.Sleep(firstCoolOff)
		if err := ask(); err != nil {
			t.Errorf("the second: %v", err)
		}
	})
}
