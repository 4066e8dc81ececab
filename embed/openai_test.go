package embed

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"
)

// clearEnvironment keeps the settings of whoever runs the tests out of them.
func clearEnvironment(t *testing.T) {
	for _, name := range []string{"VADEMECUM_API_KEY", "OPENAI_API_KEY", "OPENAI_BASE_URL", "OLLAMA_HOST"} {
		t.Setenv(name, "")
	}
}

// newRemoteFor returns the provider of a spec and the waits it makes, which
// take no time.
func newRemoteFor(t *testing.T, spec string) (*remote, *[]time.Duration) {
	t.Helper()
	e, err := New(spec)
	if err != nil {
		t.Fatal(err)
	}
	r, waits := e.(*remote), new([]time.Duration)
	r.sleep = func(ctx context.Context, d time.Duration) error {
		*waits = append(*waits, d)
		return ctx.Err()
	}
	return r, waits
}

func TestRemoteContract(t *testing.T) {
	clearEnvironment(t)
	for name, specOf := range map[string]func(*testing.T, *apiServer) string{
		"url": func(_ *testing.T, s *apiServer) string { return s.URL + "/v1#m" },
		"url with dimensions and key": func(t *testing.T, s *apiServer) string {
			t.Setenv("VADEMECUM_API_KEY", "sk-secret")
			s.wantKey = "sk-secret"
			return s.URL + "/v1?dimensions=16#m"
		},
		"openai": func(t *testing.T, s *apiServer) string {
			t.Setenv("OPENAI_API_KEY", "sk-secret")
			t.Setenv("OPENAI_BASE_URL", s.URL+"/v1/")
			s.wantKey = "sk-secret"
			return "openai:text-embedding-3-small?dimensions=32"
		},
		"ollama": func(t *testing.T, s *apiServer) string {
			t.Setenv("OPENAI_API_KEY", "not for Ollama")
			t.Setenv("OLLAMA_HOST", strings.TrimPrefix(s.URL, "http://"))
			return "ollama:bge-m3"
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newAPIServer(t)
			e, err := New(specOf(t, s))
			if err != nil {
				t.Fatal(err)
			}
			testEmbedder(t, e)
			if s.count() == 0 {
				t.Error("the server was not asked")
			}
		})
	}
}

func TestRemoteRequests(t *testing.T) {
	clearEnvironment(t)
	s := newAPIServer(t)
	r, _ := newRemoteFor(t, s.URL+"/v1?dimensions=24#the/model:v2")
	texts := manyTexts(130)
	texts[5] = " \n"
	vectors, err := r.Embed(context.Background(), Passage, texts)
	if err != nil {
		t.Fatal(err)
	}
	var sent []string
	for i, req := range s.requests {
		if req.Model != "the/model:v2" || req.Dimensions != 24 {
			t.Errorf("request %d: model %q, dimensions %d", i, req.Model, req.Dimensions)
		}
		if len(req.Input) > batchSize {
			t.Errorf("request %d has %d texts", i, len(req.Input))
		}
		sent = append(sent, req.Input...)
	}
	want := slices.Clone(texts)
	want[5] = "."
	if !slices.Equal(sent, want) {
		t.Error("the texts sent are not the texts given")
	}
	for i, text := range want {
		v := textVector(text, 24)
		if err := normalise(v); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(vectors[i], v) {
			t.Errorf("text %d has not the vector of the server", i)
		}
	}
}

func TestRemoteRetries(t *testing.T) {
	clearEnvironment(t)
	refuse := func(status int, after string) func(http.ResponseWriter) {
		return func(w http.ResponseWriter) {
			if after != "" {
				w.Header().Set("Retry-After", after)
			}
			writeError(w, status, "slow down", "requests")
		}
	}
	hangUp := func(w http.ResponseWriter) {
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		conn.(*net.TCPConn).SetLinger(0) // a reset
		conn.Close()
	}
	cut := func(w http.ResponseWriter) {
		w.Header().Set("Content-Length", "5000")
		w.Write([]byte(`{"object":"list","data":[{"index":0,"embedding":[0.1,`))
	}
	for _, tt := range []struct {
		name     string
		answer   func(http.ResponseWriter)
		failures int
		waits    []time.Duration
		err      string // "" if it succeeds in the end
	}{
		{"one 429", refuse(429, ""), 1, []time.Duration{firstDelay}, ""},
		{"one 500", refuse(500, ""), 1, []time.Duration{firstDelay}, ""},
		{"two 503", refuse(503, "1"), 2, []time.Duration{time.Second, time.Second}, ""},
		{"three 503", refuse(503, ""), 3, []time.Duration{firstDelay, 2 * firstDelay}, "503 Service Unavailable from HOST: slow down"},
		{"Retry-After", refuse(429, "7"), 1, []time.Duration{7 * time.Second}, ""},
		{"Retry-After too long", refuse(429, "11"), 1, nil, "429 Too Many Requests from HOST: slow down (it asks to wait 11s)"},
		{"400", refuse(400, ""), 1, nil, "400 Bad Request from HOST: slow down"},
		{"connection reset", hangUp, 2, []time.Duration{firstDelay, 2 * firstDelay}, ""},
		{"cut off once", cut, 1, []time.Duration{firstDelay}, ""},
		{"always cut off", cut, 3, []time.Duration{firstDelay, 2 * firstDelay}, "200 OK from HOST: the answer is cut off"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newAPIServer(t)
			s.instead = func(w http.ResponseWriter, count int) bool {
				if count > tt.failures {
					return false
				}
				tt.answer(w)
				return true
			}
			r, waits := newRemoteFor(t, s.URL+"/v1#m")
			// A connection that was used before would be tried again by net/http itself.
			r.client.Transport.(*http.Transport).DisableKeepAlives = true
			vectors, err := r.Embed(context.Background(), Query, []string{"q"})
			checkError(t, err, tt.err, s)
			if (err == nil) != (vectors != nil) {
				t.Errorf("%d vectors with error %v", len(vectors), err)
			}
			if !slices.Equal(*waits, tt.waits) {
				t.Errorf("waits %v, want %v", *waits, tt.waits)
			}
		})
	}
}

// checkError compares an error with what it should be after the words that
// every one starts with; HOST stands for that of the server.
func checkError(t *testing.T, err error, want string, s *apiServer) {
	t.Helper()
	got := ""
	if err != nil {
		got = strings.ReplaceAll(err.Error(), strings.TrimPrefix(s.URL, "http://"), "HOST")
	}
	if want != "" {
		want = "embed with http://HOST/v1#m: " + want
	}
	if got != want {
		t.Errorf("error\n%s\nwant\n%s", got, want)
	}
}

func TestRemoteBadAnswers(t *testing.T) {
	clearEnvironment(t)
	t.Setenv("VADEMECUM_API_KEY", "sk-secret")
	vector := func(index int, list string) string {
		return fmt.Sprintf(`{"object":"embedding","index":%d,"embedding":%s}`, index, list)
	}
	list := func(vectors ...string) string {
		return `{"object":"list","data":[` + strings.Join(vectors, ",") + `],"model":"m"}`
	}
	for _, tt := range []struct {
		name, body string
		status     int
		want       string
	}{
		{"HTML", "\n<!doctype html><title>Sign in</title>", 200, "200 OK from HOST: " + htmlAnswer},
		{"HTML error", "<html>404</html>", 404, "404 Not Found from HOST: " + htmlAnswer},
		{"not JSON", "hello", 200, "200 OK from HOST: the answer is not JSON"},
		{"empty", "", 200, "200 OK from HOST: the answer is empty"},
		{"empty error", "", 400, "400 Bad Request from HOST: no reason given"},
		{"error with 200", `{"error":{"message":"model is loading","code":7}}`, 200, "200 OK from HOST: an error instead of vectors: model is loading"},
		{"nothing in it", `{}`, 200, "200 OK from HOST: the answer holds no vectors"},
		{"base64", list(vector(0, `"AACAPw=="`), vector(1, `"AACAPw=="`)), 200, "200 OK from HOST: vectors that are not lists of numbers"},
		{"overflow", list(vector(0, `[1e39]`), vector(1, `[1]`)), 200, "200 OK from HOST: vectors that are not lists of numbers"},
		{"NaN", list(vector(0, `[NaN]`), vector(1, `[1]`)), 200, "200 OK from HOST: the answer is not JSON"},
		{"too few", list(vector(0, `[1]`)), 200, "answer of HOST: 1 vectors for 2 texts"},
		{"too many", list(vector(0, `[1]`), vector(1, `[1]`), vector(2, `[1]`)), 200, "answer of HOST: 3 vectors for 2 texts"},
		{"index twice", list(vector(1, `[1]`), vector(1, `[1]`)), 200, "answer of HOST: two vectors for text 1"},
		{"index too high", list(vector(0, `[1]`), vector(2, `[1]`)), 200, "answer of HOST: a vector for text 2 of 2"},
		{"index below 0", list(vector(0, `[1]`), vector(-1, `[1]`)), 200, "answer of HOST: a vector for text -1 of 2"},
		{"uneven", list(vector(0, `[1,2]`), vector(1, `[1]`)), 200, "answer of HOST: vectors of 2 and of 1 dimensions"},
		{"no numbers", list(vector(0, `[]`), vector(1, `[]`)), 200, "answer of HOST: an empty vector for text 0"},
		{"zero", list(vector(0, `[1,2]`), vector(1, `[0,0]`)), 200, "answer of HOST: vector for text 1: it is zero"},
		{"wrong key", `{"error":{"message":"Incorrect API key provided: sk-s**ret"}}`, 401, "401 Unauthorized from HOST: it does not accept the key from the environment"},
		{"key repeated", `{"error":{"message":"no access for\nsk-secret"}}`, 403, "403 Forbidden from HOST: no access for [key]"},
		{"no money", `{"error":{"message":"check your plan","code":"insufficient_quota"}}`, 429, "429 Too Many Requests from HOST: check your plan"},
		{"Ollama without the model", `{"error":{"message":"model \"m\" not found, try pulling it first","type":"api_error","param":null,"code":null}}`, 404, `404 Not Found from HOST: model "m" not found, try pulling it first`},
		{"Ollama, older", `{"error":"model not found"}`, 404, "404 Not Found from HOST: model not found"},
		{"vLLM", `{"object":"error","message":"too long","code":400}`, 400, "400 Bad Request from HOST: too long"},
		{"FastAPI", `{"detail":"Not Found"}`, 404, "404 Not Found from HOST: Not Found"},
		{"redirect", "", 307, "307 Temporary Redirect from HOST: it redirects elsewhere, and texts go to no other address than the one named"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newAPIServer(t)
			s.wantKey = "sk-secret"
			s.instead = func(w http.ResponseWriter, _ int) bool {
				w.Header().Set("Location", s.URL+"/v2/embeddings")
				w.WriteHeader(tt.status)
				fmt.Fprint(w, tt.body)
				return true
			}
			r, waits := newRemoteFor(t, s.URL+"/v1#m")
			vectors, err := r.Embed(context.Background(), Passage, []string{"a", "b"})
			checkError(t, err, tt.want, s)
			if vectors != nil || len(*waits) != 0 || s.count() != 1 {
				t.Errorf("%d vectors, waits %v, %d requests; want none, none, 1", len(vectors), *waits, s.count())
			}
		})
	}
}

func TestRemoteKeyWanted(t *testing.T) {
	clearEnvironment(t)
	s := newAPIServer(t)
	s.instead = func(w http.ResponseWriter, _ int) bool {
		writeError(w, http.StatusUnauthorized, "missing key", "auth")
		return true
	}
	r, _ := newRemoteFor(t, s.URL+"/v1#m")
	_, err := r.Embed(context.Background(), Query, []string{"q"})
	checkError(t, err, "401 Unauthorized from HOST: it wants a key: set VADEMECUM_API_KEY in the environment", s)
}

func TestRemoteAnswerTooLong(t *testing.T) {
	clearEnvironment(t)
	s := newAPIServer(t)
	s.instead = func(w http.ResponseWriter, _ int) bool {
		block := bytes.Repeat([]byte(" "), 1<<20)
		for range maxAnswer>>20 + 1 {
			if _, err := w.Write(block); err != nil {
				break
			}
		}
		return true
	}
	r, _ := newRemoteFor(t, s.URL+"/v1#m")
	_, err := r.Embed(context.Background(), Query, []string{"q"})
	checkError(t, err, "200 OK from HOST: the answer is longer than 32 MB", s)
}

func TestRemoteDimensions(t *testing.T) {
	clearEnvironment(t)
	s := newAPIServer(t)
	n := 3
	s.instead = func(w http.ResponseWriter, count int) bool {
		writeVectors(w, "m", []apiVector{{"embedding", 0, textVector("q", n)}})
		n++
		return true
	}
	ctx := context.Background()
	r, _ := newRemoteFor(t, s.URL+"/v1#m")
	if _, err := r.Embed(ctx, Query, []string{"q"}); err != nil {
		t.Fatal(err)
	}
	_, err := r.Embed(ctx, Query, []string{"q"})
	checkError(t, err, "answer of HOST: vectors had 3 dimensions before and have 4 now", s)

	r, _ = newRemoteFor(t, s.URL+"/v1?dimensions=2#m")
	_, err = r.Embed(ctx, Query, []string{"q"})
	if err == nil || !strings.Contains(err.Error(), "asked for 2 dimensions, got 5") {
		t.Errorf("error %v, want one about dimensions", err)
	}
}

// TestRemoteFailsWhole checks that a later batch that fails leaves no vectors.
func TestRemoteFailsWhole(t *testing.T) {
	clearEnvironment(t)
	s := newAPIServer(t)
	s.instead = func(w http.ResponseWriter, count int) bool {
		if count == 2 {
			writeError(w, http.StatusBadRequest, "no", "")
		}
		return count == 2
	}
	r, _ := newRemoteFor(t, s.URL+"/v1#m")
	vectors, err := r.Embed(context.Background(), Passage, manyTexts(200))
	if err == nil || vectors != nil {
		t.Errorf("%d vectors, error %v; want none and an error", len(vectors), err)
	}
}

func TestRemoteUnreachable(t *testing.T) {
	clearEnvironment(t)
	s := httptest.NewServer(http.NotFoundHandler())
	address := strings.TrimPrefix(s.URL, "http://")
	s.Close()
	t.Setenv("OLLAMA_HOST", address)
	r, waits := newRemoteFor(t, "ollama:bge-m3")
	_, err := r.Embed(context.Background(), Query, []string{"q"})
	if err == nil || !strings.HasPrefix(err.Error(), "embed with ollama:bge-m3: reach "+address+": ") ||
		!strings.HasSuffix(err.Error(), "ollama serve") || strings.Contains(err.Error(), "\n") {
		t.Errorf("error %v, want one line with the host and what to do", err)
	}
	if len(*waits) != 0 {
		t.Errorf("waits %v, want none", *waits)
	}
}

func TestRemoteTimeLimit(t *testing.T) {
	clearEnvironment(t)
	s := newAPIServer(t)
	done := make(chan struct{})
	defer close(done)
	s.instead = func(http.ResponseWriter, int) bool { <-done; return true }
	r, waits := newRemoteFor(t, s.URL+"/v1#m")
	r.client.Timeout = 20 * time.Millisecond
	_, err := r.Embed(context.Background(), Query, []string{"q"})
	checkError(t, err, "reach HOST: no answer in time", s)
	if len(*waits) != 0 {
		t.Errorf("waits %v, want none", *waits)
	}
}

func TestRemoteCancelled(t *testing.T) {
	clearEnvironment(t)
	t.Run("during a request", func(t *testing.T) {
		s := newAPIServer(t)
		ctx, cancel := context.WithCancel(context.Background())
		done := make(chan struct{})
		defer close(done)
		s.instead = func(http.ResponseWriter, int) bool { cancel(); <-done; return true }
		r, _ := newRemoteFor(t, s.URL+"/v1#m")
		if _, err := r.Embed(ctx, Query, []string{"q"}); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v, want context.Canceled", err)
		}
	})
	t.Run("during a wait", func(t *testing.T) {
		s := newAPIServer(t)
		s.instead = func(w http.ResponseWriter, _ int) bool {
			writeError(w, 503, "busy", "")
			return true
		}
		ctx, cancel := context.WithCancel(context.Background())
		r, _ := newRemoteFor(t, s.URL+"/v1#m")
		r.sleep = func(ctx context.Context, _ time.Duration) error {
			cancel()
			return sleep(ctx, time.Hour)
		}
		if _, err := r.Embed(ctx, Query, []string{"q"}); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v, want context.Canceled", err)
		}
		if s.count() != 1 {
			t.Errorf("%d requests, want 1", s.count())
		}
	})
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for header, want := range map[string]time.Duration{
		"": 0, "3": 3 * time.Second, "-3": 0, "soon": 0, "99999999999": 1 << 20 * time.Second,
		"Sun, 01 Mar 2026 12:00:05 GMT": 5 * time.Second,
		"Sun, 01 Mar 2026 11:00:05 GMT": 0,
	} {
		if got := retryAfter(header, now); got != want {
			t.Errorf("retryAfter(%q) = %v, want %v", header, got, want)
		}
	}
}
