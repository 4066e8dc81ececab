package embed

import (
	"context"
	"fmt"
	"strings"

	"vademecum/embed/local"
	"vademecum/internal/base/message"
)

// LocalReranker judges by a model in a folder, in this process, how well texts answer a
// question: see package local. Its methods are safe for concurrent use.
type LocalReranker struct{ model *local.CrossEncoder }

// IsLocalReranker reports whether a spec names a folder and not an address.
func IsLocalReranker(spec string) bool {
	return strings.HasPrefix(strings.TrimSpace(spec), localPrefix)
}

const localPrefix = "local:"

// NewLocalReranker returns the reranker in the folder that a spec names, as in
// local:/path/to/model. Its weights are read when it is first asked.
func NewLocalReranker(spec string) (*LocalReranker, error) {
	dir := strings.TrimPrefix(strings.TrimSpace(spec), localPrefix)
	if dir == "" {
		return nil, message.Errorf("reranker: no folder is named: write it after the colon")
	}
	model, err := local.OpenCrossEncoder(dir)
	if err != nil {
		return nil, message.Errorf("reranker: %v", err)
	}
	return &LocalReranker{model}, nil
}

// Model names the model by what is in its folder.
func (r *LocalReranker) Model() string { return localPrefix + r.model.Identity() }

// Host is "": the texts stay in this process.
func (r *LocalReranker) Host() string { return "" }

// Rerank returns a score for each text, higher for one that answers the question better.
func (r *LocalReranker) Rerank(ctx context.Context, question string, texts []string) ([]float64, error) {
	scores, err := r.model.Rerank(ctx, question, texts)
	if err != nil {
		return nil, fmt.Errorf("rerank with %s: %w", r.Model(), err)
	}
	return scores, nil
}
