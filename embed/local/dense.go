package local

import (
	"fmt"
	"math"
	"path/filepath"

	"vademecum/embed/local/kernel"
	"vademecum/embed/local/transformer"
)

// denseConfig is the configuration of a dense layer, and the folder of its weights.
type denseConfig struct {
	Inputs     int    `json:"in_features"`
	Outputs    int    `json:"out_features"`
	Bias       bool   `json:"bias"`
	Activation string `json:"activation_function"`

	dir string
}

const (
	identityActivation = "torch.nn.modules.linear.Identity"
	tanhActivation     = "torch.nn.modules.activation.Tanh"
)

func (f *ModelFolder) readDense(dir string) error {
	d := denseConfig{dir: dir}
	path := filepath.Join(dir, "config.json")
	there, err := readOptional(dir, "config.json", &d)
	switch {
	case err != nil:
		return err
	case !there:
		return fmt.Errorf("%s is missing", path)
	case d.Activation != identityActivation && d.Activation != tanhActivation:
		return fmt.Errorf("%s: the activation_function %.60q is not supported", path, d.Activation)
	}
	f.dense = append(f.dense, d)
	return nil
}

// checkDimensions returns an error unless the inputs of each module match the outputs of the
// previous one.
func (f *ModelFolder) checkDimensions() error {
	n := f.config.HiddenSize
	if d := f.pooling.Dimensions; d != 0 && d != n {
		return fmt.Errorf("%s: a word_embedding_dimension of %d, and the model has %d", f.pooling.path, d, n)
	}
	for _, d := range f.dense {
		if d.Inputs != n || d.Outputs < 1 || d.Outputs > 1<<14 {
			return fmt.Errorf("%s: a map of %d to %d numbers, after vectors of %d", filepath.Join(d.dir, "config.json"), d.Inputs, d.Outputs, n)
		}
		n = d.Outputs
	}
	return nil
}

// denseLayer is a dense layer with its weights.
type denseLayer struct {
	denseConfig
	matrix *kernel.Matrix
}

// loadLayer reads the weights of the layer. If dry is true, it only checks that they exist.
func (c denseConfig) loadLayer(dry bool) (*denseLayer, error) {
	file, err := openWeights(c.dir)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	d := &denseLayer{denseConfig: c}
	if err := d.read(file, dry); err != nil {
		return nil, fmt.Errorf("%s: %w", weightsPath(c.dir), err)
	}
	return d, nil
}

func (d *denseLayer) read(file *transformer.SafetensorsFile, dry bool) error {
	weights, err := file.Tensor("linear.weight", d.Outputs, d.Inputs)
	if err != nil {
		return err
	}
	var bias transformer.Tensor
	if d.Bias {
		if bias, err = file.Tensor("linear.bias", d.Outputs); err != nil {
			return err
		}
	}
	if dry {
		return nil
	}
	w, err := file.ReadTensor(weights)
	if err != nil {
		return err
	}
	var b []float32
	if d.Bias {
		if b, err = file.ReadTensor(bias); err != nil {
			return err
		}
	}
	d.matrix, err = kernel.NewMatrix(w, b, d.Inputs, d.Outputs, true)
	return err
}

// applyTo returns the output of the layer for a vector.
func (d *denseLayer) applyTo(v []float32) []float32 {
	x := make([]float32, kernel.BlockRows*kernel.PaddedWidth(d.Inputs))
	copy(x, v)
	all := make([]float32, kernel.BlockRows*kernel.PaddedWidth(d.Outputs))
	d.matrix.Apply(all, x, 1, new(kernel.Buffers))
	v = all[:d.Outputs:d.Outputs]
	if d.Activation == tanhActivation {
		for i, n := range v {
			v[i] = float32(math.Tanh(float64(n)))
		}
	}
	return v
}
