package embed

import (
	"context"
	"fmt"
	"strings"

	"vademecum/embed/local"
	"vademecum/internal/base/message"
)

// LocalReranker scores how well texts answer a question, in this process, by a model in a folder:
// see package local. Its methods are safe for concurrent use.
type LocalReranker struct{ model *local.CrossEncoder }

// IsLocalReranker reports whether a spec is a folder rather than an address.
func IsLocalReranker(spec string) bool {
	return strings.HasPrefix(strings.TrimSpace(spec), localPrefix)
}

const localPrefix = "local:"

// NewLocalReranker returns the reranker in the folder of a spec, such as local:/path/to/model. Its
// weights are read on first use.
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

// ModelIdentity identifies the model by the content of its folder.
func (r *LocalReranker) ModelIdentity() string { return localPrefix + r.model.Identity() }

// Host returns "": the texts stay in this process.
func (r *LocalReranker) Host() string { return "" }

// Rerank returns a score for each text, higher for one that answers the question better.
func (r *LocalReranker) Rerank(ctx context.Context, question string, texts []string) ([]float64, error) {
	scores, err := r.model.Rerank(ctx, question, texts)
	if err != nil {
		return nil, fmt.Errorf("rerank with %s: %w", r.ModelIdentity(), err)
	}
	return scores, nil
}
