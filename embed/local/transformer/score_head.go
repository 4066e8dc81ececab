package transformer

import (
	"fmt"
	"math"

	"vademecum/embed/local/kernel"
)

// ScoreHead computes a score from the state of a text's first token: a linear layer, tanh, and a
// linear layer with one output, as in the models for sequence classification with one label in the
// transformers library.
type ScoreHead struct {
	dense, output []float32 // weights, row by row
	denseBias     []float32
	outputBias    float32
}

// scoreHeadArchitectures lists the architectures that may have a ScoreHead, for people.
const scoreHeadArchitectures = "bert, roberta and xlm-roberta"

// headNames returns the names of the tensors of a ScoreHead in models of an architecture: the
// possible names of its first layer, and the name of its output layer.
func headNames(architecture string) (dense []string, output string, err error) {
	switch architecture {
	case "bert":
		return []string{"bert.pooler.dense", "pooler.dense"}, "classifier", nil
	case "roberta", "xlm-roberta":
		return []string{"classifier.dense"}, "classifier.out_proj", nil
	}
	return nil, "", fmt.Errorf("the architecture %.40q is not supported for a reranker: %s are", architecture, scoreHeadArchitectures)
}

// CheckTokenTypes returns an error for a model with a single type of tokens, which cannot tell two texts
// apart.
func (c *Config) CheckTokenTypes() error {
	if c.tokenTypes < 2 {
		return fmt.Errorf("a type_vocab_size of %d, and two texts take 2", c.tokenTypes)
	}
	return nil
}

// LoadScoreHead reads the head of a model from its weights.
func LoadScoreHead(c Config, file *SafetensorsFile) (*ScoreHead, error) {
	candidates, output, err := headNames(c.Architecture)
	if err != nil {
		return nil, err
	}
	dense := candidates[0]
	for _, name := range candidates {
		if file.hasTensor(name + ".weight") {
			dense = name
		}
	}
	if !file.hasTensor(dense+".weight") || !file.hasTensor(output+".weight") {
		return nil, fmt.Errorf("it has no tensors %s.weight and %s.weight: the model is no cross-encoder", dense, output)
	}
	s := weightReader{file: file}
	h := &ScoreHead{
		dense: s.readNumbers(dense+".weight", c.HiddenSize, c.HiddenSize), denseBias: s.readNumbers(dense+".bias", c.HiddenSize),
		output: s.readNumbers(output+".weight", 1, c.HiddenSize),
	}
	if bias := s.readNumbers(output+".bias", 1); s.err == nil {
		h.outputBias = bias[0]
	}
	return h, s.err
}

// Score returns the score for a state. It returns an error if the score is not finite.
func (h *ScoreHead) Score(state []float32) (float64, error) {
	score := float64(h.outputBias)
	for i, bias := range h.denseBias {
		sum := float64(bias)
		for j, w := range h.dense[i*len(state):][:len(state)] {
			sum += float64(w) * float64(state[j])
		}
		score += math.Tanh(sum) * float64(h.output[i])
	}
	if !kernel.AllFinite([]float32{float32(score)}) {
		return 0, ErrNotFinite
	}
	return score, nil
}
