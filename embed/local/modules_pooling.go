package local

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"vademecum/embed/local/kernel"
)

const modulesFile = "modules.json"

// readModules reads the modules after the architecture.
func (f *ModelFolder) readModules(dir string) error {
	var modules []struct {
		Type string `json:"type"`
		Path string `json:"path"`
	}
	there, err := readOptional(dir, modulesFile, &modules)
	if err != nil {
		return err
	}
	path := filepath.Join(dir, modulesFile)
	if !there {
		if _, err := os.Stat(filepath.Join(dir, "config.json")); err != nil { // not a model
			return missingFileError(err)
		}
		return fmt.Errorf("%s is missing: without it the pooling of the model is not known", path)
	}
	for i, m := range modules {
		folder, err := subfolder(dir, m.Path)
		if err != nil {
			return err
		}
		switch kind := m.Type[strings.LastIndex(m.Type, ".")+1:]; {
		case i == 0 && kind == "Transformer":
			f.dir = folder
		case i == 1 && kind == "Pooling":
			err = f.pooling.read(folder)
		case i > 1 && kind == "Dense":
			err = f.readDense(folder)
		case i == len(modules)-1 && kind == "Normalize": // vectors have unit length without it
		default:
			err = fmt.Errorf("%s: the module %.60q is not supported at this place", path, m.Type)
		}
		if err != nil {
			return err
		}
	}
	if len(modules) < 2 {
		return fmt.Errorf("%s: it names no Pooling", path)
	}
	return nil
}

// pooling is how the token states of a text become one vector.
type pooling struct {
	Dimensions int `json:"word_embedding_dimension"` // length of the states; 0 if the file does not state it
	// replaces the other modes since sentence-transformers 5.4
	Mode       string `json:"pooling_mode"`
	First      bool   `json:"pooling_mode_cls_token"`
	Mean       bool   `json:"pooling_mode_mean_tokens"`
	Max        bool   `json:"pooling_mode_max_tokens"`
	RootMean   bool   `json:"pooling_mode_mean_sqrt_len_tokens"`
	Weighted   bool   `json:"pooling_mode_weightedmean_tokens"`
	Last       bool   `json:"pooling_mode_lasttoken"`
	WithPrompt *bool  `json:"include_prompt"`

	path string
}

func (p *pooling) read(dir string) error {
	p.path = filepath.Join(dir, "config.json")
	there, err := readOptional(dir, "config.json", p)
	switch {
	case err != nil:
		return err
	case !there:
		return fmt.Errorf("%s is missing", p.path)
	}
	switch p.Mode {
	case "cls":
		p.First = true
	case "mean":
		p.Mean = true
	case "":
	default:
		return fmt.Errorf("%s: the pooling_mode %.40q is not supported: cls and mean are", p.path, p.Mode)
	}
	if p.First == p.Mean || p.Max || p.RootMean || p.Weighted || p.Last {
		return fmt.Errorf("%s: its pooling is not supported: that of the first token or the mean of all is", p.path)
	}
	return nil
}

// poolStates returns the vector of a text from the states of its n tokens.
func (p *pooling) poolStates(n int, state func(i int) []float32) []float32 {
	if p.First {
		return append([]float32(nil), state(0)...)
	}
	sum := make([]float32, len(state(0)))
	for i := range n {
		kernel.AddInPlace(sum, state(i))
	}
	for i := range sum {
		sum[i] /= float32(n)
	}
	return sum
}
