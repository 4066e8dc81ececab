package local

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"vademecum/embed/local/localtest"
	"vademecum/embed/local/transformer"
)

// TestBadFolders breaks folders: each error is one line that names the file.
func TestBadFolders(t *testing.T) {
	for _, c := range []struct {
		name   string
		damage func(t *testing.T, dir string)
		want   string
	}{
		{"no folder", func(t *testing.T, dir string) { remove(t, dir, "") }, "model is missing"},
		{"no config", func(t *testing.T, dir string) { remove(t, dir, "config.json") }, "config.json is missing"},
		{"no tokenizer", func(t *testing.T, dir string) { remove(t, dir, "tokenizer.json") }, "tokenizer.json is missing"},
		{"no weights", func(t *testing.T, dir string) { remove(t, dir, "model.safetensors") }, "model.safetensors is missing"},
		{"no modules", func(t *testing.T, dir string) { remove(t, dir, "modules.json") }, "modules.json is missing"},
		{"no pooling", func(t *testing.T, dir string) { remove(t, dir, "1_Pooling/config.json") }, "config.json is missing"},
		{"broken config", func(t *testing.T, dir string) { write(t, dir, "config.json", "{") }, "config.json: unexpected end of JSON"},
		{"broken tokenizer", func(t *testing.T, dir string) { write(t, dir, "tokenizer.json", "[]") }, "tokenizer.json: it is no JSON"},
		{"architecture", set("config.json", "model_type", "llama"), `config.json: the architecture "llama" is not supported`},
		{"no architecture", set("config.json", "model_type", nil), "config.json: it has no model_type"},
		{"activation", set("config.json", "hidden_act", "relu"), `config.json: the activation "relu" is not supported`},
		{"positions", set("config.json", "position_embedding_type", "relative_key"), `"relative_key" is not supported`},
		{"heads", set("config.json", "num_attention_heads", 7), "config.json: 7 heads for hidden layers of 40"},
		{"huge", set("config.json", "hidden_size", 1<<30), "size of its hidden layers"},
		{"negative", set("config.json", "num_hidden_layers", -1), "number of its layers"},
		{"more layers", set("config.json", "num_hidden_layers", 5), "model.safetensors: it has no tensor encoder.layer.4."},
		{"other size", set("config.json", "intermediate_size", 73), "model.safetensors: tensor encoder.layer.0.intermediate.dense.weight has the shape [72 40], want [73 40]"},
		{"other architecture", set("config.json", "model_type", "modernbert"), "config.json: "},
		{"tokenizer of another", func(t *testing.T, dir string) {
			write(t, dir, "tokenizer.json", read(t, localtest.Write(t, "modernbert", localtest.SmallShape), "tokenizer.json"))
		}, "tokenizer.json: it has "},
		{"normalizer", set("tokenizer.json", "normalizer", map[string]any{"type": "Nmt"}), `tokenizer.json: the normalizer "Nmt" is not supported`},
		{"pre-tokenizer", set("tokenizer.json", "pre_tokenizer", map[string]any{"type": "Digits"}), `tokenizer.json: the pre-tokenizer "Digits" is not supported`},
		{"model", set("tokenizer.json", "model", map[string]any{"type": "WordLevel"}), `tokenizer.json: the model "WordLevel" is not supported`},
		{"pooling", set("1_Pooling/config.json", "pooling_mode_lasttoken", true), "1_Pooling"},
		{"pooling of another", set("1_Pooling/config.json", "word_embedding_dimension", 384), "a word_embedding_dimension of 384, and the model has 40"},
		{"outside", func(t *testing.T, dir string) {
			write(t, dir, "modules.json", `[{"type":"x.Transformer","path":"../other"},{"type":"x.Pooling","path":"1_Pooling"}]`)
		}, "modules.json names the folder"},
		{"modules", func(t *testing.T, dir string) {
			write(t, dir, "modules.json", `[{"type":"x.CLIPModel","path":""}]`)
		}, `modules.json: the module "x.CLIPModel" is not supported`},
		{"cut off", func(t *testing.T, dir string) {
			all := read(t, dir, "model.safetensors")
			write(t, dir, "model.safetensors", all[:len(all)/2])
		}, "model.safetensors: the file is cut off: it has 123441 bytes of 246883"},
		{"header cut off", func(t *testing.T, dir string) {
			write(t, dir, "model.safetensors", read(t, dir, "model.safetensors")[:100])
		}, "model.safetensors: it is no safetensors file"},
		{"pointer", func(t *testing.T, dir string) {
			write(t, dir, "model.safetensors", "version https://git-lfs.github.com/spec/v1\noid sha256:0\n")
		}, "model.safetensors: it is a pointer of Git LFS"},
		{"too large", func(t *testing.T, dir string) {
			if err := os.Truncate(filepath.Join(dir, "model.safetensors"), 3_000_000_000); err != nil {
				t.Skip(err)
			}
		}, "model.safetensors has 3.0 GB: models in this process have 2.5 at most"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "model")
			if err := os.CopyFS(dir, os.DirFS(localtest.Write(t, "bert", localtest.SmallShape))); err != nil {
				t.Fatal(err)
			}
			c.damage(t, dir)
			f, err := ReadModelFolder(dir, Prefixes{})
			if err == nil {
				_, err = f.OpenLazily()
			}
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), dir) || strings.Contains(err.Error(), "\n") {
				t.Errorf("error %v, want one line with %q", err, c.want)
			}
		})
	}
}

// A number that is not finite is found when the weights are read, or when it comes to bear.
func TestNotFinite(t *testing.T) {
	for _, bad := range []float32{float32(math.NaN()), float32(math.Inf(1))} {
		dir := localtest.Write(t, "bert", localtest.SmallShape)
		all := []byte(read(t, dir, "model.safetensors"))
		for at := len(all) - 4; at > len(all)/2; at -= 4 * 997 {
			binary.LittleEndian.PutUint32(all[at:], math.Float32bits(bad))
		}
		write(t, dir, "model.safetensors", string(all))
		_, err := open(t, dir).Embed(t.Context(), false, []string{"a note"})
		if err == nil || !strings.Contains(err.Error(), "not finite") || !strings.Contains(err.Error(), "model.safetensors") {
			t.Errorf("%v among the weights: error %v", bad, err)
		}
	}
}

// A word whose numbers are not finite keeps the vectors from texts with it alone, except where
// nothing shows that the model gives any.
func TestNotFiniteWord(t *testing.T) {
	for _, first := range []bool{true, false} { // the state of the first token, or the mean of all
		dir := localtest.Write(t, "bert", localtest.SmallShape)
		set("1_Pooling/config.json", "pooling_mode_cls_token", first)(t, dir)
		set("1_Pooling/config.json", "pooling_mode_mean_tokens", !first)(t, dir)
		testNotFiniteWord(t, dir)
	}
}

func testNotFiniteWord(t *testing.T, dir string) {
	word := open(t, dir).tokenizer.Tokens("bread", 3)[1]
	all := []byte(read(t, dir, "model.safetensors"))
	data := all[8+binary.LittleEndian.Uint64(all):] // the embeddings of words come first
	binary.LittleEndian.PutUint32(data[4*int(word)*localtest.SmallShape.Hidden:], math.Float32bits(float32(math.NaN())))
	write(t, dir, "model.safetensors", string(all))
	m := open(t, dir)
	var refused RefusedTextsError
	if _, err := m.Embed(t.Context(), false, []string{"bread"}); err == nil || errors.As(err, &refused) {
		t.Errorf("the first text of a model: error %v, want one of the model", err)
	}
	vectors, err := m.Embed(t.Context(), false, []string{"salt", "bread and water", "water"})
	if !errors.As(err, &refused) || len(refused) != 1 || !errors.Is(refused[1], transformer.ErrNotFinite) {
		t.Fatalf("error %v, want the second text refused", err)
	}
	if vectors[0] == nil || vectors[1] != nil || vectors[2] == nil {
		t.Errorf("vectors %v", vectors)
	}
	if _, err := m.Embed(t.Context(), true, []string{"bread"}); !errors.As(err, &refused) {
		t.Errorf("a question: error %v", err)
	}
}

// The identity is that of the same vectors, wherever the folder is.
func TestIdentity(t *testing.T) {
	dir := localtest.Write(t, "bert", localtest.SmallShape)
	identity := func(prefixes Prefixes) string {
		t.Helper()
		f, err := ReadModelFolder(dir, prefixes)
		if err != nil {
			t.Fatal(err)
		}
		return f.Identity()
	}
	first := identity(Prefixes{})
	if !strings.HasPrefix(first, "bert-40-") {
		t.Errorf("the identity is %s", first)
	}
	moved := filepath.Join(t.TempDir(), "elsewhere")
	if err := os.Rename(dir, moved); err != nil {
		t.Fatal(err)
	}
	dir = moved
	if again := identity(Prefixes{}); again != first {
		t.Errorf("%s has become %s elsewhere", first, again)
	}
	prefix := "passage: "
	if identity(Prefixes{Question: &prefix}) != first {
		t.Error("what is put before questions changes the identity, and no stored vector")
	}
	if identity(Prefixes{Passage: &prefix}) == first {
		t.Error("what is put before passages does not change the identity")
	}
	all := []byte(read(t, dir, "model.safetensors"))
	for at := len(all) / 2; at+4 <= len(all); at += 4 { // another training
		binary.LittleEndian.PutUint32(all[at:], 0)
	}
	write(t, dir, "model.safetensors", string(all))
	if identity(Prefixes{}) == first {
		t.Error("other weights have the same identity")
	}
}

// What is in the folder when the weights are read is what it was when it was named.
func TestReplacedModel(t *testing.T) {
	dir := localtest.Write(t, "bert", localtest.SmallShape)
	m := open(t, dir)
	all := []byte(read(t, dir, "model.safetensors"))
	for at := len(all) / 2; at+4 <= len(all); at += 4 {
		binary.LittleEndian.PutUint32(all[at:], 0)
	}
	write(t, dir, "model.safetensors", string(all))
	if _, err := m.Embed(t.Context(), false, []string{"a note"}); err == nil || !strings.Contains(err.Error(), "another model") {
		t.Errorf("error %v", err)
	}
}

// A file that is written to while it is in use gives no vectors, and one in whose place another
// was put goes on.
func TestReplacedInUse(t *testing.T) {
	dir := localtest.Write(t, "bert", localtest.SmallShape)
	m := open(t, dir)
	embed := func() error {
		_, err := m.Embed(t.Context(), false, []string{"a note"})
		return err
	}
	if err := embed(); err != nil {
		t.Fatal(err)
	}
	weights := read(t, dir, "model.safetensors")
	write(t, dir, "new", weights)
	if runtime.GOOS != "windows" { // where nothing takes the place of an open file
		if err := os.Rename(filepath.Join(dir, "new"), weightsPath(dir)); err != nil {
			t.Fatal(err)
		}
		if err := embed(); err != nil {
			t.Errorf("with another file in its place: %v", err)
		}
		m = open(t, dir)
		if err := embed(); err != nil {
			t.Fatal(err)
		}
	}
	write(t, dir, "model.safetensors", weights[:len(weights)-4])
	if err := embed(); err == nil || !strings.Contains(err.Error(), "model.safetensors: it was written to while it is in use: start anew") {
		t.Errorf("error %v", err)
	}
}

func TestLimitAndPrefixes(t *testing.T) {
	dir := localtest.Write(t, "bert", localtest.SmallShape)
	write(t, dir, "config_sentence_transformers.json", `{"prompts":{"query":"salt ","document":"bread "},"default_prompt_name":null}`)
	m := open(t, dir)
	question, passage := m.tokenize(true, "water"), m.tokenize(false, "water")
	words := map[string]int32{}
	for _, word := range []string{"salt", "bread", "water"} {
		words[word] = m.tokenizer.Tokens(word, 99)[1]
	}
	if len(question) != 4 || question[1] != words["salt"] || question[2] != words["water"] || passage[1] != words["bread"] {
		t.Errorf("tokens %v of a question and %v of a passage, %v", question, passage, words)
	}
	long := strings.Repeat("water ", 1000)
	if n := len(m.tokenize(false, long)); n != localtest.SmallShape.Positions-4 {
		t.Errorf("%d tokens of a long text, want as many as max_seq_length", n)
	}
	remove(t, dir, "sentence_bert_config.json")
	if n := len(open(t, dir).tokenize(false, long)); n != localtest.SmallShape.Positions {
		t.Errorf("%d tokens of a long text, want as many as there are positions", n)
	}
	write(t, dir, "tokenizer_config.json", `{"model_max_length": 17}`)
	if n := len(open(t, dir).tokenize(false, long)); n != 17 {
		t.Errorf("%d tokens of a long text, want as many as model_max_length", n)
	}
	write(t, dir, "tokenizer_config.json", `{"model_max_length": 1000000000000000019884624838656}`)
	if n := len(open(t, dir).tokenize(false, long)); n != localtest.SmallShape.Positions {
		t.Errorf("%d tokens of a long text, want as many as there are positions", n)
	}
}

// As sentence-transformers writes folders since its version 5.4.
func TestNewerFolder(t *testing.T) {
	dir := localtest.Write(t, "bert", localtest.SmallShape)
	old := open(t, dir)
	write(t, dir, "modules.json", `[
		{"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.base.modules.transformer.Transformer"},
		{"idx": 1, "name": "1", "path": "1_Pooling", "type": "sentence_transformers.sentence_transformer.modules.pooling.Pooling"},
		{"idx": 2, "name": "2", "path": "2_Normalize", "type": "sentence_transformers.base.modules.normalize.Normalize"}]`)
	write(t, dir, "1_Pooling/config.json", `{"embedding_dimension": 40, "pooling_mode": "mean", "include_prompt": true}`)
	remove(t, dir, "sentence_bert_config.json")
	write(t, dir, "sentence_xlm-roberta_config.json", `{"max_seq_length": 60}`)
	if m := open(t, dir); m.Identity() != old.Identity() {
		t.Errorf("the same model is %s and %s", m.Identity(), old.Identity())
	}
	write(t, dir, "1_Pooling/config.json", `{"pooling_mode": "cls"}`)
	if m := open(t, dir); !m.pooling.First || m.Identity() == old.Identity() {
		t.Errorf("with the first token: %+v, %s", m.pooling, m.Identity())
	}
	write(t, dir, "1_Pooling/config.json", `{"pooling_mode": "max"}`)
	if _, err := ReadModelFolder(dir, Prefixes{}); err == nil || !strings.Contains(err.Error(), `the pooling_mode "max" is not supported`) {
		t.Errorf("error %v", err)
	}
}

// set changes an entry of a file, or removes it.
func set(name, key string, value any) func(t *testing.T, dir string) {
	return func(t *testing.T, dir string) {
		var all map[string]any
		if err := json.Unmarshal([]byte(read(t, dir, name)), &all); err != nil {
			t.Fatal(err)
		}
		if all[key] = value; value == nil {
			delete(all, key)
		}
		text, err := json.Marshal(all)
		if err != nil {
			t.Fatal(err)
		}
		write(t, dir, name, string(text))
	}
}

func read(t *testing.T, dir, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func remove(t *testing.T, dir, name string) {
	t.Helper()
	if err := os.RemoveAll(filepath.Join(dir, name)); err != nil {
		t.Fatal(err)
	}
}
