package embedding

import (
	"context"
	"fmt"

	"vademecum/embed"
	"vademecum/index/catalog"
	"vademecum/index/live"
	"vademecum/internal/base/script"
)

// Cost is what a model would have to embed.
type Cost struct {
	Chunks  int `json:"passages"`
	Missing int `json:"passages_to_embed"` // distinct texts without an earlier vector
	Tokens  int `json:"estimated_tokens"`  // in those texts
}

// sampled is how many of those texts an Estimator keeps.
const sampled = 16

// Estimator sums up what documents would cost. It gives no text to the model. Its methods are
// called by one goroutine at a time.
type Estimator struct {
	Cost
	Sample []string // the first of the texts to embed
	model  embed.Properties
	seen   map[catalog.Key]bool
}

// NewEstimator returns an Estimator without documents.
func NewEstimator(model embed.Properties) *Estimator {
	return &Estimator{model: model, seen: make(map[catalog.Key]bool)}
}

// Add adds a document, some of whose texts already have vectors.
func (e *Estimator) Add(ctx context.Context, d catalog.Entry, before catalog.Vectors) error {
	e.Chunks += len(d.Chunks)
	if e.model.Free {
		return nil
	}
	known, err := before.Find(ctx, live.KeysOf(d.Chunks))
	if err != nil {
		return fmt.Errorf("look up vectors: %w", err)
	}
	for _, c := range d.Chunks {
		if known[c.Key] != nil || e.seen[c.Key] {
			continue
		}
		e.seen[c.Key] = true
		e.Missing++
		input := catalog.EmbeddingInput(d.Body.Text[c.Span.StartByte:c.Span.EndByte], c.Heading)
		e.Tokens += script.EstimateTokens(input)
		if len(e.Sample) < sampled {
			e.Sample = append(e.Sample, input)
		}
	}
	return nil
}
