package e2e

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"net"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// provider is a server with OpenAI's embeddings format that can fail, be slow, be stopped
// and be started again at the same address. It records every request, and whether it
// succeeded. The vector of a text depends on the text alone. Each process may have a key
// of its own, which identifies its requests.
type provider struct {
	t      *testing.T
	addr   string
	vector func(text string) []float32
	done   chan struct{} // closed at the end of the test

	mu     sync.Mutex
	server *http.Server // nil while it is stopped
	reply  func(c *call) reply
	calls  []*call
	well   map[string]map[string]bool // passages whose requests succeeded, by model
}

// call is a request to the provider.
type call struct {
	model, key string
	texts      []string
	nth        int      // number of the request among those with this key, from 1
	again      []string // passages in it whose requests had succeeded before
}

// reply answers a request. It reports whether each text got its vector.
type reply func(p *provider, w http.ResponseWriter, r *http.Request, c *call) (well bool)

func newProvider(t *testing.T) *provider {
	p := &provider{t: t, addr: "127.0.0.1:0", vector: vectorOf, done: make(chan struct{}), well: make(map[string]map[string]bool)}
	p.start()
	t.Cleanup(func() { close(p.done); p.stop() })
	return p
}

func (p *provider) spec(model string) string { return "http://" + p.addr + "/v1#" + model }

func (p *provider) start() {
	p.t.Helper()
	listener, err := net.Listen("tcp", p.addr)
	if err != nil {
		p.t.Fatal(err)
	}
	p.addr = listener.Addr().String()
	s := &http.Server{Handler: p}
	p.mu.Lock()
	p.server = s
	p.mu.Unlock()
	go func() { _ = s.Serve(listener) }()
}

// stop closes the listener and all connections.
func (p *provider) stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.server != nil {
		_ = p.server.Close()
		p.server = nil
	}
}

// replyWith determines how requests are answered from now on; nil means correctly.
func (p *provider) replyWith(f func(c *call) reply) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.reply = f
}

func (p *provider) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var req struct {
		Model string
		Input []string
	}
	if err := json.NewDecoder(r.Body).Decode(&req); err != nil {
		return // the client is gone
	}
	c := &call{model: req.Model, key: r.Header.Get("Authorization"), texts: req.Input}
	reply := p.receive(c)
	well := reply(p, w, r, c)
	if !well {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, text := range c.passages() {
		if p.well[c.model] == nil {
			p.well[c.model] = make(map[string]bool)
		}
		p.well[c.model][text] = true
	}
}

// receive records a request, and returns how it is answered.
func (p *provider) receive(c *call) reply {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, earlier := range p.calls {
		if earlier.key == c.key {
			c.nth++
		}
	}
	for _, text := range c.passages() {
		if p.well[c.model][text] {
			c.again = append(c.again, text)
		}
	}
	c.nth++
	p.calls = append(p.calls, c)
	if p.reply == nil {
		return answerRight
	}
	return p.reply(c)
}

// isPassage distinguishes the notes of these tests from questions, and from the texts
// with which the program probes a model.
func isPassage(text string) bool { return strings.Contains(text, "\n") }

func (c *call) passages() []string {
	return slices.DeleteFunc(slices.Clone(c.texts), func(text string) bool { return !isPassage(text) })
}

// sent lists the passages in requests for a model from the process with a key; "" means all
// processes.
func (p *provider) sent(model, key string) (passages []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.calls {
		if c.model == model && (key == "" || c.key == "Bearer "+key) {
			passages = append(passages, c.passages()...)
		}
	}
	return passages
}

// again lists the passages that were sent although they had been embedded successfully.
func (p *provider) again() (passages []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.calls {
		passages = append(passages, c.again...)
	}
	return passages
}

// tally counts the distinct passages that were sent, and those that were sent again without excuse.
// The only excuse is that the process was killed before it could save the vectors, of which it has
// at most one request in progress for each of its workers.
func (p *provider) tally(killed func(key string) bool) (distinct, excused int, again []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	byKey := make(map[string][][]string)
	for _, c := range p.calls {
		if passages := c.passages(); len(passages) > 0 {
			byKey[c.key] = append(byKey[c.key], passages)
		}
	}
	workers := max(2, runtime.GOMAXPROCS(0))
	inTime, late := make(map[string]int), make(map[string]int)
	for key, requests := range byKey {
		for i, passages := range requests {
			for _, text := range passages {
				if killed(key) && i >= len(requests)-workers {
					late[text]++
				} else {
					inTime[text]++
				}
			}
		}
	}
	for text, n := range inTime {
		distinct++
		if n > 1 {
			again = append(again, text)
		}
		excused += late[text]
	}
	for text, n := range late {
		if inTime[text] == 0 {
			distinct++
			excused += n - 1
		}
	}
	return distinct, excused, again
}

// nobody reports that no process was killed.
func nobody(string) bool { return false }

// requests returns the number of requests.
func (p *provider) requests() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.calls)
}

// answered returns the number of distinct passages that were embedded successfully for a model.
func (p *provider) answered(model string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.well[model])
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

// embedding is one vector of an answer, as numbers or in base64.
type embedding struct {
	Object    string `json:"object"`
	Index     int    `json:"index"`
	Embedding any    `json:"embedding"`
}

func (p *provider) embeddings(c *call) []embedding {
	data := make([]embedding, len(c.texts))
	for i, text := range c.texts {
		data[i] = embedding{"embedding", i, p.vector(text)}
	}
	return data
}

func send(w http.ResponseWriter, c *call, data []embedding) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"object": "list", "data": data, "model": c.model, "usage": map[string]int{"prompt_tokens": 1, "total_tokens": 1}})
}

func answerRight(p *provider, w http.ResponseWriter, _ *http.Request, c *call) bool {
	send(w, c, p.embeddings(c))
	return true
}

// answerReordered sends the vectors in another order, which their index fields give.
func answerReordered(p *provider, w http.ResponseWriter, _ *http.Request, c *call) bool {
	data := p.embeddings(c)
	rand.New(rand.NewPCG(uint64(len(data)), 1)).Shuffle(len(data), func(i, j int) { data[i], data[j] = data[j], data[i] })
	send(w, c, data)
	return true
}

// answerBase64 sends the vectors as little-endian float32 in base64, as OpenAI's API does for
// encoding_format "base64" and some servers always do.
func answerBase64(p *provider, w http.ResponseWriter, _ *http.Request, c *call) bool {
	data := p.embeddings(c)
	for i := range data {
		var raw bytes.Buffer
		_ = binary.Write(&raw, binary.LittleEndian, data[i].Embedding)
		data[i].Embedding = base64.StdEncoding.EncodeToString(raw.Bytes())
	}
	send(w, c, data)
	return true
}

func answerSlowly(p *provider, w http.ResponseWriter, r *http.Request, c *call) bool {
	select {
	case <-time.After(100 * time.Millisecond):
		return answerRight(p, w, r, c)
	case <-r.Context().Done():
		return false
	}
}

// answerNever keeps the connection open until the client gives up.
func answerNever(p *provider, _ http.ResponseWriter, r *http.Request, _ *call) bool {
	select {
	case <-r.Context().Done():
	case <-p.done:
	}
	return false
}

// refuse answers with a status and OpenAI's form of an error.
func refuse(status int, message string, header ...string) reply {
	return func(_ *provider, w http.ResponseWriter, _ *http.Request, _ *call) bool {
		w.Header().Set("Content-Type", "application/json")
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(status)
		fmt.Fprintf(w, `{"error":{"message":%q,"type":"error"}}`, message)
		return false
	}
}

// serveWith starts a server with a provider. Its log is shown when the test fails.
func serveWith(t *testing.T, dir, file, spec string) (*client, *logged) {
	t.Helper()
	log := new(logged)
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the server logged:\n%.4000s", log)
		}
	})
	c := vademecum(t, "serve", dir, "--index", file, "--embed", spec)
	c.Stderr = log
	return connect(t, c), log
}

// logged receives the output of a program while a test reads it.
type logged struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(p)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.String()
}
