package embed

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vademecum/embed/local/localtest"
)

// TestLocalReranker: a text has the same score whatever else is judged, nothing leaves the
// machine, and an error is one line that names the model.
func TestLocalReranker(t *testing.T) {
	dir := localtest.WriteCrossEncoder(t, "bert", localtest.SmallShape)
	r, err := NewLocalReranker(" local:" + dir)
	if err != nil {
		t.Fatal(err)
	}
	defer r.model.Close() // or some systems keep the folder
	if !IsLocalReranker(" local:"+dir) || r.Host() != "" || !strings.HasPrefix(r.ModelIdentity(), "local:bert-40-") {
		t.Errorf("it is %s at %q", r.ModelIdentity(), r.Host())
	}
	texts := []string{"avoid salt", "bread and water", "高血压患者"}
	scores, err := r.Rerank(t.Context(), "blood pressure", texts)
	if err != nil || len(scores) != len(texts) {
		t.Fatalf("%v, %v", scores, err)
	}
	for i, text := range texts {
		alone, err := r.Rerank(t.Context(), "blood pressure", []string{text})
		if err != nil || alone[0] != scores[i] || i > 0 && scores[i] == scores[0] {
			t.Errorf("%q: alone %v, %v, among others %v", text, alone, err, scores[i])
		}
	}
	path := filepath.Join(dir, "model.safetensors")
	if err := os.Truncate(path, 1000); err != nil {
		t.Skip(err) // as it is in use
	}
	if _, err := r.Rerank(t.Context(), "salt", texts); err == nil || !strings.HasPrefix(err.Error(), "rerank with local:bert-40-") || !strings.Contains(err.Error(), path) || strings.Contains(err.Error(), "\n") {
		t.Errorf("with damaged weights: %v", err)
	}
}

func TestLocalRerankerSpecs(t *testing.T) {
	dir := localtest.Write(t, "bert", localtest.SmallShape)
	for spec, want := range map[string]string{
		"local:":                              "reranker: no folder is named",
		"local:" + filepath.Join(dir, "none"): "none is missing",
		"local:" + dir:                        "the model is no cross-encoder",
		"local:" + dir + "/model.safetensors": "is no folder",
	} {
		if _, err := NewLocalReranker(spec); err == nil || !strings.HasPrefix(err.Error(), "reranker: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", spec, err, want)
		}
	}
}
