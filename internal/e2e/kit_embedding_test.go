package e2e

import (
	"encoding/json"
	"hash/fnv"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// embeddingServer speaks OpenAI's embeddings format. The vector of a text
// follows from the text alone. Each process has a key of its own, so that it
// is known who asked for what.
type embeddingServer struct {
	spec string

	mu   sync.Mutex
	sent map[string][][]string // the passages of each request, by the key of the process
}

func newEmbeddingServer(t *testing.T) *embeddingServer {
	e := &embeddingServer{sent: make(map[string][][]string)}
	s := httptest.NewServer(e)
	t.Cleanup(s.Close)
	e.spec = s.URL + "/v1#model"
	return e
}

func (e *embeddingServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var req struct{ Input []string }
	if err := json.NewDecoder(r.Body).Decode(&req); err != nil {
		return // the client is gone
	}
	type vector struct {
		Index     int       `json:"index"`
		Embedding []float32 `json:"embedding"`
	}
	var data []vector
	var passages []string
	for i, text := range req.Input {
		data = append(data, vector{i, vectorOf(text)})
		if strings.Contains(text, "\n") { // questions are of one line, and notes are not
			passages = append(passages, text)
		}
	}
	if len(passages) > 0 {
		e.mu.Lock()
		e.sent[r.Header.Get("Authorization")] = append(e.sent[r.Header.Get("Authorization")], passages)
		e.mu.Unlock()
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"object": "list", "data": data, "model": "model"})
}

func vectorOf(text string) []float32 {
	v := make([]float32, 16)
	for w := range strings.FieldsSeq(text) {
		h := fnv.New64a()
		_, _ = h.Write([]byte(w))
		random := rand.New(rand.NewPCG(h.Sum64(), 0))
		for i := range v {
			v[i] += float32(random.NormFloat64())
		}
	}
	return v
}

// tally counts the distinct passages, and those that were sent again without
// excuse. The one excuse is that the process was killed before it could save
// the vectors: it has at most one request under way for each of its workers.
func (e *embeddingServer) tally(killed func(key string) bool) (distinct, excused int, again []string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	underWay := max(2, runtime.GOMAXPROCS(0))
	inTime, late := make(map[string]int), make(map[string]int)
	for key, requests := range e.sent {
		for i, passages := range requests {
			for _, p := range passages {
				if killed(key) && i >= len(requests)-underWay {
					late[p]++
				} else {
					inTime[p]++
				}
			}
		}
	}
	for p, n := range inTime {
		distinct++
		if n > 1 {
			again = append(again, p)
		}
		excused += late[p]
	}
	for p, n := range late {
		if inTime[p] == 0 {
			distinct++
			excused += n - 1
		}
	}
	return distinct, excused, again
}

// passages is all that was ever sent.
func (e *embeddingServer) passages() map[string]bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	all := make(map[string]bool)
	for _, requests := range e.sent {
		for _, passages := range requests {
			for _, p := range passages {
				all[p] = true
			}
		}
	}
	return all
}
