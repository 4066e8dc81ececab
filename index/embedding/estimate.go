package embedding

import (
	"context"
	"fmt"

	"vademecum/embed"
	"vademecum/index/catalog"
	"vademecum/index/live"
	"vademecum/internal/base/script"
)

// Cost is what there would be for a model to embed.
type Cost struct {
	Chunks  int `json:"passages"`
	Missing int `json:"passages_to_embed"` // different texts without a vector from before
	Tokens  int `json:"estimated_tokens"`  // of those
}

// sampled is how many of those texts an Estimator keeps.
const sampled = 16

// Estimator adds up what documents would cost. It gives no text to the model. Its
// methods are called from one goroutine at a time.
type Estimator struct {
	Cost
	Sample []string // of the texts to embed, the first that came
	model  embed.Properties
	seen   map[catalog.Key]bool
}

// NewEstimator makes an Estimator of no documents.
func NewEstimator(model embed.Properties) *Estimator {
	return &Estimator{model: model, seen: make(map[catalog.Key]bool)}
}

// Add adds a document, of whose texts some have their vectors from before.
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
