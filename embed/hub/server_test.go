package hub

import (
	"bytes"
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// tiny is the model of the tests.
var tiny = Model{Name: "tiny", Repository: "someone/tiny", Commit: strings.Repeat("c0ffee", 7)[:40], Licence: "MIT", Languages: english, Bytes: 100_000}

// testHub stands for a hub, and for another host where it keeps large files, as the public
// one does.
type testHub struct {
	hub, store *httptest.Server

	files map[string][]byte
	info  func(map[string]any) // changes what is listed
	// Each may answer in the place of the server, by returning true.
	atHub, atStore func(http.ResponseWriter, *http.Request) bool

	mu    sync.Mutex
	asked []*http.Request
}

// newTestHub starts one with the files of tiny, and makes a cache folder of its own.
func newTestHub(t *testing.T) *testHub {
	t.Helper()
	before := Models
	Models = append([]Model{tiny}, before...)
	t.Cleanup(func() { Models = before })
	cache := t.TempDir()
	for _, name := range []string{"XDG_CACHE_HOME", "LocalAppData", "HOME"} {
		t.Setenv(name, cache)
	}
	s := &testHub{files: map[string][]byte{
		"config.json":           []byte(`{"architectures":["BertModel"]}`),
		"tokenizer.json":        []byte(`{"version":"1.0"}`),
		"1_Pooling/config.json": []byte(`{"pooling_mode_cls_token":true}`),
		"README.md":             []byte("not wanted"),
		"model.safetensors":     bytes.Repeat([]byte("weights "), 4000),
	}}
	s.hub = httptest.NewTLSServer(http.HandlerFunc(s.answerAtHub))
	s.store = httptest.NewTLSServer(http.HandlerFunc(s.answerAtStore))
	t.Cleanup(s.hub.Close)
	t.Cleanup(s.store.Close)
	return s
}

// client is a Hub that trusts the servers and pauses without waiting.
func (s *testHub) client(t *testing.T) *Hub {
	t.Helper()
	t.Setenv(endpointVariable, s.hub.URL)
	h, err := FromEnvironment()
	if err != nil {
		t.Fatal(err)
	}
	h.client.Transport = s.hub.Client().Transport
	h.pause = func(context.Context, time.Duration) error { return nil }
	return h
}

func (s *testHub) note(r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, r)
}

// requests returns those that came since it was last called.
func (s *testHub) requests() []*http.Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	asked := s.asked
	s.asked = nil
	return asked
}

func (s *testHub) answerAtHub(w http.ResponseWriter, r *http.Request) {
	s.note(r)
	if s.atHub != nil && s.atHub(w, r) {
		return
	}
	if r.URL.Path == "/api/models/"+tiny.Repository+"/revision/"+tiny.Commit && r.URL.Query().Get("blobs") == "true" {
		_ = json.NewEncoder(w).Encode(s.list())
		return
	}
	path, found := strings.CutPrefix(r.URL.Path, "/"+tiny.Repository+"/resolve/"+tiny.Commit+"/")
	content, has := s.files[path]
	switch {
	case !found || !has:
		http.NotFound(w, r)
	case isLarge(path):
		http.Redirect(w, r, s.store.URL+"/"+path+"?signature=secret", http.StatusFound)
	default:
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
	}
}

func (s *testHub) answerAtStore(w http.ResponseWriter, r *http.Request) {
	s.note(r)
	if s.atStore != nil && s.atStore(w, r) {
		return
	}
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(s.files[strings.TrimPrefix(r.URL.Path, "/")]))
}

func isLarge(path string) bool { return filepath.Ext(path) == ".safetensors" }

// list is what the hub's API says of the files.
func (s *testHub) list() map[string]any {
	var siblings []map[string]any
	for path, content := range s.files {
		object := sha1.Sum(fmt.Appendf(nil, "blob %d\x00%s", len(content), content))
		one := map[string]any{"rfilename": path, "size": len(content), "blobId": hex.EncodeToString(object[:])}
		if isLarge(path) {
			sum := sha256.Sum256(content)
			one["lfs"] = map[string]any{"sha256": hex.EncodeToString(sum[:]), "size": len(content), "pointerSize": 134}
		}
		siblings = append(siblings, one)
	}
	info := map[string]any{"id": tiny.Repository, "sha": tiny.Commit, "siblings": siblings}
	if s.info != nil {
		s.info(info)
	}
	return info
}

// hangUp sends the headers of a whole file and some bytes of it, and ends the connection.
func hangUp(w http.ResponseWriter, content []byte, after int) {
	w.Header().Set("Content-Length", fmt.Sprint(len(content)))
	_, _ = w.Write(content[:after])
	_ = http.NewResponseController(w).Flush()
	panic(http.ErrAbortHandler)
}
