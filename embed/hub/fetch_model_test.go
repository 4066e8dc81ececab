package hub

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"vademecum/internal/base/system"
)

func nothing(Progress) {}

// TestFetch has a model arrive with what is wanted of it and no more, and is not asked for
// again.
func TestFetch(t *testing.T) {
	s := newTestHub(t)
	t.Setenv(tokenVariable, "hf_secret")
	h := s.client(t)
	if _, err := Folder("tiny"); !errors.As(err, new(*NotFetchedError)) || !strings.Contains(err.Error(), `run "vademecum model get tiny" first`) {
		t.Fatalf("before: %v", err)
	}
	var last Progress
	dir, fetched, err := h.Fetch(t.Context(), tiny, func(p Progress) { last = p })
	if err != nil || !fetched {
		t.Fatalf("fetched %v, %v", fetched, err)
	}
	if last.DoneBytes != last.TotalBytes || last.TotalBytes < 32000 {
		t.Errorf("in the end the progress is %+v", last)
	}
	for path, want := range s.files {
		got, err := os.ReadFile(filepath.Join(dir, path))
		if path == "README.md" {
			if err == nil {
				t.Error("the README was fetched, too")
			}
			continue
		}
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %d bytes of %d, %v", path, len(got), len(want), err)
		}
	}
	if found, err := Folder("tiny"); found != dir || err != nil {
		t.Errorf("Folder: %s, %v; want %s", found, err, dir)
	}
	for _, r := range s.requests() {
		token := r.Header.Get("Authorization")
		if atHub := "https://"+r.Host == s.hub.URL; atHub != (token == "Bearer hf_secret") || !atHub && token != "" {
			t.Errorf("%s%s got the token %q", r.Host, r.URL.Path, token)
		}
	}
	if _, fetched, err := h.Fetch(t.Context(), tiny, nothing); fetched || err != nil || len(s.requests()) > 0 {
		t.Errorf("once more: fetched %v, %v", fetched, err)
	}
}

// TestBroken breaks a download off: it goes on at the byte where it was, in the same call and
// in the next.
func TestBroken(t *testing.T) {
	s := newTestHub(t)
	weights := s.files["model.safetensors"]
	breaks := true
	s.atStore = func(w http.ResponseWriter, r *http.Request) bool {
		if r.Header.Get("Range") == "" {
			hangUp(w, weights, 10_000)
		}
		if breaks {
			w.WriteHeader(http.StatusBadGateway)
		}
		return breaks
	}
	if _, _, err := s.client(t).Fetch(t.Context(), tiny, nothing); err == nil || !strings.Contains(err.Error(), "cannot give it now (502") {
		t.Fatalf("the first call: %v", err)
	}
	if _, err := Folder("tiny"); !errors.As(err, new(*NotFetchedError)) {
		t.Errorf("half of it is a model: %v", err)
	}
	s.requests()
	breaks = false
	if _, _, err := s.client(t).Fetch(t.Context(), tiny, nothing); err != nil {
		t.Fatal(err)
	}
	var ranges []string
	for _, r := range s.requests() {
		if isLarge(r.URL.Path) {
			ranges = append(ranges, r.Header.Get("Range"))
		}
	}
	if fmt.Sprint(ranges) != "[bytes=10000- bytes=10000-]" { // at the hub and at the store
		t.Errorf("asked for %v", ranges)
	}
}

// TestBrokenOften breaks a download off again and again: as long as something comes it goes
// on.
func TestBrokenOften(t *testing.T) {
	s := newTestHub(t)
	weights := s.files["model.safetensors"]
	s.atStore = func(w http.ResponseWriter, r *http.Request) bool {
		var from int
		if _, err := fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-", &from); err == nil {
			w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, len(weights)-1, len(weights)))
			w.WriteHeader(http.StatusPartialContent)
		}
		_, _ = w.Write(weights[from:min(from+3000, len(weights))])
		return true
	}
	if _, _, err := s.client(t).Fetch(t.Context(), tiny, nothing); err != nil {
		t.Error(err)
	}
}

// TestPartOfAnother has bytes of another file stand where a download was: it begins anew.
func TestPartOfAnother(t *testing.T) {
	for name, part := range map[string]string{"other bytes": "not the weights", "too many": strings.Repeat("x", 40_000), "as many": strings.Repeat("x", 32_000)} {
		t.Run(name, func(t *testing.T) {
			s := newTestHub(t)
			parent, err := modelsRoot()
			if err != nil {
				t.Fatal(err)
			}
			dir := filepath.Join(parent, dirName(tiny)+partSuffix)
			if err := os.MkdirAll(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, "model.safetensors"+partSuffix), []byte(part), 0o600); err != nil {
				t.Fatal(err)
			}
			if _, _, err := s.client(t).Fetch(t.Context(), tiny, nothing); err != nil {
				t.Fatal(err)
			}
			if err := Verify(t.Context(), tiny); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestFaults holds what is wrong with a hub, or with what it sends, to a sentence, after
// which there is no model.
func TestFaults(t *testing.T) {
	always := func(status int, header ...string) func(http.ResponseWriter, *http.Request) bool {
		return func(w http.ResponseWriter, _ *http.Request) bool {
			for i := 0; i < len(header); i += 2 {
				w.Header().Set(header[i], header[i+1])
			}
			w.WriteHeader(status)
			return true
		}
	}
	sends := func(content string) func(http.ResponseWriter, *http.Request) bool {
		return func(w http.ResponseWriter, _ *http.Request) bool {
			_, _ = w.Write([]byte(content))
			return true
		}
	}
	first := func(info map[string]any) map[string]any { return info["siblings"].([]map[string]any)[0] }
	plain := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(plain.Close)
	for _, c := range []struct {
		name  string
		fault func(*testHub)
		says  string
	}{
		{"no such model", func(s *testHub) { s.atHub = always(404) }, "has no such file or model (404"},
		{"who are you", func(s *testHub) { s.atHub = always(401) }, "set HF_TOKEN to a token"},
		{"not you", func(s *testHub) { s.atHub = always(403) }, "set HF_TOKEN to a token"},
		{"too often", func(s *testHub) { s.atHub = always(429, "Retry-After", "3600") }, "(429 Too Many Requests): it asks to try again in 1h0m0s"},
		{"too often, for ever", func(s *testHub) { s.atHub = always(429, "Retry-After", "1") }, "cannot give it now (429"},
		{"down", func(s *testHub) { s.atHub = always(503) }, "cannot give it now (503"},
		{"a teapot", func(s *testHub) { s.atHub = always(418) }, "returned status 418"},
		{"a page", func(s *testHub) { s.atHub = sends("<html>sign in to the network</html>") }, "something other than a list of files"},
		{"an endless list", func(s *testHub) { s.atHub = sends(strings.Repeat("[", longestList+1)) }, "something other than a list of files"},
		{"another commit", func(s *testHub) { s.info = func(info map[string]any) { info["sha"] = "0123" } }, `lists commit "0123"`},
		{"no size", func(s *testHub) {
			s.info = func(info map[string]any) { delete(first(info), "size"); delete(first(info), "lfs") }
			s.files = map[string][]byte{"config.json": []byte("{}")}
		}, "lists config.json without a size"},
		{"huge", func(s *testHub) {
			s.info = func(info map[string]any) { first(info)["size"] = 1 << 40 }
			s.files = map[string][]byte{"config.json": []byte("{}")}
		}, "lists config.json without a size"},
		{"large in all", func(s *testHub) {
			for i := range 7 {
				s.files[fmt.Sprintf("%d_Dense/model.safetensors", i)] = bytes.Repeat([]byte("x"), 30_000)
			}
		}, "where about 0 MB were expected"},
		{"no weights", func(s *testHub) { delete(s.files, "model.safetensors") }, "lists no model.safetensors"},
		{"goes to plain HTTP", func(s *testHub) {
			s.atHub = func(w http.ResponseWriter, r *http.Request) bool {
				http.Redirect(w, r, plain.URL, http.StatusFound)
				return true
			}
		}, "which is not encrypted"},
		{"goes round and round", func(s *testHub) {
			s.atHub = func(w http.ResponseWriter, r *http.Request) bool {
				http.Redirect(w, r, r.URL.Path, http.StatusFound)
				return true
			}
		}, "redirects more than 5 times"},
		{"goes nowhere", func(s *testHub) { s.store.Close() }, "does not answer"},
		{"other bytes", func(s *testHub) {
			s.atStore = sends(strings.Repeat("x", 32_000))
		}, "model.safetensors does not match the file in the commit"},
		{"other bytes of a small file", func(s *testHub) {
			s.atHub = func(w http.ResponseWriter, r *http.Request) bool {
				other := strings.HasSuffix(r.URL.Path, "/resolve/"+tiny.Commit+"/config.json")
				if other {
					_, _ = w.Write(bytes.Repeat([]byte("x"), len(s.files["config.json"])))
				}
				return other
			}
		}, "config.json does not match the file in the commit"},
		{"too short", func(s *testHub) { s.atStore = sends("short") }, "would send 5 bytes, but the commit has 32000"},
		{"too long", func(s *testHub) {
			s.atStore = func(w http.ResponseWriter, _ *http.Request) bool {
				_ = http.NewResponseController(w).Flush() // no length is told
				_, _ = w.Write(bytes.Repeat([]byte("x"), 33_000))
				return true
			}
		}, "sent more than the 32000 bytes"},
		{"another part", func(s *testHub) {
			s.atStore = always(206, "Content-Range", "bytes 5-31999/32000")
		}, `sent a different part from the one requested: "bytes 5-31999/32000"`},
		{"breaks off, for ever", func(s *testHub) {
			s.atStore = func(w http.ResponseWriter, _ *http.Request) bool {
				hangUp(w, s.files["model.safetensors"], 0)
				return true
			}
		}, "broke off after 0 of 32000 bytes"},
		{"breaks off at the same place, for ever", func(s *testHub) {
			s.atStore = func(w http.ResponseWriter, _ *http.Request) bool { // always from the beginning
				hangUp(w, s.files["model.safetensors"], 10_000)
				return true
			}
		}, "broke off after 10000 of 32000 bytes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newTestHub(t)
			c.fault(s)
			_, _, err := s.client(t).Fetch(t.Context(), tiny, nothing)
			if err == nil || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "\n") {
				t.Errorf("it says %q, want %q", fmt.Sprint(err), c.says)
			}
			if err != nil && strings.Contains(err.Error(), "secret") {
				t.Errorf("a signature is shown: %v", err)
			}
			if _, err := Folder("tiny"); !errors.As(err, new(*NotFetchedError)) {
				t.Errorf("there is a model: %v", err)
			}
		})
	}
}

// TestOtherThanKnown refuses a list with another sum than the program has.
func TestOtherThanKnown(t *testing.T) {
	s := newTestHub(t)
	m := tiny
	m.sums = map[string]string{"model.safetensors": strings.Repeat("ab", 32)}
	_, _, err := s.client(t).Fetch(t.Context(), m, nothing)
	if err == nil || !strings.Contains(err.Error(), "lists a different model.safetensors from that of the model") {
		t.Error(err)
	}
	m.sums = map[string]string{"config.json": strings.Repeat("ab", 32)} // of which the list has no SHA-256
	_, _, err = s.client(t).Fetch(t.Context(), m, nothing)
	if err == nil || !strings.Contains(err.Error(), "config.json does not match the file in the commit") {
		t.Error(err)
	}
}

// TestOtherThanLearnt refuses what was fetched before the program knew a sum.
func TestOtherThanLearnt(t *testing.T) {
	s := newTestHub(t)
	if _, _, err := s.client(t).Fetch(t.Context(), tiny, nothing); err != nil {
		t.Fatal(err)
	}
	m := tiny
	m.sums = map[string]string{"config.json": strings.Repeat("ab", 32)}
	if err := Verify(t.Context(), m); err == nil || !strings.Contains(err.Error(), "config.json is not the file of the model") {
		t.Error(err)
	}
}

// TestWatch lets what comes slowly come, and ends what comes no more.
func TestWatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &Hub{stallTimeout: time.Minute}
		within, alive, done := h.watchStall(t.Context())
		defer done()
		r := alive(bytes.NewReader(make([]byte, 10)))
		for range 10 {
			time.Sleep(50 * time.Second)
			if _, err := r.Read(make([]byte, 1)); err != nil || within.Err() != nil {
				t.Fatal(err, within.Err())
			}
		}
		time.Sleep(61 * time.Second)
		if context.Cause(within) != errStalled {
			t.Errorf("after a minute: %v", context.Cause(within))
		}
	})
}

// TestStalled gives a server up that sends nothing more, and goes on with it.
func TestStalled(t *testing.T) {
	s := newTestHub(t)
	s.atStore = func(w http.ResponseWriter, r *http.Request) bool {
		if r.Header.Get("Range") != "" {
			return false
		}
		w.Header().Set("Content-Length", "32000")
		_, _ = w.Write(s.files["model.safetensors"][:100])
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done() // until the client has hung up
		return true
	}
	h := s.client(t)
	h.stallTimeout = 500 * time.Millisecond
	if _, _, err := h.Fetch(t.Context(), tiny, nothing); err != nil {
		t.Error(err)
	}
}

// TestDamaged changes files of a model: it is no model then, and only what is damaged is
// fetched again.
func TestDamaged(t *testing.T) {
	s := newTestHub(t)
	h := s.client(t)
	dir, _, err := h.Fetch(t.Context(), tiny, nothing)
	if err != nil {
		t.Fatal(err)
	}
	weights, config, record := filepath.Join(dir, "model.safetensors"), filepath.Join(dir, "config.json"), filepath.Join(dir, recordName)
	for _, c := range []struct {
		name   string
		damage func() error
		says   string
		bySize bool // Folder sees it, too
	}{
		{"a byte", func() error { return os.WriteFile(weights, bytes.Repeat([]byte("Weights "), 4000), 0o600) }, "model.safetensors is not the file that was downloaded", false},
		{"cut off", func() error { return os.Truncate(weights, 31_999) }, "model.safetensors has 31999 bytes of 32000", true},
		{"gone", func() error { return os.Remove(config) }, "config.json is missing", true},
		{"a folder", func() error { return errors.Join(os.Remove(config), os.Mkdir(config, 0o700)) }, "config.json", true},
		{"its record", func() error { return os.WriteFile(record, []byte("{"), 0o600) }, "vademecum.json cannot be read", true},
		{"an empty record", func() error { return os.WriteFile(record, []byte("{}"), 0o600) }, "config.json is missing", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := c.damage(); err != nil {
				t.Fatal(err)
			}
			err := Verify(t.Context(), tiny)
			if err == nil || !strings.Contains(err.Error(), c.says) || !errors.As(err, new(*NotFetchedError)) {
				t.Errorf("Verify: %v, want %s", err, c.says)
			}
			if _, err := Folder("tiny"); (err != nil) != c.bySize {
				t.Errorf("Folder: %v", err)
			}
			s.requests()
			if _, _, err := h.Fetch(t.Context(), tiny, nothing); err != nil {
				t.Fatal(err)
			}
			if n := len(s.requests()); n > 3 { // the list, and a file at the hub and at the store
				t.Errorf("%d requests", n)
			}
			if err := Verify(t.Context(), tiny); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestTwoAtOnce has two fetch a model: one does, and the other waits for it.
func TestTwoAtOnce(t *testing.T) {
	s := newTestHub(t)
	begun, resume := make(chan struct{}), make(chan struct{})
	s.atStore = func(http.ResponseWriter, *http.Request) bool {
		close(begun)
		<-resume
		return false
	}
	first := make(chan error)
	one, other := s.client(t), s.client(t)
	go func() {
		_, fetched, err := one.Fetch(t.Context(), tiny, nothing)
		if !fetched {
			err = errors.Join(err, errors.New("the first fetched nothing"))
		}
		first <- err
	}()
	<-begun
	_, fetched, err := other.Fetch(t.Context(), tiny, func(p Progress) {
		if p.IsWaitingForOtherProcess {
			close(resume)
		}
	})
	if err := errors.Join(err, <-first); err != nil || fetched {
		t.Errorf("the second fetched: %v, %v", fetched, err)
	}
}

// TestFullDisk begins nothing for which there is no room, and counts what is there already.
func TestFullDisk(t *testing.T) {
	s := newTestHub(t)
	h := s.client(t)
	h.freeSpace = func(string) (uint64, bool) { return 20_000, true }
	_, _, err := h.Fetch(t.Context(), tiny, nothing)
	if err == nil || !strings.Contains(err.Error(), "free up space") || len(s.requests()) != 1 {
		t.Errorf("%v", err)
	}
	parent, _ := modelsRoot()
	part := filepath.Join(parent, dirName(tiny)+partSuffix, "model.safetensors"+partSuffix)
	if err := os.WriteFile(part, s.files["model.safetensors"][:20_000], 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := h.Fetch(t.Context(), tiny, nothing); err != nil {
		t.Error(err)
	}
}

// TestRemove frees what a model takes, and that of a part.
func TestRemove(t *testing.T) {
	s := newTestHub(t)
	h := s.client(t)
	if freed, err := Remove(tiny); freed != 0 || err != nil {
		t.Errorf("of nothing %d bytes, %v", freed, err)
	}
	dir, _, err := h.Fetch(t.Context(), tiny, nothing)
	if err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(filepath.Dir(dir), "tiny-0123456789ab"+partSuffix)
	if err := errors.Join(os.Mkdir(other, 0o700), os.WriteFile(filepath.Join(other, "x"), []byte("12345"), 0o600)); err != nil {
		t.Fatal(err)
	}
	want := folderBytes(dir) + 5
	states, err := ModelStates()
	if err != nil || states[0].Dir != dir || states[0].Bytes != want {
		t.Errorf("it is %+v, %v; want %d bytes", states[0], err, want)
	}
	lock := system.NewFileLock(filepath.Join(filepath.Dir(dir), "tiny.lock"))
	if locked, err := lock.TryLock(); !locked || err != nil {
		t.Fatal(locked, err)
	}
	if _, err := Remove(tiny); err == nil || !strings.Contains(err.Error(), "is being fetched by another process") {
		t.Errorf("while it is fetched: %v", err)
	}
	if err := lock.Close(); err != nil {
		t.Fatal(err)
	}
	if freed, err := Remove(tiny); freed != want || err != nil {
		t.Errorf("freed %d bytes of %d, %v", freed, want, err)
	}
	if _, err := Folder("tiny"); !errors.As(err, new(*NotFetchedError)) {
		t.Error(err)
	}
}
