package embed

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"hash/fnv"
	"io"
	"log"
	"math"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// apiServer speaks OpenAI's embeddings format, from its API reference. The
// vector of a text follows from the text alone and is not of unit length.
type apiServer struct {
	*httptest.Server
	t       *testing.T
	wantKey string
	// instead, when set, may answer the request itself; it counts from 1.
	instead func(w http.ResponseWriter, count int) bool
	// refuse, when set, may answer the request itself by what is asked.
	refuse func(w http.ResponseWriter, req apiRequest) bool
	// spoil, when set, may change what is sent.
	spoil func(req apiRequest, data []apiVector) []apiVector

	mostTexts        int  // of a request
	base64           bool // sends vectors so without being asked
	fractions        bool // writes whole numbers as 5.0
	fixedDimensions  bool // ignores the number that is asked for, as Ollama did before 0.12
	latency          time.Duration
	inFlight, atOnce int // requests now, and at most so far

	mu       sync.Mutex
	requests []apiRequest
}

type apiRequest struct {
	Input          []string `json:"input"`
	Model          string   `json:"model"`
	Dimensions     int      `json:"dimensions"`
	User           string   `json:"user"`
	EncodingFormat string   `json:"encoding_format"`
}

type apiVector struct {
	Object    string `json:"object"`
	Index     int    `json:"index"`
	Embedding any    `json:"embedding"`
}

func newAPIServer(t *testing.T) *apiServer {
	s := &apiServer{t: t, mostTexts: 64}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

// newBubbleServer returns a server in a synctest bubble and the provider that
// asks it, over connections in memory; time there costs nothing. Its host is
// not on this machine.
func newBubbleServer(t *testing.T, spec string) (*apiServer, *remote) {
	t.Helper()
	e, err := New(spec)
	if err != nil {
		t.Fatal(err)
	}
	r := e.(*remote)
	s := &apiServer{t: t, mostTexts: 64, Server: &httptest.Server{URL: "http://" + r.base.Host}}
	serveInBubble(t, &r.httpService, s)
	return s, r
}

// serveInBubble has a handler answer a service in a synctest bubble.
func serveInBubble(t *testing.T, of *httpService, h http.Handler) {
	l := &pipeListener{conns: make(chan net.Conn), done: make(chan struct{})}
	server := &http.Server{Handler: h, ErrorLog: log.New(io.Discard, "", 0)}
	go server.Serve(l)
	transport := of.client.Transport.(*http.Transport)
	transport.DialContext = l.dial
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		server.Close()
	})
}

type pipeListener struct {
	conns chan net.Conn
	once  sync.Once
	done  chan struct{}
}

func (l *pipeListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.done:
		return nil, net.ErrClosed
	}
}

func (l *pipeListener) Close() error   { l.once.Do(func() { close(l.done) }); return nil }
func (l *pipeListener) Addr() net.Addr { return &net.TCPAddr{} }

func (l *pipeListener) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	client, server := net.Pipe()
	select {
	case l.conns <- server:
		return client, nil
	case <-l.done:
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: errors.New("connection refused")}
	case <-ctx.Done():
		return nil, ctx.Err()
	}
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
	s.inFlight++
	s.atOnce = max(s.atOnce, s.inFlight)
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.inFlight--
	}()
	if sleepContext(r.Context(), s.latency) != nil {
		return
	}

	if s.instead != nil && s.instead(w, count) {
		return
	}
	if s.refuse != nil && s.refuse(w, req) {
		return
	}
	for _, text := range req.Input {
		if strings.TrimSpace(text) == "" {
			writeError(w, http.StatusBadRequest, "'$.input' is invalid.", "invalid_request_error")
			return
		}
	}
	if len(req.Input) > s.mostTexts {
		writeError(w, http.StatusBadRequest, "too many inputs", "invalid_request_error")
		return
	}
	data := s.vectors(req)
	if s.spoil != nil {
		data = s.spoil(req, data)
	}
	if s.fractions {
		answer := httptest.NewRecorder()
		writeVectors(answer, req.Model, data)
		_, _ = w.Write(wholeNumber.ReplaceAll(answer.Body.Bytes(), []byte("$1.0")))
		return
	}
	writeVectors(w, req.Model, data)
}

var wholeNumber = regexp.MustCompile(`("(?:index|prompt_tokens|total_tokens)":[0-9]+)`)

// vectors answers a request, in an order that is not that of the texts.
func (s *apiServer) vectors(req apiRequest) []apiVector {
	n := 8
	if req.Dimensions != 0 && !s.fixedDimensions {
		n = req.Dimensions
	}
	data := make([]apiVector, len(req.Input))
	for i, text := range req.Input {
		data[i] = apiVector{"embedding", i, textVector(text, n)}
		if s.base64 {
			data[i].Embedding = inBase64(textVector(text, n))
		}
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

func inBase64(v []float32) string {
	var b []byte
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return base64.StdEncoding.EncodeToString(b)
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

// texts returns how many texts the requests from one had.
func (s *apiServer) texts(from int) []int {
	s.mu.Lock()
	defer s.mu.Unlock()
	var n []int
	for _, req := range s.requests[from:] {
		n = append(n, len(req.Input))
	}
	return n
}

// count returns the number of requests so far.
func (s *apiServer) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.requests)
}
