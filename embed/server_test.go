package embed

import (
	"encoding/json"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// apiServer speaks OpenAI's embeddings format, from its API reference. The
// vector of a text follows from the text alone and is not of unit length.
type apiServer struct {
	*httptest.Server
	t       *testing.T
	wantKey string
	// instead, when set, may answer the request itself; it counts from 1.
	instead func(w http.ResponseWriter, count int) bool

	mu       sync.Mutex
	requests []apiRequest
}

type apiRequest struct {
	Input      []string `json:"input"`
	Model      string   `json:"model"`
	Dimensions int      `json:"dimensions"`
	User       string   `json:"user"`
}

type apiVector struct {
	Object    string    `json:"object"`
	Index     int       `json:"index"`
	Embedding []float32 `json:"embedding"`
}

func newAPIServer(t *testing.T) *apiServer {
	s := &apiServer{t: t}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *apiServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client went away
	}
	var req apiRequest
	d := json.NewDecoder(strings.NewReader(string(body)))
	d.DisallowUnknownFields()
	if err := d.Decode(&req); err != nil {
		s.t.Errorf("request body %.100s: %v", body, err)
	}
	if r.Method != http.MethodPost || r.URL.Path != "/v1/embeddings" {
		s.t.Errorf("request %s %s, want POST /v1/embeddings", r.Method, r.URL.Path)
	}
	if got := r.Header.Get("Content-Type"); got != "application/json" {
		s.t.Errorf("Content-Type %q", got)
	}
	want := ""
	if s.wantKey != "" {
		want = "Bearer " + s.wantKey
	}
	if got := r.Header.Get("Authorization"); got != want {
		s.t.Errorf("Authorization %q, want %q", got, want)
	}
	s.mu.Lock()
	s.requests = append(s.requests, req)
	count := len(s.requests)
	s.mu.Unlock()

	if s.instead != nil && s.instead(w, count) {
		return
	}
	for _, text := range req.Input {
		if strings.TrimSpace(text) == "" {
			writeError(w, http.StatusBadRequest, "'$.input' is invalid.", "invalid_request_error")
			return
		}
	}
	if len(req.Input) > 64 {
		writeError(w, http.StatusBadRequest, "too many inputs", "invalid_request_error")
		return
	}
	writeVectors(w, req.Model, s.vectors(req))
}

// vectors answers a request, in an order that is not that of the texts.
func (s *apiServer) vectors(req apiRequest) []apiVector {
	n := 8
	if req.Dimensions != 0 {
		n = req.Dimensions
	}
	data := make([]apiVector, len(req.Input))
	for i, text := range req.Input {
		data[i] = apiVector{"embedding", i, textVector(text, n)}
	}
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(data), func(i, j int) { data[i], data[j] = data[j], data[i] })
	return data
}

func textVector(text string, n int) []float32 {
	h := fnv.New64a()
	io.WriteString(h, text)
	random := rand.New(rand.NewPCG(h.Sum64(), 0))
	v := make([]float32, n)
	for i := range v {
		v[i] = 3 * float32(random.NormFloat64())
	}
	return v
}

func writeVectors(w http.ResponseWriter, model string, data []apiVector) {
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{
		"object": "list", "data": data, "model": model,
		"usage": map[string]int{"prompt_tokens": 8, "total_tokens": 8},
	})
}

// writeError answers in the error form of OpenAI; that of Ollama's /v1 differs
// by its "api_error" type alone.
func writeError(w http.ResponseWriter, status int, message, kind string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(map[string]any{
		"error": map[string]any{"message": message, "type": kind, "param": nil, "code": nil},
	})
}

// count returns the number of requests so far.
func (s *apiServer) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.requests)
}
