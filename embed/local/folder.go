// Package local embeds texts in this process, with a model in a folder in the layout of model hubs:
//
//	config.json                        the architecture: see package transformer
//	tokenizer.json                     see package tokenizer
//	model.safetensors                  the weights: see package transformer
//	modules.json                       the modules after the architecture, each with a folder:
//	1_Pooling/config.json              how the states of tokens become one vector
//	2_Dense/config.json                a dense layer applied to it, with its model.safetensors
//	sentence_bert_config.json          the token limit (or sentence_roberta_…); or else
//	tokenizer_config.json              the token limit
//	config_sentence_transformers.json  the prefixes of queries and passages
//
// as saved by the sentence-transformers library (https://sbert.net). The last three may be missing.
// Nothing is guessed: any other file that is missing or not supported is an error that names the
// file.
//
// A cross-encoder, which scores pairs of texts, needs only the first three files: see
// [OpenCrossEncoder].
package local

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"

	"vademecum/embed/local/transformer"
)

// ModelFolder holds the configuration of a model, without its weights and its vocabulary.
type ModelFolder struct {
	dir            string // folder with the files of the architecture
	config         transformer.Config
	isCrossEncoder bool // scores pairs of texts, and returns no vectors
	isLowercase    bool // texts are converted to lower case
	tokenLimit     int  // maximum tokens of a text, including special tokens
	pooling        pooling
	dense          []denseConfig
	questionPrefix string // prepended to queries
	passagePrefix  string // prepended to passages
	fingerprint    string
}

// Prefixes are the texts prepended to queries and passages; nil means that of the model's folder.
type Prefixes struct{ Question, Passage *string }

// ReadModelFolder reads the configuration of a model from a folder, and checks that its tensors exist.
// It reads no weights.
func ReadModelFolder(dir string, prefixes Prefixes) (*ModelFolder, error) {
	if err := checkFolder(dir); err != nil {
		return nil, err
	}
	f := &ModelFolder{dir: dir}
	if err := f.readModules(dir); err != nil {
		return nil, err
	}
	if err := f.readConfig(); err != nil {
		return nil, err
	}
	if err := f.readPrefixes(dir, prefixes); err != nil {
		return nil, err
	}
	if err := f.checkWeights(); err != nil {
		return nil, err
	}
	var err error
	f.fingerprint, err = f.contentHash()
	return f, err
}

func checkFolder(dir string) error {
	info, err := os.Stat(dir)
	if err == nil && !info.IsDir() {
		return fmt.Errorf("%s is no folder", dir)
	}
	return missingFileError(err)
}

// Identity identifies the model by the content of its folder, such as "bert-384-" followed by 16
// digits.
func (f *ModelFolder) Identity() string {
	return fmt.Sprintf("%s-%d-%s", f.config.Architecture, f.dimensions(), f.fingerprint)
}

// dimensions returns the length of the vectors.
func (f *ModelFolder) dimensions() int {
	if n := len(f.dense); n > 0 {
		return f.dense[n-1].Outputs
	}
	return f.config.HiddenSize
}

// readConfig reads config.json and the token limit.
func (f *ModelFolder) readConfig() error {
	path := filepath.Join(f.dir, "config.json")
	text, err := readFile(path, mostConfig)
	if err != nil {
		return err
	}
	if f.config, err = transformer.Parse(text); err != nil {
		return fileError(path, err)
	}
	if err := f.checkDimensions(); err != nil {
		return err
	}
	f.tokenLimit = f.config.MaxTokens
	known, err := f.readSentenceConfig()
	if known || err != nil {
		return err
	}
	tokens := struct {
		Most float64 `json:"model_max_length"`
		Side string  `json:"truncation_side"`
	}{Most: math.Inf(1)}
	const name = "tokenizer_config.json"
	if _, err := readOptional(f.dir, name, &tokens); err != nil {
		return err
	}
	if tokens.Side == "left" {
		return fmt.Errorf("%s: the truncation_side left is not supported", filepath.Join(f.dir, name))
	}
	return f.setLimit(name, tokens.Most)
}

// readSentenceConfig reads the limits that the sentence-transformers library uses, from the first of the
// files that it may be in: their names contain different architectures. It reports whether there is a
// limit.
func (f *ModelFolder) readSentenceConfig() (limited bool, err error) {
	for _, architecture := range []string{"bert", "roberta", "distilbert", "xlm-roberta"} {
		var sentences struct {
			Most  *int `json:"max_seq_length"`
			Lower bool `json:"do_lower_case"`
		}
		name := "sentence_" + architecture + "_config.json"
		there, err := readOptional(f.dir, name, &sentences)
		if err != nil {
			return false, err
		}
		if !there {
			continue
		}
		f.isLowercase = sentences.Lower
		if sentences.Most == nil {
			return false, nil
		}
		return true, f.setLimit(name, float64(*sentences.Most))
	}
	return false, nil
}

// setLimit sets the token limit given in a file.
func (f *ModelFolder) setLimit(name string, most float64) error {
	if !(most >= 1) {
		return fmt.Errorf("%s: texts of %v tokens", filepath.Join(f.dir, name), most)
	}
	f.tokenLimit = int(min(most, float64(f.tokenLimit)))
	return nil
}

// readPrefixes reads the prompts for queries and passages, by the names that the
// sentence-transformers library uses.
func (f *ModelFolder) readPrefixes(dir string, prefixes Prefixes) error {
	var config struct {
		Prompts map[string]string `json:"prompts"`
		Default *string           `json:"default_prompt_name"`
	}
	const name = "config_sentence_transformers.json"
	if _, err := readOptional(dir, name, &config); err != nil {
		return err
	}
	find := func(names ...string) string {
		if config.Default != nil {
			names = append(names, *config.Default)
		}
		for _, name := range names {
			if prompt, ok := config.Prompts[name]; ok {
				return prompt
			}
		}
		return ""
	}
	f.questionPrefix, f.passagePrefix = find("query"), find("document", "passage", "corpus")
	if prefixes.Question != nil {
		f.questionPrefix = *prefixes.Question
	}
	if prefixes.Passage != nil {
		f.passagePrefix = *prefixes.Passage
	}
	if f.pooling.WithPrompt != nil && !*f.pooling.WithPrompt && f.questionPrefix+f.passagePrefix != "" {
		return fmt.Errorf("%s: include_prompt false is not supported", f.pooling.path)
	}
	return nil
}

// checkWeights checks that all tensors exist.
func (f *ModelFolder) checkWeights() error {
	file, err := openWeights(f.dir)
	if err != nil {
		return err
	}
	defer file.Close()
	err = transformer.CheckTensors(f.config, file)
	if err == nil && f.isCrossEncoder {
		_, err = transformer.LoadScoreHead(f.config, file)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", weightsPath(f.dir), err)
	}
	for _, d := range f.dense {
		if _, err := d.loadLayer(true); err != nil {
			return err
		}
	}
	return nil
}

func weightsPath(dir string) string { return filepath.Join(dir, "model.safetensors") }

func openWeights(dir string) (*transformer.SafetensorsFile, error) {
	path := weightsPath(dir)
	disk, info, err := openRegular(path)
	if err != nil {
		return nil, err
	}
	if info.Size() > mostWeights {
		err = fmt.Errorf("%s has %.1f GB: models in this process have %.1f at most, others need a server such as Ollama",
			path, float64(info.Size())/1e9, mostWeights/1e9)
	}
	var file *transformer.SafetensorsFile
	if err == nil {
		if file, err = transformer.OpenSafetensors(disk); err != nil {
			err = fileError(path, err)
		}
	}
	if err != nil {
		disk.Close()
		return nil, err
	}
	return file, nil
}

// fileError adds the name of the file to an error. A model copied by plain Git has pointers in
// place of large files.
func fileError(path string, err error) error {
	const pointer = "version https://git-lfs"
	if file, _, none := openRegular(path); none == nil {
		defer file.Close()
		start := make([]byte, len(pointer))
		if _, none := io.ReadFull(file, start); none == nil && string(start) == pointer {
			err = errors.New("it is a pointer of Git LFS and not the file itself, which git lfs pull fetches")
		}
	}
	return fmt.Errorf("%s: %w", path, err)
}

// missingFileError rewords the error for a missing file.
func missingFileError(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok && errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s is missing", e.Path)
	}
	return err
}

// readOptional decodes a file that may be missing.
func readOptional(dir, name string, value any) (there bool, err error) {
	path := filepath.Join(dir, name)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	text, err := readFile(path, mostConfig)
	if err == nil {
		if err = json.Unmarshal(text, value); err != nil {
			err = fileError(path, err)
		}
	}
	return true, err
}

// subfolder returns a folder given in a file. It returns an error if that is outside the model's
// folder.
func subfolder(dir, name string) (string, error) {
	if name == "" {
		return dir, nil
	}
	if name = filepath.FromSlash(strings.TrimSuffix(name, "/")); !filepath.IsLocal(name) {
		return "", fmt.Errorf("%s names the folder %.40q, which is not in it", filepath.Join(dir, modulesFile), name)
	}
	return filepath.Join(dir, name), nil
}
