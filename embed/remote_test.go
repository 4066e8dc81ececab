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
	"testing/synctest"
	"time"
)

// clearEnvironment keeps the settings of whoever runs the tests out of them.
func clearEnvironment(t testing.TB) {
	for _, name := range []string{"VADEMECUM_API_KEY", "VADEMECUM_RERANK_API_KEY", "OPENAI_API_KEY", "OPENAI_BASE_URL", "OLLAMA_HOST"} {
		t.Setenv(name, "")
	}
}

func newRemoteFor(t testing.TB, spec string) *remote {
	t.Helper()
	e, err := New(spec)
	if err != nil {
		t.Fatal(err)
	}
	return e.(*remote)
}

func TestRemoteContract(t *testing.T) {
	clearEnvironment(t)
	for name, specOf := range map[string]func(*testing.T, *apiServer) string{
		"url": func(_ *testing.T, s *apiServer) string { return s.URL + "/v1#m" },
		"base64": func(_ *testing.T, s *apiServer) string {
			s.base64 = true
			return s.URL + "/v1#m"
		},
		"fractions": func(_ *testing.T, s *apiServer) string {
			s.fractions = true
			return s.URL + "/v1#m"
		},
		"url with dimensions and key": func(t *testing.T, s *apiServer) string {
			t.Setenv("VADEMECUM_API_KEY", "sk-secret")
			s.wantKey = "sk-secret"
			return s.URL + "/v1?dimensions=16#m"
		},
		"ten texts a request": func(_ *testing.T, s *apiServer) string {
			s.mostTexts = 10
			return s.URL + "/v1#text-embedding-v4"
		},
		"prefixes": func(_ *testing.T, s *apiServer) string { return s.URL + "/v1#multilingual-e5-large" },
		"openai": func(t *testing.T, s *apiServer) string {
			t.Setenv("OPENAI_API_KEY", "sk-secret")
			t.Setenv("OPENAI_BASE_URL", s.URL+"/v1/")
			s.wantKey = "sk-secret"
			return "openai:text-embedding-3-small?dimensions=32"
		},
		"ollama": func(t *testing.T, s *apiServer) string {
			t.Setenv("OPENAI_API_KEY", "not for Ollama")
			t.Setenv("OLLAMA_HOST", strings.TrimPrefix(s.URL, "http://"))
			s.fixedDimensions = true
			s.refuse = refuseLong(2000) // a context of 512 tokens
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

// refuseLong refuses as Ollama does, https://github.com/ollama/ollama/issues/12757,
// texts that are somewhat longer.
func refuseLong(most int) func(http.ResponseWriter, apiRequest) bool {
	return func(w http.ResponseWriter, req apiRequest) bool {
		for _, text := range req.Input {
			if len(text) > most && len(text) < 4*most {
				writeError(w, http.StatusBadRequest, "the input length exceeds the context length", "invalid_request_error")
				return true
			}
		}
		return false
	}
}

func TestRemoteRequests(t *testing.T) {
	clearEnvironment(t)
	s := newAPIServer(t)
	r := newRemoteFor(t, s.URL+"/v1?dimensions=24#the/model:v2")
	texts := manyTexts(130)
	texts[5] = " \n"
	vectors, err := r.Embed(context.Background(), Passage, texts)
	if err != nil {
		t.Fatal(err)
	}
	var sent []string
	for i, req := range s.requests {
		if req.Model != "the/model:v2" || req.Dimensions != 24 || req.EncodingFormat != "" || req.User != "" {
			t.Errorf("request %d: %+v", i, req)
		}
		if len(req.Input) > batchTexts {
			t.Errorf("request %d has %d texts", i, len(req.Input))
		}
		sent = append(sent, req.Input...)
	}
	want := slices.Clone(texts)
	want[5] = "."
	slices.Sort(sent) // the batches are under way together
	if !slices.Equal(sent, slices.Sorted(slices.Values(want))) {
		t.Error("the texts sent are not the texts given")
	}
	checkVectors(t, vectors, want, 24)
}

// checkVectors compares vectors with those of the server.
func checkVectors(t *testing.T, vectors [][]float32, texts []string, dimensions int) {
	t.Helper()
	if len(vectors) != len(texts) {
		t.Fatalf("%d vectors for %d texts", len(vectors), len(texts))
	}
	for i, text := range texts {
		v := textVector(text, dimensions)
		if err := normaliseVector(v); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(vectors[i], v) {
			t.Errorf("text %d has not the vector of the server", i)
		}
	}
}

const bubble = "http://host.test/v1#m"

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
		conn.Close()
	}
	const jitter = firstDelay + 2*firstDelay
	for _, tt := range []struct {
		name             string
		answer           func(http.ResponseWriter)
		failures         int
		shortest, within time.Duration
		requests         int
		err              string // "" if it succeeds in the end
	}{
		{"one 429", refuse(429, ""), 1, 0, firstDelay, 2, ""},
		{"one 500", refuse(500, ""), 1, 0, firstDelay, 2, ""},
		{"two 503", refuse(503, "1"), 2, 2 * time.Second, 2 * time.Second, 3, ""},
		{"always 503", refuse(503, ""), 100, 0, 2 * jitter, 6, "503 Service Unavailable from HOST: slow down"},
		{"always 429", refuse(429, ""), 100, 0, (1<<5 - 1) * firstDelay, 6, "429 Too Many Requests from HOST: slow down"},
		{"Retry-After", refuse(429, "7"), 1, 7 * time.Second, 7 * time.Second, 2, ""},
		{"Retry-After as a date", refuse(429, "Sat, 01 Jan 2000 00:01:40 GMT"), 1, 100 * time.Second, 100 * time.Second, 2, ""},
		{"Retry-After too long", refuse(429, "121"), 1, 0, 0, 1, "429 Too Many Requests from HOST: slow down (it asks to wait 2m1s)"},
		{"always 400", refuse(400, ""), 100, 0, 0, 2, "400 Bad Request from HOST: slow down"},
		{"connection closed", hangUp, 2, 0, jitter, 3, ""},
		{"cut off once", cutOff, 1, 0, firstDelay, 2, ""},
		{"always cut off", cutOff, 100, 0, 2 * jitter, 6, "200 OK from HOST: the answer is cut off"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, r := newBubbleServer(t, bubble)
				s.instead = func(w http.ResponseWriter, count int) bool {
					if count > tt.failures {
						return false
					}
					tt.answer(w)
					return true
				}
				// A connection that was used before would be tried again by net/http itself.
				r.client.Transport.(*http.Transport).DisableKeepAlives = true
				began := time.Now()
				vectors, err := r.Embed(t.Context(), Passage, []string{"p"})
				checkError(t, err, tt.err, s)
				if (err == nil) != (given(vectors) == 1) {
					t.Errorf("%d vectors with error %v", given(vectors), err)
				}
				if took := time.Since(began); took < tt.shortest || took > tt.within {
					t.Errorf("it took %v, want %v to %v", took, tt.shortest, tt.within)
				}
				if s.count() != tt.requests {
					t.Errorf("%d requests, want %d", s.count(), tt.requests)
				}
			})
		})
	}
}

func cutOff(w http.ResponseWriter) {
	w.Header().Set("Content-Length", "5000")
	w.Write([]byte(`{"object":"list","data":[{"index":0,"embedding":[0.1,`))
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

// TestRemoteBadAnswers has a service that gives the same answer to everything.
func TestRemoteBadAnswers(t *testing.T) {
	clearEnvironment(t)
	t.Setenv("VADEMECUM_API_KEY", "sk-secret")
	for _, tt := range []struct {
		name, body string
		status     int
		requests   int // two for a probe, three times as many when it may be a passing fault
		want       string
	}{
		{"HTML", "\n<!doctype html><title>Sign in</title>", 200, 6, "200 OK from HOST: " + htmlAnswer.String()},
		{"HTML error", "<html>404</html>", 404, 1, "404 Not Found from HOST: " + htmlAnswer.String()},
		{"not JSON", "hello", 200, 6, "200 OK from HOST: the answer is not JSON"},
		{"empty", "", 200, 6, "200 OK from HOST: the answer is empty"},
		{"empty error", "", 400, 2, "400 Bad Request from HOST: no reason given"},
		{"error with 200", `{"error":{"message":"model is loading","code":7}}`, 200, 6, "200 OK from HOST: an error instead of vectors: model is loading"},
		{"nothing in it", `{}`, 200, 6, "200 OK from HOST: the answer contains no vectors"},
		{"wrong key", `{"error":{"message":"Incorrect API key provided: sk-s**ret"}}`, 401, 1, "401 Unauthorized from HOST: it does not accept the API key from the environment"},
		{"key repeated", `{"error":{"message":"no access for\nsk-secret"}}`, 403, 2, "403 Forbidden from HOST: no access for [key]"},
		{"no money", `{"error":{"message":"check your plan","code":"insufficient_quota"}}`, 429, 1, "429 Too Many Requests from HOST: check your plan"},
		{"Ollama without the model", `{"error":{"message":"model \"m\" not found, try pulling it first","type":"api_error","param":null,"code":null}}`, 404, 1, `404 Not Found from HOST: model "m" not found, try pulling it first`},
		{"Ollama, older", `{"error":"model not found"}`, 404, 1, "404 Not Found from HOST: model not found"},
		{"Ollama with a chat model", `{"error":{"message":"this model does not support embeddings","type":"api_error","param":null,"code":null}}`, 500, 6, "500 Internal Server Error from HOST: this model does not support embeddings"},
		{"vLLM", `{"object":"error","message":"too long","code":400}`, 400, 2, "400 Bad Request from HOST: too long"},
		{"FastAPI", `{"detail":"Not Found"}`, 404, 1, "404 Not Found from HOST: Not Found"},
		{"redirect", "", 307, 1, "307 Temporary Redirect from HOST: it redirects elsewhere, but texts are sent only to the address given"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, r := newBubbleServer(t, bubble)
				s.wantKey = "sk-secret"
				s.instead = func(w http.ResponseWriter, _ int) bool {
					w.Header().Set("Location", s.URL+"/v2/embeddings")
					w.WriteHeader(tt.status)
					fmt.Fprint(w, tt.body)
					return true
				}
				vectors, err := r.Embed(t.Context(), Passage, []string{"a", "b"})
				checkError(t, err, tt.want, s)
				if given(vectors) != 0 || s.count() != tt.requests {
					t.Errorf("%d vectors, %d requests; want none, %d", given(vectors), s.count(), tt.requests)
				}
			})
		})
	}
}

// spoilt is what can be wrong with an answer that looks well.
var spoilt = []struct {
	name   string
	spoil  func([]apiVector) []apiVector
	reason string
}{
	{"too few", func(d []apiVector) []apiVector { return d[1:] }, "vectors for 2 texts"},
	{"too many", func(d []apiVector) []apiVector { return append(d, d[0]) }, "vectors for "},
	{"index twice", func(d []apiVector) []apiVector { d[0].Index = d[1].Index; return d }, "two vectors for text"},
	{"index too high", func(d []apiVector) []apiVector { d[0].Index = 64; return d }, "a vector for text 64 of"},
	{"index below 0", func(d []apiVector) []apiVector { d[0].Index = -1; return d }, "a vector for text -1 of"},
	{"not of one length", with([]float32{1, 2}), "dimensions"},
	{"no numbers", with([]float32{}), "an empty vector for text"},
	{"zero", with(make([]float32, 8)), "it is zero"},
	{"null", with(nil), "an empty vector for text"},
	{"null in it", with([]any{1, nil, 1, 1, 1, 1, 1, 1}), "null in place of a number"},
	{"overflow", with([]float64{1e39, 1, 1, 1, 1, 1, 1, 1}), "vectors that are not lists of numbers"},
	{"words", with([]string{"NaN", "1", "1", "1", "1", "1", "1", "1"}), "vectors that are not lists of numbers"},
	{"some base64", with(inBase64(textVector("x", 8))), "vectors that are not lists of numbers"},
}

// with puts something in place of the first vector.
func with(v any) func([]apiVector) []apiVector {
	return func(d []apiVector) []apiVector { d[0].Embedding = v; return d }
}

// TestRemoteSpoiltAnswers has a service that answers requests of several texts
// wrongly, and always does so for one text.
func TestRemoteSpoiltAnswers(t *testing.T) {
	clearEnvironment(t)
	for _, tt := range spoilt {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, r := newBubbleServer(t, bubble)
				s.spoil = func(req apiRequest, d []apiVector) []apiVector {
					if len(d) == 1 {
						return d
					}
					return tt.spoil(d)
				}
				texts := []string{"a", "b"}
				_, err := r.requestBatch(t.Context(), Passage, texts, 2)
				if err == nil || !strings.Contains(err.Error(), tt.reason) || s.count() != passageTries {
					t.Errorf("error %v after %d requests, want one with %q after %d", err, s.count(), tt.reason, passageTries)
				}
				vectors, err := r.Embed(t.Context(), Passage, texts)
				if err != nil {
					t.Fatal(err)
				}
				checkVectors(t, vectors, texts, 8)
			})
		})
	}
}

func TestRemoteNaN(t *testing.T) {
	clearEnvironment(t)
	synctest.Test(t, func(t *testing.T) {
		s, r := newBubbleServer(t, bubble)
		s.instead = func(w http.ResponseWriter, _ int) bool {
			fmt.Fprint(w, `{"data":[{"index":0,"embedding":[NaN,1]}]}`)
			return true
		}
		_, err := r.Embed(t.Context(), Passage, []string{"a"})
		checkError(t, err, "200 OK from HOST: the answer is not JSON", s)
	})
	synctest.Test(t, func(t *testing.T) {
		s, r := newBubbleServer(t, bubble)
		s.instead = func(w http.ResponseWriter, _ int) bool {
			fmt.Fprint(w, `{"data":[{"index":0,"embedding":"AADAfwAAgD8="}]}`) // NaN, 1
			return true
		}
		_, err := r.Embed(t.Context(), Passage, []string{"a"})
		checkError(t, err, "answer of HOST: vector for text 0: not a finite number in it", s)
	})
}

func TestDecodeBase64(t *testing.T) {
	answer := func(list ...string) []byte {
		s := ""
		for i, v := range list {
			s += fmt.Sprintf(`,{"index":%d,"embedding":"%s"}`, i, v)
		}
		return []byte(`{"data":[` + strings.TrimPrefix(s, ",") + `]}`)
	}
	got, ok := decodeBase64(answer("AACAPw==", "AAAAQAAAQEA="))
	if !ok || !slices.Equal(got.Data[0].Embedding, []float32{1}) || !slices.Equal(got.Data[1].Embedding, []float32{2, 3}) {
		t.Errorf("got %v, %v", got.Data, ok)
	}
	for _, bad := range []string{"AACAPw", "AACAPwA=", "AACAPwAA", "AAC!Pw==", "A"} {
		if got, ok := decodeBase64(answer("AACAPw==", bad)); ok {
			t.Errorf("%q is decoded to %v", bad, got.Data[1].Embedding)
		}
	}
}

func TestRemoteKeyWanted(t *testing.T) {
	clearEnvironment(t)
	s := newAPIServer(t)
	s.instead = func(w http.ResponseWriter, _ int) bool {
		writeError(w, http.StatusUnauthorized, "missing key", "auth")
		return true
	}
	r := newRemoteFor(t, s.URL+"/v1#m")
	_, err := r.Embed(context.Background(), Query, []string{"q"})
	checkError(t, err, "401 Unauthorized from HOST: it requires an API key: set VADEMECUM_API_KEY in the environment", s)
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
	r := newRemoteFor(t, s.URL+"/v1#m")
	_, err := r.Embed(context.Background(), Query, []string{"q"})
	checkError(t, err, "200 OK from HOST: the answer is longer than 32 MB", s)
}

func TestRemoteDimensions(t *testing.T) {
	clearEnvironment(t)
	synctest.Test(t, func(t *testing.T) {
		s, r := newBubbleServer(t, bubble)
		for range 2 {
			if _, err := r.Embed(t.Context(), Query, []string{"q"}); err != nil {
				t.Fatal(err)
			}
		}
		s.spoil = func(_ apiRequest, d []apiVector) []apiVector { return with(textVector("q", 9))(d) }
		_, err := r.Embed(t.Context(), Query, []string{"q"})
		checkError(t, err, "answer of HOST: vectors had 8 dimensions before and have 9 now", s)
	})
	synctest.Test(t, func(t *testing.T) { // the service has got another model
		s, r := newBubbleServer(t, bubble)
		for range 3 {
			if _, err := r.Embed(t.Context(), Query, []string{"q"}); err != nil {
				t.Fatal(err)
			}
		}
		s.spoil = func(_ apiRequest, d []apiVector) []apiVector { return with(textVector("q", 9))(d) }
		_, err := r.Embed(t.Context(), Query, []string{"q"})
		for try := 0; err != nil && try < 10; try++ {
			time.Sleep(lastCoolOff)
			_, err = r.Embed(t.Context(), Query, []string{"q"})
		}
		if err != nil {
			t.Errorf("it stays refused: %v", err)
		}
	})
	synctest.Test(t, func(t *testing.T) { // the first answer was the wrong one
		s, r := newBubbleServer(t, bubble)
		s.spoil = func(_ apiRequest, d []apiVector) []apiVector { return with(textVector("q", 9))(d) }
		if _, err := r.Embed(t.Context(), Query, []string{"q"}); err != nil {
			t.Fatal(err)
		}
		s.spoil = nil
		for range 2 {
			if v, err := r.Embed(t.Context(), Query, []string{"q"}); err != nil || len(v[0]) != 8 {
				t.Errorf("%d dimensions, %v", len(v[0]), err)
			}
		}
	})
	synctest.Test(t, func(t *testing.T) {
		s, r := newBubbleServer(t, "http://host.test/v1?dimensions=2#m")
		s.fixedDimensions = true
		_, err := r.Embed(t.Context(), Query, []string{"q"})
		if err == nil || !strings.Contains(err.Error(), "asked for 2 dimensions, got 8") || s.count() != 1 {
			t.Errorf("error %v after %d requests, want one about dimensions after 1", err, s.count())
		}
	})
}

// given counts the texts that have their vectors.
func given(vectors [][]float32) int {
	n := 0
	for _, v := range vectors {
		if v != nil {
			n++
		}
	}
	return n
}

// TestTimeLimitWithinAnswer has a server that begins to answer and stops.
func TestTimeLimitWithinAnswer(t *testing.T) {
	clearEnvironment(t)
	synctest.Test(t, func(t *testing.T) {
		s, r := newBubbleServer(t, bubble)
		s.instead = func(w http.ResponseWriter, _ int) bool {
			_, _ = w.Write([]byte(`{"data":`))
			_ = http.NewResponseController(w).Flush()
			time.Sleep(2 * answerTimeout)
			return true
		}
		_, err := r.Embed(t.Context(), Query, []string{"q"})
		checkError(t, err, "200 OK from HOST: no answer in time", s)
		var f *requestFailure
		if !errors.As(err, &f) || !f.timeLimit {
			t.Errorf("%v is no time limit", err)
		}
		time.Sleep(10 * answerTimeout) // until the server is through with all tries
	})
}

// TestRemoteKeepsWhatCame: what was answered before a failure, or before the
// call was given up, was worth time and money.
func TestRemoteKeepsWhatCame(t *testing.T) {
	clearEnvironment(t)
	s := newAPIServer(t)
	s.instead = func(w http.ResponseWriter, count int) bool {
		if count >= 2 {
			writeError(w, http.StatusNotFound, "no", "")
		}
		return count >= 2
	}
	r := newRemoteFor(t, s.URL+"/v1#m")
	vectors, err := r.Embed(context.Background(), Passage, manyTexts(200))
	if n := given(vectors); err == nil || n == 0 || n == len(vectors) {
		t.Errorf("%d of %d vectors, error %v; want some and an error", n, len(vectors), err)
	}
}

func TestRemoteUnreachable(t *testing.T) {
	clearEnvironment(t)
	s := httptest.NewServer(http.NotFoundHandler())
	address := strings.TrimPrefix(s.URL, "http://")
	s.Close()
	t.Setenv("OLLAMA_HOST", address)
	r := newRemoteFor(t, "ollama:bge-m3")
	_, err := r.Embed(context.Background(), Query, []string{"q"})
	if err == nil || !strings.HasPrefix(err.Error(), "embed with ollama:bge-m3: reach "+address+": ") ||
		!strings.HasSuffix(err.Error(), "ollama serve") || strings.Contains(err.Error(), "\n") {
		t.Errorf("error %v, want one line with the host and what to do", err)
	}
	if errors.As(err, new(*net.OpError)) == false {
		t.Errorf("error %v hides its cause", err)
	}
}

func TestRemoteCancelled(t *testing.T) {
	clearEnvironment(t)
	for name, answer := range map[string]func(http.ResponseWriter){
		"during a request":  nil,
		"during a back-off": func(w http.ResponseWriter) { writeError(w, 500, "busy", "") },
		"during a pause": func(w http.ResponseWriter) {
			w.Header().Set("Retry-After", "90")
			writeError(w, 503, "busy", "")
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, r := newBubbleServer(t, bubble)
				if answer == nil {
					s.latency = 30 * time.Second
				}
				s.instead = func(w http.ResponseWriter, _ int) bool { answer(w); return true }
				ctx, cancel := context.WithCancelCause(t.Context())
				began := time.Now()
				time.AfterFunc(time.Millisecond, func() { cancel(errors.New("another reason")) })
				vectors, err := r.Embed(ctx, Passage, manyTexts(1000))
				if !errors.Is(err, context.Canceled) || given(vectors) != 0 {
					t.Errorf("%d vectors, error %v, want none and context.Canceled", given(vectors), err)
				}
				if took := time.Since(began); took != time.Millisecond {
					t.Errorf("it ended after %v, want 1ms", took)
				}
			})
		})
	}
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
