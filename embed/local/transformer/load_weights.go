package transformer

import (
	"errors"
	"fmt"

	"vademecum/embed/local/kernel"
)

// Encoder is a model with its weights. The embeddings of its vocabulary stay in the file, from
// which rows are read as needed.
type Encoder struct {
	Config
	file               *SafetensorsFile
	wordEmbeddings     Tensor
	positionEmbeddings Tensor    // zero value if positions are not embedded
	typeEmbeddings     []float32 // a row for each token type; nil if there are none
	norm               normWeights
	layers             []layer
	finalNorm          normWeights
	rotaryTables       map[float64]rotaryTable // keyed by theta
}

type layer struct {
	queryKeyValue, attention, up, down *kernel.Matrix
	// applied before the products in ModernBERT, and after them in others
	attentionNorm, downNorm normWeights
}

// normWeights holds the weight and the bias of a layer normalisation.
type normWeights struct{ weight, bias []float32 }

// CheckTensors returns an error unless a file has the tensors that a configuration requires. It does not
// read them.
func CheckTensors(c Config, file *SafetensorsFile) error {
	_, err := load(c, &weightReader{file: file, checkOnly: true})
	return err
}

// Load reads the weights of a model from a file, which must stay open. They are stored in 8 bits
// unless keepsFloat32 is set or the loss is large.
func Load(c Config, file *SafetensorsFile, keepsFloat32 bool) (*Encoder, error) {
	return load(c, &weightReader{file: file, exact: keepsFloat32})
}

func load(c Config, s *weightReader) (*Encoder, error) {
	var found bool
	if s.prefix, found = c.tensorNames.findPrefix(s.file.hasTensor); !found {
		return nil, fmt.Errorf("it has no tensor %s.weight: the weights are not those of a %s model", c.tensorNames.words, c.Architecture)
	}
	n := c.tensorNames
	e := &Encoder{Config: c, file: s.file, wordEmbeddings: s.findTensor(n.words+".weight", c.VocabularySize, c.HiddenSize)}
	if n.positions != "" {
		e.positionEmbeddings = s.findTensor(n.positions+".weight", c.positions, c.HiddenSize)
	}
	if n.types != "" {
		e.typeEmbeddings = s.readNumbers(n.types+".weight", c.tokenTypes, c.HiddenSize)
	}
	e.norm = s.readNorm(n, n.norm, c.HiddenSize)
	for i := range c.Layers {
		e.layers = append(e.layers, s.readLayer(&c, i))
	}
	if n.final != "" {
		e.finalNorm = s.readNorm(n, n.final, c.HiddenSize)
	}
	e.setRotaryTables()
	return e, s.err
}

// Close closes the file with the weights.
func (e *Encoder) Close() error { return e.file.Close() }

// CheckUnchanged returns an error if the file was written to since it was opened.
func (e *Encoder) CheckUnchanged() error { return e.file.checkUnchanged() }

// weightReader reads tensors until the first error.
type weightReader struct {
	file      *SafetensorsFile
	prefix    string
	exact     bool
	checkOnly bool // only check that the tensors exist
	err       error
}

func (s *weightReader) readLayer(c *Config, i int) layer {
	n, up := c.tensorNames, c.innerSize
	if c.rotary != nil {
		up *= 2 // the first half is multiplied by the second
	}
	l := layer{
		queryKeyValue: s.readMatrix(c.HiddenSize, 3*c.HiddenSize/len(n.queryKeyValue), i, n.bias, n.queryKeyValue...),
		attention:     s.readMatrix(c.HiddenSize, c.HiddenSize, i, n.bias, n.attention),
		up:            s.readMatrix(c.HiddenSize, up, i, n.bias, n.up),
		down:          s.readMatrix(c.innerSize, c.HiddenSize, i, n.bias, n.down),
		downNorm:      s.readNorm(n, layerTensorName(n.downNorm, i), c.HiddenSize),
	}
	if c.rotary == nil || i > 0 { // the first layer follows a normalisation already
		l.attentionNorm = s.readNorm(n, layerTensorName(n.attentionNorm, i), c.HiddenSize)
	}
	return l
}

// readMatrix joins the named linear layers of layer i, with the given number of outputs each.
func (s *weightReader) readMatrix(inputs, outputs, i int, hasBias bool, names ...string) *kernel.Matrix {
	var weights, bias []float32
	for _, name := range names {
		name = layerTensorName(name, i)
		weights = append(weights, s.readNumbers(name+".weight", outputs, inputs)...)
		if hasBias {
			bias = append(bias, s.readNumbers(name+".bias", outputs)...)
		}
	}
	if s.checkOnly || s.err != nil {
		return nil
	}
	m, err := kernel.NewMatrix(weights, bias, inputs, len(names)*outputs, s.exact)
	if err != nil {
		s.err = fmt.Errorf("tensor %s%s: %w", s.prefix, layerTensorName(names[0], i)+".weight", err)
	}
	return m
}

func (s *weightReader) readNorm(n tensorNames, name string, size int) normWeights {
	x := normWeights{weight: s.readNumbers(name+".weight", size)}
	if n.bias {
		x.bias = s.readNumbers(name+".bias", size)
	}
	return x
}

func (s *weightReader) findTensor(name string, shape ...int) Tensor {
	if s.err != nil {
		return Tensor{}
	}
	var t Tensor
	t, s.err = s.file.Tensor(s.prefix+name, shape...)
	return t
}

func (s *weightReader) readNumbers(name string, shape ...int) []float32 {
	t := s.findTensor(name, shape...)
	if s.checkOnly || s.err != nil {
		return nil
	}
	var x []float32
	if x, s.err = s.file.ReadTensor(t); s.err == nil && !kernel.AllFinite(x) {
		s.err = fmt.Errorf("tensor %s%s: %w", s.prefix, name, kernel.ErrNotFinite)
	}
	return x
}

// ErrNotFinite is returned for a text for which the model computes a NaN or an infinity.
var ErrNotFinite = errors.New("the model gives numbers that are not finite")
