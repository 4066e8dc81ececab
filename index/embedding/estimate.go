package embedding

import (
	"context"
	"fmt"

	"vademecum/embed"
	"vademecum/index/live"
	"vademecum/index/store/catalog"
	"vademecum/internal/base/script"
)

// Cost is the amount of text that a model would have to embed.
type Cost struct {
	Chunks       int `json:"passages"`
	TextsToEmbed int `json:"passages_to_embed"` // distinct texts without a stored vector
	Tokens       int `json:"estimated_tokens"`  // estimated number of tokens in those texts
}

// sampled is the maximum number of texts in Estimator.SampleTexts.
const sampled = 16

// Estimator sums up the cost of embedding documents. It sends no text to the model. It is not safe
// for concurrent use.
type Estimator struct {
	Cost
	SampleTexts []string // the first texts that would be embedded
	model       embed.Properties
	seen        map[catalog.EmbeddingKey]bool
}

// NewEstimator returns an empty Estimator.
func NewEstimator(model embed.Properties) *Estimator {
	return &Estimator{model: model, seen: make(map[catalog.EmbeddingKey]bool)}
}

// Add adds the cost of a document. stored finds the vectors stored so far.
func (e *Estimator) Add(ctx context.Context, d catalog.RecordWithBody, stored catalog.Vectors) error {
	e.Chunks += len(d.Chunks)
	if e.model.IsCheapToCompute {
		return nil
	}
	known, err := stored.FindVectors(ctx, live.EmbeddingKeysOf(d.Chunks))
	if err != nil {
		return fmt.Errorf("look up vectors: %w", err)
	}
	for _, c := range d.Chunks {
		if known[c.Key] != nil || e.seen[c.Key] {
			continue
		}
		e.seen[c.Key] = true
		e.TextsToEmbed++
		input := catalog.EmbeddingInput(d.Body.Text[c.Span.StartByte:c.Span.EndByte], c.Heading)
		e.Tokens += script.EstimateTokens(input)
		if len(e.SampleTexts) < sampled {
			e.SampleTexts = append(e.SampleTexts, input)
		}
	}
	return nil
}
