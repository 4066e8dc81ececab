package embed

import (
	"math"

	"vademecum/internal/base/message"

	openai "github.com/sashabaranov/go-openai"
)

// arrangeVectors returns the vectors of an answer in the order of the n texts, by their index
// fields, and scaled to unit length. It returns an error unless there is exactly one vector for
// each text, all of the same length, finite and not zero.
func arrangeVectors(data []openai.Embedding, n int) ([][]float32, error) {
	if len(data) != n {
		return nil, message.Errorf("%d vectors for %d texts", len(data), n)
	}
	vectors := make([][]float32, n)
	for _, d := range data {
		switch {
		case d.Index < 0 || d.Index >= n:
			return nil, message.Errorf("a vector for text %d of %d", d.Index, n)
		case vectors[d.Index] != nil:
			return nil, message.Errorf("two vectors for text %d", d.Index)
		case len(d.Embedding) == 0:
			return nil, message.Errorf("an empty vector for text %d", d.Index)
		case len(d.Embedding) != len(data[0].Embedding):
			return nil, message.Errorf("vectors of %d and of %d dimensions", len(data[0].Embedding), len(d.Embedding))
		}
		if err := normaliseVector(d.Embedding); err != nil {
			return nil, message.Errorf("vector for text %d: %v", d.Index, err)
		}
		vectors[d.Index] = d.Embedding
	}
	return vectors, nil
}

// normaliseVector scales v to unit length in place.
func normaliseVector(v []float32) error {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	// Squares of float32 numbers neither overflow nor underflow in a float64.
	switch {
	case math.IsNaN(sum) || math.IsInf(sum, 0):
		return message.Errorf("not a finite number in it")
	case sum == 0:
		return message.Errorf("it is zero")
	}
	norm := math.Sqrt(sum)
	for i, x := range v {
		v[i] = float32(float64(x) / norm)
	}
	return nil
}
