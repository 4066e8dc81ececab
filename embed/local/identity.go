package local

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
)

// arithmetic is the version of the computation, part of the identity of a model. It must be
// incremented with any change that affects vectors.
const arithmetic = 1

// contentHash returns a hash of everything that determines the vectors of passages, regardless of
// the location of the folder. It reads only a sample of the weights.
func (f *ModelFolder) contentHash() (string, error) {
	h := sha256.New()
	fmt.Fprintf(h, "%d %t %d %q %t %v\n", arithmetic, f.isLowercase, f.tokenLimit, f.passagePrefix, f.pooling.First, f.config.HiddenSize)
	for _, name := range []string{"config.json", "tokenizer.json"} {
		text, err := readFile(filepath.Join(f.dir, name), mostTokenizer)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(h, "%d\n", len(text))
		h.Write(text)
	}
	dirs := []string{f.dir}
	for _, d := range f.dense {
		fmt.Fprintf(h, "%d %d %s\n", d.Inputs, d.Outputs, d.Activation)
		dirs = append(dirs, d.dir)
	}
	for _, dir := range dirs {
		file, err := openWeights(dir)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(h, "%d\n", len(file.HeaderJSON()))
		h.Write(file.HeaderJSON())
		err = file.WriteSample(h)
		file.Close()
		if err != nil {
			return "", fmt.Errorf("%s: %w", weightsPath(dir), err)
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:8]), nil
}
