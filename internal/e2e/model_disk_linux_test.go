package e2e

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
)

// TestModelOnAFullDisk downloads a model of 1 MB to a disk that is too small, and to one that fills
// up meanwhile.
func TestModelOnAFullDisk(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ size, says string }{
		{"800k", " more are needed: free up space"},
		{"4m", "fetch model.safetensors: write "},
	} {
		t.Run(c.size, func(t *testing.T) {
			t.Parallel()
			h, place := newModelHub(t), t.TempDir()
			started := make(chan int, 1) // the process
			h.sends = func(w http.ResponseWriter, _ *http.Request, content []byte) bool {
				disk{t, filepath.Join("/proc", fmt.Sprint(<-started), "root", place)}.fill(0)
				_, _ = w.Write(content)
				return true
			}
			server := httptest.NewServer(h)
			t.Cleanup(server.Close)
			program := vademecum(t, "model", "get", "leaf-ir")
			program.Env = append(append(program.Env, cacheIn(place)...), "HF_ENDPOINT="+server.URL)
			program = withMounts(t, program, fmt.Sprintf("mount -t tmpfs -o size=%s none '%s'", c.size, place))
			var said bytes.Buffer
			program.Stderr = &said
			if err := program.Start(); err != nil {
				t.Fatal(err)
			}
			started <- program.Process.Pid
			if err := program.Wait(); err == nil || !strings.Contains(said.String(), c.says) {
				t.Errorf("%v: %s", err, said.String())
			}
		})
	}
}
