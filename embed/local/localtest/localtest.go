// Package localtest writes folders with small models of random weights, for tests.
package localtest

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// Shape is the size of a model.
type Shape struct {
	Hidden, Layers, Heads, Inner, Positions, Window int
	// 0 means the size of the tokenizer's vocabulary
	VocabularySize int
}

// SmallShape is the shape of the models whose vectors are known; none of its sizes is a multiple of a
// block.
var SmallShape = Shape{Hidden: 40, Layers: 4, Heads: 4, Inner: 72, Positions: 64, Window: 8}

// Architectures lists those that Write supports.
var Architectures = []string{"bert", "distilbert", "xlm-roberta", "modernbert"}

// Write writes a model into a new folder. It is the same each time for an architecture and a shape.
func Write(t testing.TB, architecture string, s Shape) (dir string) {
	t.Helper()
	dir = t.TempDir()
	WriteTo(t, dir, architecture, s)
	return dir
}

// WriteTo writes a model into an existing folder.
func WriteTo(t testing.TB, dir, architecture string, s Shape) {
	t.Helper()
	tokenizer, words := tokenizerBuilders[architecture]()
	if s.VocabularySize == 0 {
		s.VocabularySize = words
	}
	config, tensors := modelBuilders[architecture](s)
	config["model_type"], config["vocab_size"] = architecture, s.VocabularySize
	w := folderWriter{t, dir}
	w.writeJSON("config.json", config)
	w.writeJSON("tokenizer.json", tokenizer)
	w.writeJSON("modules.json", []any{
		map[string]any{"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"},
		map[string]any{"idx": 1, "name": "1", "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
		map[string]any{"idx": 2, "name": "2", "path": "2_Normalize", "type": "sentence_transformers.models.Normalize"},
	})
	first := architecture == "modernbert"
	w.writeJSON("1_Pooling/config.json", map[string]any{
		"word_embedding_dimension": s.Hidden, "pooling_mode_cls_token": first, "pooling_mode_mean_tokens": !first,
	})
	w.writeJSON("sentence_bert_config.json", map[string]any{"max_seq_length": s.Positions - 4, "do_lower_case": false})
	w.writeWeights("model.safetensors", tensors)
}

// WriteCrossEncoder writes a cross-encoder for bert or xlm-roberta into a new folder, in the
// layout of the transformers library.
func WriteCrossEncoder(t testing.TB, architecture string, s Shape) (dir string) {
	t.Helper()
	dir = t.TempDir()
	tokenizer, words := tokenizerBuilders[architecture]()
	if s.VocabularySize == 0 {
		s.VocabularySize = words
	}
	config, tensors := modelBuilders[architecture](s)
	config["model_type"], config["vocab_size"] = architecture, s.VocabularySize
	prefix, dense, output := "bert.", "bert.pooler.dense", "classifier"
	if architecture == "xlm-roberta" {
		prefix, dense, output = "roberta.", "classifier.dense", "classifier.out_proj"
	}
	b := tensorBuilder{bias: true, tensors: tensors}
	for i := range b.tensors {
		b.tensors[i].Name = prefix + b.tensors[i].Name
	}
	b.addLinear(dense, s.Hidden, s.Hidden)
	b.addLinear(output, s.Hidden, 1)
	w := folderWriter{t, dir}
	w.writeJSON("config.json", config)
	w.writeJSON("tokenizer.json", tokenizer)
	w.writeJSON("tokenizer_config.json", map[string]any{"model_max_length": s.Positions})
	w.writeWeights("model.safetensors", b.tensors)
	return dir
}

type folderWriter struct {
	t   testing.TB
	dir string
}

func (w folderWriter) writeFile(name string, content []byte) {
	w.t.Helper()
	path := filepath.Join(w.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, content, 0o644); err != nil {
		w.t.Fatal(err)
	}
}

func (w folderWriter) writeJSON(name string, value any) {
	w.t.Helper()
	text, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		w.t.Fatal(err)
	}
	w.writeFile(name, text)
}

// Tensor is a tensor of random numbers around a mean.
type Tensor struct {
	Name            string
	Shape           []int
	Mean, Deviation float64
}

// AddDense adds a dense layer with the given number of outputs, and returns its weights, row by
// row, and its biases.
func AddDense(t testing.TB, dir string, s Shape, outputs int) (weights, bias []float32) {
	t.Helper()
	w := folderWriter{t, dir}
	w.writeJSON("modules.json", []any{
		map[string]any{"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"},
		map[string]any{"idx": 1, "name": "1", "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
		map[string]any{"idx": 2, "name": "2", "path": "2_Dense", "type": "sentence_transformers.models.Dense"},
	})
	w.writeJSON("2_Dense/config.json", map[string]any{
		"in_features": s.Hidden, "out_features": outputs, "bias": true, "activation_function": "torch.nn.modules.activation.Tanh",
	})
	all := w.writeWeights("2_Dense/model.safetensors", []Tensor{
		{"linear.weight", []int{outputs, s.Hidden}, 0, 0.3}, {"linear.bias", []int{outputs}, 0, 0.1},
	})
	return all[:outputs*s.Hidden], all[outputs*s.Hidden:]
}

// writeWeights writes tensors in safetensors format as F32, and returns their numbers.
func (w folderWriter) writeWeights(name string, tensors []Tensor) (all []float32) {
	w.t.Helper()
	header, data := make(map[string]any), new(bytes.Buffer)
	random := rand.New(rand.NewPCG(uint64(len(tensors)), 1))
	for _, t := range tensors {
		from, n := data.Len(), 1
		for _, d := range t.Shape {
			n *= d
		}
		for range n {
			x := float32(t.Mean + t.Deviation*random.NormFloat64())
			all = append(all, x)
			data.Write(binary.LittleEndian.AppendUint32(nil, math.Float32bits(x)))
		}
		header[t.Name] = map[string]any{"dtype": "F32", "shape": t.Shape, "data_offsets": []int{from, data.Len()}}
	}
	text, err := json.Marshal(header)
	if err != nil {
		w.t.Fatal(err)
	}
	file := binary.LittleEndian.AppendUint64(nil, uint64(len(text)))
	w.writeFile(name, slices.Concat(file, text, data.Bytes()))
	return all
}

var modelBuilders = map[string]func(Shape) (config map[string]any, tensors []Tensor){
	"bert": func(s Shape) (map[string]any, []Tensor) { return bertModel(s, 0) },
	"xlm-roberta": func(s Shape) (map[string]any, []Tensor) {
		config, tensors := bertModel(s, 2)
		config["pad_token_id"], config["max_position_embeddings"], config["layer_norm_eps"] = 1, s.Positions+2, 1e-5
		return config, tensors
	},
	"distilbert": distilBERTModel,
	"modernbert": modernBERTModel,
}

func bertModel(s Shape, more int) (config map[string]any, tensors []Tensor) {
	config = map[string]any{
		"hidden_size": s.Hidden, "num_hidden_layers": s.Layers, "num_attention_heads": s.Heads, "intermediate_size": s.Inner,
		"max_position_embeddings": s.Positions, "type_vocab_size": 2, "hidden_act": "gelu", "layer_norm_eps": 1e-12,
		"position_embedding_type": "absolute", "pad_token_id": 0,
	}
	b := tensorBuilder{bias: true}
	b.addTable("embeddings.word_embeddings", s.VocabularySize, s.Hidden)
	b.addTable("embeddings.position_embeddings", s.Positions+more, s.Hidden)
	b.addTable("embeddings.token_type_embeddings", 2, s.Hidden)
	b.addNorm("embeddings.LayerNorm", s.Hidden)
	for i := range s.Layers {
		l := fmt.Sprintf("encoder.layer.%d.", i)
		for _, name := range []string{"query", "key", "value"} {
			b.addLinear(l+"attention.self."+name, s.Hidden, s.Hidden)
		}
		b.addLinear(l+"attention.output.dense", s.Hidden, s.Hidden)
		b.addNorm(l+"attention.output.LayerNorm", s.Hidden)
		b.addLinear(l+"intermediate.dense", s.Hidden, s.Inner)
		b.addLinear(l+"output.dense", s.Inner, s.Hidden)
		b.addNorm(l+"output.LayerNorm", s.Hidden)
	}
	return config, b.tensors
}

func distilBERTModel(s Shape) (config map[string]any, tensors []Tensor) {
	config = map[string]any{
		"dim": s.Hidden, "n_layers": s.Layers, "n_heads": s.Heads, "hidden_dim": s.Inner,
		"max_position_embeddings": s.Positions, "activation": "gelu", "pad_token_id": 0,
	}
	b := tensorBuilder{bias: true}
	b.addTable("distilbert.embeddings.word_embeddings", s.VocabularySize, s.Hidden)
	b.addTable("distilbert.embeddings.position_embeddings", s.Positions, s.Hidden)
	b.addNorm("distilbert.embeddings.LayerNorm", s.Hidden)
	for i := range s.Layers {
		l := fmt.Sprintf("distilbert.transformer.layer.%d.", i)
		for _, name := range []string{"q_lin", "k_lin", "v_lin", "out_lin"} {
			b.addLinear(l+"attention."+name, s.Hidden, s.Hidden)
		}
		b.addNorm(l+"sa_layer_norm", s.Hidden)
		b.addLinear(l+"ffn.lin1", s.Hidden, s.Inner)
		b.addLinear(l+"ffn.lin2", s.Inner, s.Hidden)
		b.addNorm(l+"output_layer_norm", s.Hidden)
	}
	return config, b.tensors
}

func modernBERTModel(s Shape) (config map[string]any, tensors []Tensor) {
	config = map[string]any{
		"hidden_size": s.Hidden, "num_hidden_layers": s.Layers, "num_attention_heads": s.Heads, "intermediate_size": s.Inner,
		"max_position_embeddings": s.Positions, "hidden_activation": "gelu", "norm_eps": 1e-5, "local_attention": s.Window,
		"global_attn_every_n_layers": 3, "global_rope_theta": 160000.0, "local_rope_theta": 10000.0,
		"norm_bias": false, "attention_bias": false, "mlp_bias": false,
	}
	var b tensorBuilder
	b.addTable("embeddings.tok_embeddings", s.VocabularySize, s.Hidden)
	b.addNorm("embeddings.norm", s.Hidden)
	for i := range s.Layers {
		l := fmt.Sprintf("layers.%d.", i)
		if i > 0 {
			b.addNorm(l+"attn_norm", s.Hidden)
		}
		b.addLinear(l+"attn.Wqkv", s.Hidden, 3*s.Hidden)
		b.addLinear(l+"attn.Wo", s.Hidden, s.Hidden)
		b.addNorm(l+"mlp_norm", s.Hidden)
		b.addLinear(l+"mlp.Wi", s.Hidden, 2*s.Inner)
		b.addLinear(l+"mlp.Wo", s.Inner, s.Hidden)
	}
	b.addNorm("final_norm", s.Hidden)
	return config, b.tensors
}

// tensorBuilder collects the tensors of a model.
type tensorBuilder struct {
	bias    bool
	tensors []Tensor
}

func (b *tensorBuilder) addTable(name string, rows, columns int) {
	b.tensors = append(b.tensors, Tensor{name + ".weight", []int{rows, columns}, 0, 1})
}

func (b *tensorBuilder) addNorm(name string, size int) {
	b.tensors = append(b.tensors, Tensor{name + ".weight", []int{size}, 1, 0.1})
	if b.bias {
		b.tensors = append(b.tensors, Tensor{name + ".bias", []int{size}, 0, 0.1})
	}
}

func (b *tensorBuilder) addLinear(name string, inputs, outputs int) {
	b.tensors = append(b.tensors, Tensor{name + ".weight", []int{outputs, inputs}, 0, 1 / math.Sqrt(float64(inputs))})
	if b.bias {
		b.tensors = append(b.tensors, Tensor{name + ".bias", []int{outputs}, 0, 0.1})
	}
}
