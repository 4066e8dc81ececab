package embed_test

import (
	"context"
	"fmt"
	"strings"

	"vademecum/embed"
)

// vowels is a model in the process: a vector has how often a text has each vowel.
type vowels struct{}

func (vowels) ModelIdentity() string { return "vowels/1" } // another number where vectors change

func (vowels) Properties() embed.Properties {
	return embed.Properties{IsCheapToCompute: true, Weight: 0.3}
}

func (vowels) Embed(_ context.Context, _ embed.TextKind, texts []string) ([][]float32, error) {
	vectors := make([][]float32, len(texts))
	for i, text := range texts {
		for _, vowel := range "aeiou" {
			vectors[i] = append(vectors[i], float32(strings.Count(text, string(vowel))))
		}
	}
	return vectors, nil
}

// An embedder makes a vector of each text, in their order. It says by its properties
// whether vectors are stored, what they weigh beside the words, and where texts are sent.
func ExampleEmbedder() {
	var e embed.Embedder = vowels{}
	vectors, err := e.Embed(context.Background(), embed.Query, []string{"a useful idea", "why"})
	fmt.Println(e.ModelIdentity(), vectors, err)
	// Output: vowels/1 [[2 2 1 0 2] [0 0 0 0 0]] <nil>
}
