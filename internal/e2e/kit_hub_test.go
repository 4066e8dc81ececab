package e2e

import (
	"bytes"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vademecum/embed/hub"
	"vademecum/embed/local/localtest"
)

// modelHub is a fake model hub that has leaf-ir, with the real layout but small and with random
// weights, and fails in a different way for each other model.
type modelHub struct {
	model hub.Model
	files map[string][]byte
	sends func(w http.ResponseWriter, r *http.Request, content []byte) bool // returns true if it has answered a request for the weights
}

func newModelHub(t testing.TB) *modelHub {
	t.Helper()
	m, err := hub.FindModel("leaf-ir")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{"onnx/model.onnx": []byte("not wanted")}
	dir := localtest.Write(t, "bert", localtest.Shape{Hidden: 64, Layers: 5, Heads: 4, Inner: 256, Positions: 64}) // 1 MB
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		file, err := filepath.Rel(dir, path)
		if err == nil {
			files[filepath.ToSlash(file)], err = os.ReadFile(path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return &modelHub{model: m, files: files}
}

func (h *modelHub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case strings.Contains(r.URL.Path, "bge-small-zh"):
		w.Header().Set("Retry-After", "600")
		w.WriteHeader(http.StatusTooManyRequests)
		return
	case strings.Contains(r.URL.Path, "e5-small"):
		http.Redirect(w, r, "http://files.example.com/", http.StatusFound)
		return
	case strings.Contains(r.URL.Path, "granite"):
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	if r.URL.Path == "/api/models/"+h.model.Repository+"/revision/"+h.model.Commit {
		_ = json.NewEncoder(w).Encode(h.list())
		return
	}
	file, found := strings.CutPrefix(r.URL.Path, "/"+h.model.Repository+"/resolve/"+h.model.Commit+"/")
	content, has := h.files[file]
	switch {
	case !found || !has:
		http.NotFound(w, r)
	case h.sends != nil && path.Ext(file) == ".safetensors" && h.sends(w, r, content):
	default:
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
	}
}

func (h *modelHub) list() map[string]any {
	var siblings []map[string]any
	for file, content := range h.files {
		object := sha1.Sum(fmt.Appendf(nil, "blob %d\x00%s", len(content), content))
		one := map[string]any{"rfilename": file, "size": len(content), "blobId": hex.EncodeToString(object[:])}
		if path.Ext(file) == ".safetensors" {
			sum := sha256.Sum256(content)
			one["lfs"] = map[string]any{"sha256": hex.EncodeToString(sum[:]), "size": len(content)}
		}
		siblings = append(siblings, one)
	}
	return map[string]any{"sha": h.model.Commit, "siblings": siblings}
}

// cacheIn returns an environment with the cache folder below a folder.
func cacheIn(dir string) []string {
	return []string{"XDG_CACHE_HOME=" + dir, "LocalAppData=" + dir, "HOME=" + dir}
}
