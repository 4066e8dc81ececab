package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"testing"
)

// TestModelKilled kills the program during a download, each time some bytes later, and checks that
// there is no model then, and that the next run downloads only what is missing.
func TestModelKilled(t *testing.T) {
	t.Parallel()
	const runs = 5
	h := newModelHub(t)
	held, sent := make(chan bool), 0
	h.sends = func(w http.ResponseWriter, r *http.Request, content []byte) bool {
		var from int
		_, _ = fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-", &from)
		if from > 0 {
			w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, len(content)-1, len(content)))
		}
		w.Header().Set("Content-Length", fmt.Sprint(len(content)-from))
		if from > 0 {
			w.WriteHeader(http.StatusPartialContent)
		}
		end := len(content)
		if sent < runs {
			end = min(from+150_000, end)
		}
		sent++
		_, _ = w.Write(content[from:end])
		_ = http.NewResponseController(w).Flush()
		if end < len(content) {
			held <- true
			<-r.Context().Done() // until the program has been killed
		}
		return true
	}
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	home := t.TempDir()
	run := func(args ...string) *exec.Cmd {
		c := vademecum(t, args...)
		c.Env = append(append(c.Env, cacheIn(home)...), "HF_ENDPOINT="+server.URL)
		return c
	}
	state := func() (dir string, here int64) {
		out, err := run("model", "list", "--json").Output()
		var all struct {
			Models []struct {
				Name, Dir, Fault string
				Here             int64 `json:"bytes_here"`
			}
		}
		if err := json.Unmarshal(out, &all); err != nil || len(all.Models) == 0 || all.Models[0].Name != "leaf-ir" {
			t.Fatalf("%s: %v", out, err)
		}
		if err != nil || all.Models[0].Fault != "" {
			t.Fatalf("%s: %v", out, err)
		}
		return all.Models[0].Dir, all.Models[0].Here
	}
	last := int64(0)
	for range runs {
		c := run("model", "get", "leaf-ir")
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		<-held
		if err := c.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = c.Wait()
		dir, here := state()
		if dir != "" || here < last {
			t.Fatalf("after a kill it lies in %q with %d bytes, after %d", dir, here, last)
		}
		last = here
	}
	out, err := run("model", "get", "leaf-ir").CombinedOutput()
	if dir, _ := state(); err != nil || dir == "" || !strings.Contains(string(out), dir) {
		t.Errorf("%s: %v; it lies in %q", out, err, dir)
	}
	if sent != runs+1 {
		t.Errorf("the weights were asked for %d times in %d runs", sent, runs+1)
	}
}
