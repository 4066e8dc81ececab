package embed

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// bad reports whether any text of a request has the word "bad".
func bad(req apiRequest) bool {
	return slices.ContainsFunc(req.Input, func(text string) bool { return strings.Contains(text, "bad") })
}

// checkRefused wants the texts with "bad" to be refused with a reason in one
// line, and the others to have their vectors.
func checkRefused(t *testing.T, vectors [][]float32, err error, texts []string, reason string) {
	t.Helper()
	refused, ok := errors.AsType[RefusedTextsError](err)
	if !ok {
		t.Fatalf("error %v, want a Refused", err)
	}
	refused = maps.Clone(refused)
	for i, text := range texts {
		if !strings.Contains(text, "bad") {
			checkVectors(t, vectors[i:i+1], texts[i:i+1], 8)
			continue
		}
		if vectors[i] != nil || refused[i] == nil {
			t.Errorf("text %d: vector %v, reason %v; want none and a reason", i, vectors[i], refused[i])
		} else if got := refused[i].Error(); !strings.Contains(got, reason) || strings.Contains(got, "\n") {
			t.Errorf("text %d: reason %q, want %q in one line", i, got, reason)
		}
		delete(refused, i)
	}
	if len(refused) > 0 {
		t.Errorf("refused besides: %v", refused)
	}
}

func TestRefused(t *testing.T) {
	clearEnvironment(t)
	t.Setenv("VADEMECUM_API_KEY", "sk-secret")
	for _, tt := range []struct {
		name   string
		answer func(http.ResponseWriter)
		tries  int
		reason string
	}{
		{"400", func(w http.ResponseWriter) { writeError(w, 400, "this text\nis not for sk-secret", "") }, 1, "400 Bad Request from host.test: this text is not for [key]"},
		{"403 of a firewall", func(w http.ResponseWriter) { w.WriteHeader(403); fmt.Fprint(w, "<html>blocked") }, 1, "403 Forbidden"},
		{"422", func(w http.ResponseWriter) { writeError(w, 422, "no", "") }, 1, "422 Unprocessable"},
		// "failed to encode response" is how Ollama tells of a NaN
		{"500 of Ollama", func(w http.ResponseWriter) {
			writeError(w, 500, "failed to encode response: json: unsupported value: NaN", "api_error")
		}, 3, "json: unsupported value: NaN"},
		{"cut off", cutOff, 3, "the answer is cut off"},
		{"HTML", func(w http.ResponseWriter) { fmt.Fprint(w, "<html>") }, 3, htmlAnswer.String()},
		{"not JSON", func(w http.ResponseWriter) { fmt.Fprint(w, "oops") }, 3, "not JSON"},
		{"empty", func(http.ResponseWriter) {}, 3, "the answer is empty"},
		{"error with 200", func(w http.ResponseWriter) { fmt.Fprint(w, `{"error":"overflow"}`) }, 3, "an error instead of vectors: overflow"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, r := newBubbleServer(t, bubble)
				s.wantKey = "sk-secret"
				s.refuse = func(w http.ResponseWriter, req apiRequest) bool {
					if bad(req) {
						tt.answer(w)
					}
					return bad(req)
				}
				texts := manyTexts(64)
				texts[37] = "bad"
				vectors, err := r.Embed(t.Context(), Passage, texts)
				checkRefused(t, vectors, err, texts, tt.reason)

				// The batch, a probe, and at each of six halvings the good
				// half and the bad one.
				if want := 1 + 6 + 7*tt.tries; s.count() != want {
					t.Errorf("%d requests, want %d", s.count(), want)
				}
				again := s.count()
				if _, err := r.Embed(t.Context(), Passage, manyTexts(64)); err != nil || s.count() != again+1 {
					t.Errorf("%d requests for the next batch (error %v), want 1: one bad text says nothing of sizes", s.count()-again, err)
				}
			})
		})
	}
}

func TestRefusedSpoilt(t *testing.T) {
	clearEnvironment(t)
	for _, tt := range spoilt {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, r := newBubbleServer(t, bubble)
				s.spoil = func(req apiRequest, d []apiVector) []apiVector {
					if !bad(req) {
						return d
					}
					if len(d) == 1 {
						return with("?")(d)
					}
					return tt.spoil(d)
				}
				if _, err := r.Embed(t.Context(), Passage, []string{"good"}); err != nil {
					t.Fatal(err)
				}
				texts := manyTexts(8)
				texts[0], texts[6] = "bad", "as bad"
				vectors, err := r.Embed(t.Context(), Passage, texts)
				checkRefused(t, vectors, err, texts, "")
			})
		})
	}
}

func TestRefusedAll(t *testing.T) {
	clearEnvironment(t)
	synctest.Test(t, func(t *testing.T) {
		s, r := newBubbleServer(t, bubble)
		s.refuse = func(w http.ResponseWriter, req apiRequest) bool {
			if bad(req) {
				writeError(w, 400, "no", "")
			}
			return bad(req)
		}
		texts := []string{"bad", "bad", "bad too"}
		vectors, err := r.Embed(t.Context(), Passage, texts)
		checkRefused(t, vectors, err, texts, "400")
		if want := "the model refuses 3 texts, the first of them: 400 Bad Request from host.test: no"; err == nil || err.Error() != want {
			t.Errorf("error %q, want %q", err, want)
		}
	})
}

// TestOutageIsNobodysFault has a service that begins to refuse everything after
// it gave vectors.
func TestOutageIsNobodysFault(t *testing.T) {
	clearEnvironment(t)
	for status, name := range map[int]string{400: "400 Bad Request", 500: "500 Internal Server Error"} {
		for _, well := range []int{1, 2, 3, 5} {
			t.Run(fmt.Sprint(status, " after ", well), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					s, r := newBubbleServer(t, bubble)
					s.refuse = func(w http.ResponseWriter, req apiRequest) bool {
						refused := s.count() > well || bad(req)
						if refused {
							writeError(w, status, "out of order", "")
						}
						return refused
					}
					if _, err := r.Embed(t.Context(), Passage, []string{"good"}); err != nil {
						t.Fatal(err)
					}
					texts := manyTexts(64)
					texts[0] = "bad"
					vectors, err := r.Embed(t.Context(), Passage, texts)
					checkError(t, err, name+" from HOST: out of order", s)
					if vectors[0] != nil {
						t.Error("the bad text has a vector")
					}
				})
			})
		}
	}
}

func TestShortened(t *testing.T) {
	clearEnvironment(t)
	long := func(runes int) string { return strings.Repeat("盐", runes) }
	for _, tt := range []struct {
		name     string
		status   int
		message  string
		most     int // runes that the service takes
		text     string
		sent     []int // runes of the text, as it is sent alone
		shortens bool
	}{
		{"once", 400, "the input length exceeds the context length", 100, long(150), []int{150, 75}, true},
		{"twice", 413, "", 100, long(400), []int{400, 200, 100}, true},
		{"not enough", 400, "maximum context length is 100 tokens", 100, long(500), []int{500, 250, 125}, false},
		{"long, for no reason", 500, "boom", 250, long(400), []int{400, 400, 400, 200}, true},
		{"short, for no reason", 400, "boom", 10, long(100), []int{100}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, r := newBubbleServer(t, "http://host.test/v1?passage=p:#m")
				s.refuse = func(w http.ResponseWriter, req apiRequest) bool {
					for _, text := range req.Input {
						if strings.Count(text, "盐") > tt.most {
							writeError(w, tt.status, tt.message, "")
							return true
						}
					}
					return false
				}
				vectors, err := r.Embed(t.Context(), Passage, []string{"a", tt.text})
				var sent []int
				for _, req := range s.requests {
					if n := strings.Count(req.Input[0], "盐"); len(req.Input) == 1 && n > 0 {
						sent = append(sent, n)
						if !strings.HasPrefix(req.Input[0], "p:盐") {
							t.Errorf("a shortened text is sent as %.20q", req.Input[0])
						}
					}
				}
				if !slices.Equal(sent, tt.sent) {
					t.Errorf("sent %v, want %v", sent, tt.sent)
				}
				if shortened := err == nil && vectors[1] != nil; shortened != tt.shortens {
					t.Errorf("error %v, want it shortened: %v", err, tt.shortens)
				}
				if vectors == nil || vectors[0] == nil {
					t.Error("the other text has no vector")
				}
			})
		})
	}
}

func TestLearnsSize(t *testing.T) {
	clearEnvironment(t)
	for _, tt := range []struct {
		name    string
		most    int
		tokens  int // of a request, by runes; 0: any number
		status  int
		message string
		want    int
	}{
		{"10 texts, DashScope", 10, 0, 400, "batch size is invalid, it should not be larger than 10.: input.contents", 8},
		{"25 texts", 25, 0, 400, "no", 16},
		{"32 texts, text-embeddings-inference", 32, 0, 413, "batch size 64 > maximum allowed batch size 32", 32},
		{"tokens", 64, 1000, 400, "too many tokens in the request", 10},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, r := newBubbleServer(t, bubble)
				texts := make([]string, 640)
				for i := range texts {
					texts[i] = fmt.Sprintf("%03d%s", i, strings.Repeat("盐", 50))
				}
				s.refuse = func(w http.ResponseWriter, req apiRequest) bool {
					refused := len(req.Input) > tt.most || tt.tokens > 0 && len(strings.Join(req.Input, ""))/3 > tt.tokens
					if refused {
						writeError(w, tt.status, tt.message, "")
					}
					return refused
				}
				vectors, err := r.Embed(t.Context(), Passage, texts)
				if err != nil {
					t.Fatal(err)
				}
				checkVectors(t, vectors, texts, 8)
				from := s.count()
				if _, err := r.Embed(t.Context(), Passage, texts); err != nil {
					t.Fatal(err)
				}
				for _, n := range s.texts(from) {
					if n > 2*tt.want || n < tt.want/2 {
						t.Errorf("requests of %d texts, want about %d", n, tt.want)
					}
				}
				if sent := s.count() - from; sent > 640/tt.want+20 {
					t.Errorf("%d requests, want about %d", sent, 640/tt.want)
				}
				if r.sizes.good == 0 {
					t.Error("the requests that succeeded are not counted")
				}
			})
		})
	}
}

func TestBatchesByTokens(t *testing.T) {
	clearEnvironment(t)
	s := newAPIServer(t)
	r := newRemoteFor(t, s.URL+"/v1#m")
	texts := slices.Repeat([]string{strings.Repeat("盐", 1500)}, 6)
	texts = append(texts, strings.Repeat("盐", 9000))
	if _, err := r.Embed(t.Context(), Passage, texts); err != nil {
		t.Fatal(err)
	}
	got := s.texts(0)
	slices.Sort(got)
	if want := []int{1, 2, 2, 2}; !slices.Equal(got, want) {
		t.Errorf("requests of %v texts, want %v: no more than %d tokens each", got, want, batchTokensHere)
	}
}

// TestTimeLimit has a server that is too slow for large batches.
func TestTimeLimit(t *testing.T) {
	clearEnvironment(t)
	synctest.Test(t, func(t *testing.T) {
		s, r := newBubbleServer(t, bubble)
		s.refuse = func(_ http.ResponseWriter, req apiRequest) bool {
			return sleepContext(t.Context(), time.Duration(len(req.Input))*2*time.Second) != nil
		}
		texts := make([]string, 64)
		for i := range texts {
			texts[i] = fmt.Sprintf("note %02d", i) // of one number of tokens
		}
		vectors, err := r.Embed(t.Context(), Passage, texts)
		if err != nil {
			t.Fatal(err)
		}
		checkVectors(t, vectors, texts, 8)
		if want := []int{64, 1, 32, 16, 16, 16, 16}; !slices.Equal(s.texts(0), want) {
			t.Errorf("requests of %v texts, want %v", s.texts(0), want)
		}
		if r.limiter.limit >= firstRequests {
			t.Errorf("%v requests at once after a time limit, want fewer than %d", r.limiter.limit, firstRequests)
		}
	})
}

// TestTimeLimitOfOne has a text on which a model hangs, and a service that does
// not answer at all.
func TestTimeLimitOfOne(t *testing.T) {
	clearEnvironment(t)
	for _, all := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			s, r := newBubbleServer(t, bubble)
			s.refuse = func(_ http.ResponseWriter, req apiRequest) bool {
				return (all || bad(req)) && sleepContext(t.Context(), time.Hour) == nil
			}
			texts := []string{"a", "bad"}
			ctx, cancel := context.WithTimeout(t.Context(), time.Hour/2)
			defer cancel()
			vectors, err := r.Embed(ctx, Passage, texts)
			if all {
				checkError(t, err, "reach HOST: no answer in time", s)
			} else {
				checkRefused(t, vectors, err, texts, "no answer in time")
			}
			time.Sleep(2 * time.Hour) // for the server to come to an end
		})
	}
}

func TestNothingIsSentTwice(t *testing.T) {
	clearEnvironment(t)
	synctest.Test(t, func(t *testing.T) {
		s, r := newBubbleServer(t, bubble)
		answered := make(map[string]int)
		s.refuse = func(w http.ResponseWriter, req apiRequest) bool {
			if bad(req) {
				writeError(w, 400, "no", "")
				return true
			}
			s.mu.Lock()
			defer s.mu.Unlock()
			for _, text := range req.Input {
				answered[text]++
			}
			return false
		}
		texts := manyTexts(640)
		for i := range texts {
			if i%97 == 5 {
				texts[i] = fmt.Sprint("bad ", i)
			}
		}
		vectors, err := r.Embed(t.Context(), Passage, texts)
		checkRefused(t, vectors, err, texts, "400")
		for text, n := range answered {
			if n > 1 && text != probeText {
				t.Errorf("%q was answered %d times", text, n)
			}
		}
	})
}

// TestModelLoads has a server that answers the first request only when its
// model is loaded, which takes longer than the time limit.
func TestModelLoads(t *testing.T) {
	clearEnvironment(t)
	synctest.Test(t, func(t *testing.T) {
		s, r := newBubbleServer(t, bubble)
		loaded := time.Now().Add(90 * time.Second)
		s.refuse = func(http.ResponseWriter, apiRequest) bool {
			return sleepContext(t.Context(), time.Until(loaded)) != nil
		}
		vectors, err := r.Embed(t.Context(), Passage, []string{"note"})
		if err != nil {
			t.Fatal(err)
		}
		checkVectors(t, vectors, []string{"note"}, 8)
		if s.count() != 3 {
			t.Errorf("%d requests, want the text, a probe and the text", s.count())
		}
	})
}

// TestSizesGrowAgain has a service that was in trouble for a time.
func TestSizesGrowAgain(t *testing.T) {
	s := newBatchSizes(false)
	s.limitTo(8, 1000)
	short := slices.Repeat([]int{1}, 100)
	for range 256*3 - 1 {
		s.succeeded()
	}
	if got := s.fittingCount(short); got != 32 {
		t.Errorf("%d texts a request, want 32", got)
	}
	for range 256 * 3 {
		s.succeeded()
	}
	if got := s.fittingCount(short); got != batchTexts || s.tokens != batchTokens {
		t.Errorf("%d texts a request and %d tokens, want %d and %d", got, s.tokens, batchTexts, batchTokens)
	}
}

// TestFaultsAtRandom: failures that differ from try to try are nobody's fault,
// and say nothing about the size of batches.
func TestFaultsAtRandom(t *testing.T) {
	clearEnvironment(t)
	synctest.Test(t, func(t *testing.T) {
		s, r := newBubbleServer(t, bubble)
		n := 0
		s.instead = func(w http.ResponseWriter, _ int) bool {
			switch n++; {
			case n > 5 || n == 4: // 4 is the probe
				return false
			case n%2 == 0:
				writeError(w, http.StatusServiceUnavailable, "overloaded", "server_error")
			default:
				writeVectors(w, "m", nil)
			}
			return true
		}
		vectors, err := r.Embed(t.Context(), Passage, []string{"a single text"})
		if err != nil || vectors[0] == nil {
			t.Errorf("%v, %v", vectors, err)
		}
		if r.sizes.texts != batchTexts {
			t.Errorf("batches of %d texts were learned", r.sizes.texts)
		}
	})
}
