package local

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"vademecum/embed/local/localtest"
	"vademecum/embed/local/transformer"
)

func openCrossEncoder(t testing.TB, dir string) *CrossEncoder {
	t.Helper()
	c, err := OpenCrossEncoder(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

// TestScores holds scores to those of formulas in float64 that share nothing with the kernels.
func TestScores(t *testing.T) {
	const question = "salt and blood pressure"
	texts := []string{"the patient should avoid salt", "bread", "", "高血压患者 should avoid 盐", strings.Repeat("water and bread ", 40), "a recipe for bread"}
	for _, architecture := range []string{"bert", "xlm-roberta"} {
		dir := localtest.WriteCrossEncoder(t, architecture, localtest.SmallShape)
		weights := readAllTensors(t, dir)
		for _, exact := range []bool{true, false} {
			c := openCrossEncoder(t, dir)
			c.model.keepsFloat32 = exact
			got, err := c.Rerank(t.Context(), question, texts)
			if err != nil {
				t.Fatal(err)
			}
			most := 0.05 // of scores that lie about 1 apart
			if exact {
				most = 1e-5
			}
			for i, text := range texts {
				tokens, typeZero := c.pair.Tokens(question, text, c.tokenLimit)
				if want := weights.score(architecture, tokens, typeZero); !(math.Abs(got[i]-want) < most) {
					t.Errorf("%s, exact %v: %.20q has the score %v, want %v", architecture, exact, text, got[i], want)
				}
			}
		}
	}
}

// TestPairs: a long question leaves half of the room, and types are those of the template.
func TestPairs(t *testing.T) {
	for architecture, special := range map[string]int{"bert": 3, "xlm-roberta": 4} {
		c := openCrossEncoder(t, localtest.WriteCrossEncoder(t, architecture, localtest.SmallShape))
		long := strings.Repeat("water ", 100)
		tokens, typeZero := c.pair.Tokens(long, long, 24)
		half := (24 - special) / 2
		question, _ := c.pair.Tokens("water", "", 24)
		if len(tokens) != 24 || tokens[half] != question[1] || tokens[half+1] == question[1] {
			t.Errorf("%s: %v", architecture, tokens)
		}
		if want := map[string]int{"bert": half + 2, "xlm-roberta": 24}[architecture]; typeZero != want {
			t.Errorf("%s: %d tokens of type 0, want %d", architecture, typeZero, want)
		}
		if short, _ := c.pair.Tokens("water", long, 24); len(short) != 24 {
			t.Errorf("%s: a short question leaves %d tokens", architecture, len(short))
		}
	}
}

// TestPairsAreBounded: a question does not wait for all that a model could read.
func TestPairsAreBounded(t *testing.T) {
	shape := localtest.SmallShape
	shape.Positions = 2 * mostPairTokens
	if c := openCrossEncoder(t, localtest.WriteCrossEncoder(t, "bert", shape)); c.tokenLimit != mostPairTokens {
		t.Errorf("%d tokens of a pair are read", c.tokenLimit)
	}
}

// TestTypeMatters: the second text has the second type.
func TestTypeMatters(t *testing.T) {
	c := openCrossEncoder(t, localtest.WriteCrossEncoder(t, "bert", localtest.SmallShape))
	if err := c.model.awaitWeights(t.Context()); err != nil {
		t.Fatal(err)
	}
	tokens, typeZero := c.pair.Tokens("salt", "bread", 24)
	var scores []float64
	for _, n := range []int{typeZero, len(tokens)} {
		states, err := c.model.encoder.RunPair(tokens, n, new(transformer.Workspace), func() error { return nil })
		if err != nil {
			t.Fatal(err)
		}
		score, err := c.model.head.Score(states.Row(0))
		if err != nil {
			t.Fatal(err)
		}
		scores = append(scores, score)
	}
	if math.Abs(scores[0]-scores[1]) < 1e-3 {
		t.Errorf("scores %v with and without the second type", scores)
	}
}

func TestCrossEncoderCancelled(t *testing.T) {
	c := openCrossEncoder(t, localtest.WriteCrossEncoder(t, "bert", localtest.SmallShape))
	if _, err := c.Rerank(t.Context(), "salt", []string{"bread"}); err != nil {
		t.Fatal(err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if scores, err := c.Rerank(gone, "salt", []string{"bread", "water"}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, %v", scores, err)
	}
}

func TestBadCrossEncoders(t *testing.T) {
	for _, c := range []struct {
		name   string
		damage func(t *testing.T, dir string)
		want   string
	}{
		{"no folder", func(t *testing.T, dir string) { remove(t, dir, "") }, " is missing"},
		{"no config", func(t *testing.T, dir string) { remove(t, dir, "config.json") }, "config.json is missing"},
		{"no tokenizer", func(t *testing.T, dir string) { remove(t, dir, "tokenizer.json") }, "tokenizer.json is missing"},
		{"no weights", func(t *testing.T, dir string) { remove(t, dir, "model.safetensors") }, "model.safetensors is missing"},
		{"cut off", func(t *testing.T, dir string) {
			write(t, dir, "model.safetensors", read(t, dir, "model.safetensors")[:100_000])
		}, "model.safetensors: the file is cut off: it has 100000 bytes of "},
		{"embedding model", func(t *testing.T, dir string) {
			for _, name := range []string{"config.json", "model.safetensors"} {
				write(t, dir, name, read(t, localtest.Write(t, "bert", localtest.SmallShape), name))
			}
		}, "model.safetensors: it has no tensors bert.pooler.dense.weight and classifier.weight: the model is no cross-encoder"},
		{"architecture", func(t *testing.T, dir string) {
			for _, name := range []string{"config.json", "model.safetensors", "tokenizer.json"} {
				write(t, dir, name, read(t, localtest.Write(t, "modernbert", localtest.SmallShape), name))
			}
		}, `model.safetensors: the architecture "modernbert" is not supported for a reranker: bert, roberta and xlm-roberta are`},
		{"one type", func(t *testing.T, dir string) {
			set("config.json", "type_vocab_size", 1)(t, dir)
			header, data := splitSafetensors(t, dir)
			entry := header["bert.embeddings.token_type_embeddings.weight"].(map[string]any)
			from := entry["data_offsets"].([]any)[0].(float64)
			entry["shape"], entry["data_offsets"] = []int{1, 40}, []float64{from, from + 160}
			joinSafetensors(t, dir, header, data)
		}, "config.json: a type_vocab_size of 1, and two texts take 2"},
		{"more labels", func(t *testing.T, dir string) {
			header, data := splitSafetensors(t, dir)
			header["classifier.weight"].(map[string]any)["shape"] = []int{2, 20}
			joinSafetensors(t, dir, header, data)
		}, "model.safetensors: tensor classifier.weight has the shape [2 20], want [1 40]"},
		{"no pair", set("tokenizer.json", "post_processor", map[string]any{
			"type": "BertProcessing", "sep": []any{"[SEP]", 3}, "cls": []any{"[CLS]", 2},
		}), ""},
		{"nothing around", set("tokenizer.json", "post_processor", nil), "tokenizer.json: it does not say how two texts are put together"},
		{"short", set("tokenizer_config.json", "model_max_length", 10), "the model reads 10 tokens"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := localtest.WriteCrossEncoder(t, "bert", localtest.SmallShape)
			c.damage(t, dir)
			_, err := OpenCrossEncoder(dir)
			if c.want == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), dir) || strings.Contains(err.Error(), "\n") {
				t.Errorf("error %v, want one line with %q", err, c.want)
			}
		})
	}
}

// A number that is not finite is no score.
func TestNotFiniteScore(t *testing.T) {
	dir := localtest.WriteCrossEncoder(t, "bert", localtest.SmallShape)
	header, data := splitSafetensors(t, dir)
	word := openCrossEncoder(t, dir).model.tokenizer.Tokens("bread", 3)[1]
	at := int(header["bert.embeddings.word_embeddings.weight"].(map[string]any)["data_offsets"].([]any)[0].(float64))
	binary.LittleEndian.PutUint32(data[at+160*int(word):], math.Float32bits(float32(math.NaN())))
	joinSafetensors(t, dir, header, data)
	if _, err := openCrossEncoder(t, dir).Rerank(t.Context(), "salt", []string{"water", "bread"}); !errors.Is(err, transformer.ErrNotFinite) || !strings.Contains(err.Error(), "model.safetensors") {
		t.Errorf("error %v", err)
	}
}

// splitSafetensors returns the header and the numbers of a model's weights.
func splitSafetensors(t *testing.T, dir string) (header map[string]any, data []byte) {
	t.Helper()
	all, err := os.ReadFile(weightsPath(dir))
	if err != nil {
		t.Fatal(err)
	}
	size := binary.LittleEndian.Uint64(all)
	if err := json.Unmarshal(all[8:8+size], &header); err != nil {
		t.Fatal(err)
	}
	return header, all[8+size:]
}

func joinSafetensors(t *testing.T, dir string, header map[string]any, data []byte) {
	t.Helper()
	text, err := json.Marshal(header)
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, "model.safetensors", string(slices.Concat(binary.LittleEndian.AppendUint64(nil, uint64(len(text))), text, data)))
}

// tensors are the weights of a model by their names.
type tensors map[string][]float64

func readAllTensors(t *testing.T, dir string) tensors {
	t.Helper()
	header, data := splitSafetensors(t, dir)
	all := make(tensors)
	for name, entry := range header {
		place := entry.(map[string]any)["data_offsets"].([]any)
		for at := int(place[0].(float64)); at < int(place[1].(float64)); at += 4 {
			all[name] = append(all[name], float64(math.Float32frombits(binary.LittleEndian.Uint32(data[at:]))))
		}
	}
	return all
}

// linear multiplies a vector by a weight matrix and adds the bias.
func (w tensors) linear(name string, x []float64) []float64 {
	y := slices.Clone(w[name+".bias"])
	for i := range y {
		for j, v := range x {
			y[i] += w[name+".weight"][i*len(x)+j] * v
		}
	}
	return y
}

// normalised is the layer normalisation of a sum.
func (w tensors) normalised(name string, epsilon float64, a, b []float64) []float64 {
	x, mean, variance := make([]float64, len(a)), 0.0, 0.0
	for i := range x {
		x[i] = a[i] + b[i]
		mean += x[i] / float64(len(x))
	}
	for _, v := range x {
		variance += (v - mean) * (v - mean) / float64(len(x))
	}
	for i, v := range x {
		x[i] = (v-mean)/math.Sqrt(variance+epsilon)*w[name+".weight"][i] + w[name+".bias"][i]
	}
	return x
}

// score follows the formulas of the models' authors, one token and one head after the other.
func (w tensors) score(architecture string, tokens []int32, typeZero int) float64 {
	prefix, dense, output, epsilon, position := "bert.", "bert.pooler.dense", "classifier", 1e-12, 0
	if architecture == "xlm-roberta" {
		prefix, dense, output, epsilon, position = "roberta.", "classifier.dense", "classifier.out_proj", 1e-5, 2
	}
	size, heads := localtest.SmallShape.Hidden, localtest.SmallShape.Heads
	rowOf := func(name string, i int) []float64 { return w[prefix+"embeddings."+name+".weight"][i*size:][:size] }
	var states [][]float64
	for i, token := range tokens {
		kind := 0
		if i >= typeZero {
			kind = 1
		}
		sum := slices.Clone(rowOf("word_embeddings", int(token)))
		for j := range sum {
			sum[j] += rowOf("token_type_embeddings", kind)[j]
		}
		states = append(states, w.normalised(prefix+"embeddings.LayerNorm", epsilon, sum, rowOf("position_embeddings", position+i)))
	}
	for l := range localtest.SmallShape.Layers {
		layer := fmt.Sprintf("%sencoder.layer.%d.", prefix, l)
		var next, keys, values [][]float64
		for _, x := range states {
			keys, values = append(keys, w.linear(layer+"attention.self.key", x)), append(values, w.linear(layer+"attention.self.value", x))
		}
		for _, x := range states {
			query, context := w.linear(layer+"attention.self.query", x), make([]float64, size)
			for h := range heads {
				from, to := h*size/heads, (h+1)*size/heads
				var shares []float64
				sum := 0.0
				for _, key := range keys {
					product := 0.0
					for j := from; j < to; j++ {
						product += query[j] * key[j]
					}
					shares = append(shares, math.Exp(product/math.Sqrt(float64(to-from))))
					sum += shares[len(shares)-1]
				}
				for i, value := range values {
					for j := from; j < to; j++ {
						context[j] += shares[i] / sum * value[j]
					}
				}
			}
			x = w.normalised(layer+"attention.output.LayerNorm", epsilon, w.linear(layer+"attention.output.dense", context), x)
			inner := w.linear(layer+"intermediate.dense", x)
			for j, v := range inner {
				inner[j] = v / 2 * (1 + math.Erf(v/math.Sqrt2))
			}
			next = append(next, w.normalised(layer+"output.LayerNorm", epsilon, w.linear(layer+"output.dense", inner), x))
		}
		states = next
	}
	pooled := w.linear(dense, states[0])
	for i, v := range pooled {
		pooled[i] = math.Tanh(v)
	}
	return w.linear(output, pooled)[0]
}
