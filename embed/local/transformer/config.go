// Package transformer runs encoders of the BERT family on tokens: BERT and RoBERTa (Devlin et al.,
// "BERT", 2018), DistilBERT, XLM-RoBERTa and ModernBERT (Warner et al., "Smarter, Better, Faster,
// Longer", 2024). Configurations and weights are named as in the transformers library of Hugging
// Face.
package transformer

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Config is the configuration of a model, without its weights.
type Config struct {
	Architecture   string // such as "bert"
	HiddenSize     int    // length of the state of a token
	Layers         int
	MaxTokens      int // maximum number of tokens of a text
	VocabularySize int // number of tokens in the vocabulary

	heads         int
	innerSize     int // size of the inner layer of the feed-forward network
	tokenTypes    int // number of token types; the second is for the second of two texts
	positions     int // number of embedded positions
	firstPosition int // the position of the first token
	epsilon       float32
	rotary        []rotaryConfig // for each layer; nil if positions are embedded
	tensorNames   tensorNames
}

// rotaryConfig is the position encoding of a layer.
type rotaryConfig struct {
	theta       float64
	windowReach int // tokens attended to on each side; 0 means all
}

// configFile is a config.json. It includes the names that BERT, DistilBERT and ModernBERT use.
type configFile struct {
	Type     string `json:"model_type"`
	Words    int    `json:"vocab_size"`
	Hidden   int    `json:"hidden_size"`
	Layers   int    `json:"num_hidden_layers"`
	Heads    int    `json:"num_attention_heads"`
	Inner    int    `json:"intermediate_size"`
	Most     int    `json:"max_position_embeddings"`
	Types    int    `json:"type_vocab_size"`
	Pad      *int   `json:"pad_token_id"`
	Position string `json:"position_embedding_type"`
	Act      string `json:"hidden_act"`

	Epsilon *float32 `json:"layer_norm_eps"`
	Decoder bool     `json:"is_decoder"`

	DistilHidden int    `json:"dim"`
	DistilLayers int    `json:"n_layers"`
	DistilHeads  int    `json:"n_heads"`
	DistilInner  int    `json:"hidden_dim"`
	DistilAct    string `json:"activation"`

	ModernAct     string   `json:"hidden_activation"`
	ModernEpsilon *float32 `json:"norm_eps"`
	NormBias      bool     `json:"norm_bias"`
	AttentionBias bool     `json:"attention_bias"`
	InnerBias     bool     `json:"mlp_bias"`
	GlobalEvery   int      `json:"global_attn_every_n_layers"`
	LayerTypes    []string `json:"layer_types"`
	Window        int      `json:"local_attention"`
	GlobalTheta   float64  `json:"global_rope_theta"`
	LocalTheta    float64  `json:"local_rope_theta"`
	Rotary        map[string]struct {
		Type  string  `json:"rope_type"`
		Theta float64 `json:"rope_theta"`
	} `json:"rope_parameters"`
}

// supportedArchitectures lists the architectures that Parse accepts, for people.
const supportedArchitectures = "bert, distilbert, roberta, xlm-roberta and modernbert"

// MaxUsedTokens is the maximum number of tokens of a text that are used, even if the model accepts
// more: the time grows with their square.
const MaxUsedTokens = 2048

// Parse parses a config.json. For models that the package does not support, the error says what is
// not supported.
func Parse(text []byte) (Config, error) {
	var f configFile
	if err := json.Unmarshal(text, &f); err != nil {
		return Config{}, err
	}
	c := Config{
		Architecture: f.Type, HiddenSize: f.Hidden, Layers: f.Layers, VocabularySize: f.Words,
		heads: f.Heads, innerSize: f.Inner, tokenTypes: f.Types, positions: f.Most, epsilon: 1e-12,
	}
	activation := f.Act
	if f.Epsilon != nil {
		c.epsilon = *f.Epsilon
	}
	switch f.Type {
	case "bert":
		c.tensorNames = bertNames
	case "roberta", "xlm-roberta":
		c.tensorNames = robertaNames
		if f.Pad == nil {
			return Config{}, errors.New("it has no pad_token_id")
		}
		c.firstPosition = *f.Pad + 1
	case "distilbert":
		c.tensorNames = distilNames
		c.HiddenSize, c.Layers, c.heads, c.innerSize = f.DistilHidden, f.DistilLayers, f.DistilHeads, f.DistilInner
		activation, c.tokenTypes = f.DistilAct, 0
	case "modernbert":
		c.tensorNames = modernNames
		activation, c.tokenTypes = f.ModernAct, 0
		if err := c.setModernBERT(&f); err != nil {
			return Config{}, err
		}
	case "":
		return Config{}, errors.New("it has no model_type")
	default:
		return Config{}, fmt.Errorf("the architecture %.40q is not supported: %s are", f.Type, supportedArchitectures)
	}
	switch {
	case activation != "gelu":
		return Config{}, fmt.Errorf("the activation %.40q is not supported: gelu is", activation)
	case f.Position != "" && f.Position != "absolute":
		return Config{}, fmt.Errorf("the position_embedding_type %.40q is not supported: absolute is", f.Position)
	case f.Decoder:
		return Config{}, errors.New("it is a decoder, which is not supported")
	}
	c.MaxTokens = min(c.positions-c.firstPosition, MaxUsedTokens)
	return c, c.checkSizes()
}

// checkSizes returns an error for sizes that no model has, before memory is allocated for them.
func (c *Config) checkSizes() error {
	for _, n := range []struct {
		name        string
		value, most int
	}{
		{"size of its hidden layers", c.HiddenSize, 1 << 13},
		{"number of its layers", c.Layers, 1 << 8},
		{"number of its heads", c.heads, c.HiddenSize},
		{"size of its inner layers", c.innerSize, 1 << 15},
		{"size of its vocabulary", c.VocabularySize, 1 << 22},
		{"number of its tokens", c.MaxTokens, MaxUsedTokens},
	} {
		if n.value < 1 || n.value > n.most {
			return fmt.Errorf("the %s is %d, or missing", n.name, n.value)
		}
	}
	if c.HiddenSize%c.heads != 0 || c.rotary != nil && c.HiddenSize/c.heads%2 != 0 {
		return fmt.Errorf("%d heads for hidden layers of %d", c.heads, c.HiddenSize)
	}
	return nil
}

// setModernBERT reads what only ModernBERT has, under its original names and those since version 5
// of the transformers library.
func (c *Config) setModernBERT(f *configFile) error {
	if f.NormBias || f.AttentionBias || f.InnerBias {
		return errors.New("biases are not supported in modernbert")
	}
	c.epsilon = 1e-5
	if f.ModernEpsilon != nil {
		c.epsilon = *f.ModernEpsilon
	}
	global, local := f.GlobalTheta, f.LocalTheta
	for _, r := range f.Rotary {
		if r.Type != "" && r.Type != "default" {
			return fmt.Errorf("the rope_type %.40q is not supported: default is", r.Type)
		}
	}
	if f.Rotary != nil {
		global, local = f.Rotary["full_attention"].Theta, f.Rotary["sliding_attention"].Theta
	}
	if local == 0 {
		local = global
	}
	if global <= 0 || f.Window < 2 || f.Layers < 0 || f.Layers > 1<<8 {
		return errors.New("its local_attention or its rope_theta is missing")
	}
	types := f.LayerTypes
	if types == nil {
		if f.GlobalEvery < 1 {
			return errors.New("it has neither layer_types nor global_attn_every_n_layers")
		}
		for i := range f.Layers {
			if i%f.GlobalEvery == 0 {
				types = append(types, "full_attention")
			} else {
				types = append(types, "sliding_attention")
			}
		}
	}
	if len(types) != f.Layers {
		return fmt.Errorf("%d layer_types for %d layers", len(types), f.Layers)
	}
	for _, t := range types {
		switch t {
		case "full_attention":
			c.rotary = append(c.rotary, rotaryConfig{theta: global})
		case "sliding_attention":
			c.rotary = append(c.rotary, rotaryConfig{theta: local, windowReach: f.Window / 2})
		default:
			return fmt.Errorf("the layer type %.40q is not supported", t)
		}
	}
	return nil
}

// tensorNames holds the names of the tensors of an architecture, with # for the number of the
// layer.
type tensorNames struct {
	prefixes []string // prefixes, one of which may precede all names

	words, positions, types, norm string
	queryKeyValue                 []string // one tensor or three
	attention, attentionNorm      string
	up, down, downNorm            string
	final                         string
	bias                          bool
}

var bertNames = tensorNames{
	prefixes:      []string{"", "bert."},
	words:         "embeddings.word_embeddings",
	positions:     "embeddings.position_embeddings",
	types:         "embeddings.token_type_embeddings",
	norm:          "embeddings.LayerNorm",
	queryKeyValue: []string{"encoder.layer.#.attention.self.query", "encoder.layer.#.attention.self.key", "encoder.layer.#.attention.self.value"},
	attention:     "encoder.layer.#.attention.output.dense",
	attentionNorm: "encoder.layer.#.attention.output.LayerNorm",
	up:            "encoder.layer.#.intermediate.dense",
	down:          "encoder.layer.#.output.dense",
	downNorm:      "encoder.layer.#.output.LayerNorm",
	bias:          true,
}

var robertaNames = func() tensorNames {
	n := bertNames
	n.prefixes = []string{"", "roberta."}
	return n
}()

var distilNames = tensorNames{
	prefixes:      []string{"", "distilbert."},
	words:         "embeddings.word_embeddings",
	positions:     "embeddings.position_embeddings",
	norm:          "embeddings.LayerNorm",
	queryKeyValue: []string{"transformer.layer.#.attention.q_lin", "transformer.layer.#.attention.k_lin", "transformer.layer.#.attention.v_lin"},
	attention:     "transformer.layer.#.attention.out_lin",
	attentionNorm: "transformer.layer.#.sa_layer_norm",
	up:            "transformer.layer.#.ffn.lin1",
	down:          "transformer.layer.#.ffn.lin2",
	downNorm:      "transformer.layer.#.output_layer_norm",
	bias:          true,
}

var modernNames = tensorNames{
	prefixes:      []string{"", "model."},
	words:         "embeddings.tok_embeddings",
	norm:          "embeddings.norm",
	queryKeyValue: []string{"layers.#.attn.Wqkv"},
	attention:     "layers.#.attn.Wo",
	attentionNorm: "layers.#.attn_norm",
	up:            "layers.#.mlp.Wi",
	down:          "layers.#.mlp.Wo",
	downNorm:      "layers.#.mlp_norm",
	final:         "final_norm",
}

// findPrefix returns the prefix of the names of tensors that is in use.
func (n tensorNames) findPrefix(has func(name string) bool) (string, bool) {
	i := slices.IndexFunc(n.prefixes, func(p string) bool { return has(p + n.words + ".weight") })
	if i < 0 {
		return "", false
	}
	return n.prefixes[i], true
}

// layerTensorName inserts the number of a layer into the name of a tensor.
func layerTensorName(name string, number int) string {
	return strings.Replace(name, "#", fmt.Sprint(number), 1)
}
