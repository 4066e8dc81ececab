package e2e

import (
	"bytes"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"path"
	"strings"
	"testing"
	"time"

	"vademecum/embed/hub"
)

// modelHub answers as a model hub that has leaf-ir, in its layout but with other weights,
// and that fails in a way of its own for each of the other models.
type modelHub struct {
	model hub.Model
	files map[string][]byte
	sends func(w http.ResponseWriter, r *http.Request, content []byte) bool // may answer for the weights
}

func newModelHub(t testing.TB) *modelHub {
	t.Helper()
	m, err := hub.Named("leaf-ir")
	if err != nil {
		t.Fatal(err)
	}
	return &modelHub{model: m, files: map[string][]byte{
		"config.json":           []byte(`{"model_type": "bert"}`),
		"tokenizer.json":        []byte(`{"version": "1.0"}`),
		"modules.json":          []byte(`[]`),
		"1_Pooling/config.json": []byte(`{"pooling_mode_mean_tokens": true}`),
		"model.safetensors":     bytes.Repeat([]byte("weights "), 1<<17), // 1 MB
		"onnx/model.onnx":       []byte("not wanted"),
	}}
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

// cacheIn is the environment by which a program has its cache folder below another.
func cacheIn(dir string) []string {
	return []string{"XDG_CACHE_HOME=" + dir, "LocalAppData=" + dir, "HOME=" + dir}
}
