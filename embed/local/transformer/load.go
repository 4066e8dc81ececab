package transformer

import (
	"errors"
	"fmt"

	"vademecum/embed/local/kernel"
	"vademecum/embed/local/safetensors"
)

// Encoder is a model with its weights. The embeddings of its vocabulary stay in their
// file, from which rows are read as they are needed.
type Encoder struct {
	Config
	file      *safetensors.File
	words     safetensors.Tensor
	places    safetensors.Tensor // embeddings of positions, if there are any
	kind      []float32          // the embedding of the only type of tokens; nil if there are none
	norm      norm
	layers    []layer
	final     norm
	rotations map[float64]rotation // by their theta
}

type layer struct {
	queryKeyValue, attention, up, down *kernel.Matrix
	attentionNorm, downNorm            norm // before the products in ModernBERT, else after them
}

// norm is what a normalisation multiplies by and adds.
type norm struct{ weight, bias []float32 }

// Check fails unless a file has the tensors that a configuration needs. It reads none.
func Check(c Config, file *safetensors.File) error {
	_, err := load(c, &source{file: file, dry: true})
	return err
}

// Load reads the weights of a model from a file, which is to stay open. If exact is false,
// it holds them in 8 bits where little is lost thereby.
func Load(c Config, file *safetensors.File, exact bool) (*Encoder, error) {
	return load(c, &source{file: file, exact: exact})
}

func load(c Config, s *source) (*Encoder, error) {
	var found bool
	if s.prefix, found = c.names.prefix(s.file.Has); !found {
		return nil, fmt.Errorf("it has no tensor %s.weight: the weights are not those of a %s model", c.names.words, c.Architecture)
	}
	n := c.names
	e := &Encoder{Config: c, file: s.file, words: s.tensor(n.words+".weight", c.Words, c.Hidden)}
	if n.positions != "" {
		e.places = s.tensor(n.positions+".weight", c.positions, c.Hidden)
	}
	if n.types != "" {
		if all := s.numbers(n.types+".weight", c.types, c.Hidden); !s.dry && s.err == nil {
			e.kind = all[:c.Hidden]
		}
	}
	e.norm = s.norm(n, n.norm, c.Hidden)
	for i := range c.Layers {
		e.layers = append(e.layers, s.layer(&c, i))
	}
	if n.final != "" {
		e.final = s.norm(n, n.final, c.Hidden)
	}
	e.setRotations()
	return e, s.err
}

// Close closes the file of the weights.
func (e *Encoder) Close() error { return e.file.Close() }

// CheckUnchanged fails if that file was written to since it was opened.
func (e *Encoder) CheckUnchanged() error { return e.file.CheckUnchanged() }

// source reads tensors until the first error.
type source struct {
	file   *safetensors.File
	prefix string
	exact  bool
	dry    bool // only looks whether they are there
	err    error
}

func (s *source) layer(c *Config, i int) layer {
	n, up := c.names, c.inner
	if c.rotary != nil {
		up *= 2 // the second half is multiplied with the first
	}
	l := layer{
		queryKeyValue: s.matrix(c.Hidden, 3*c.Hidden/len(n.queryKeyValue), i, n.bias, n.queryKeyValue...),
		attention:     s.matrix(c.Hidden, c.Hidden, i, n.bias, n.attention),
		up:            s.matrix(c.Hidden, up, i, n.bias, n.up),
		down:          s.matrix(c.inner, c.Hidden, i, n.bias, n.down),
		downNorm:      s.norm(n, inLayer(n.downNorm, i), c.Hidden),
	}
	if c.rotary == nil || i > 0 { // the first layer follows a normalisation
		l.attentionNorm = s.norm(n, inLayer(n.attentionNorm, i), c.Hidden)
	}
	return l
}

// matrix joins the maps of that many outputs each that are named, of a layer.
func (s *source) matrix(inputs, outputs, i int, hasBias bool, names ...string) *kernel.Matrix {
	var weights, bias []float32
	for _, name := range names {
		name = inLayer(name, i)
		weights = append(weights, s.numbers(name+".weight", outputs, inputs)...)
		if hasBias {
			bias = append(bias, s.numbers(name+".bias", outputs)...)
		}
	}
	if s.dry || s.err != nil {
		return nil
	}
	m, err := kernel.NewMatrix(weights, bias, inputs, len(names)*outputs, s.exact)
	if err != nil {
		s.err = fmt.Errorf("tensor %s%s: %w", s.prefix, inLayer(names[0], i)+".weight", err)
	}
	return m
}

func (s *source) norm(n names, name string, size int) norm {
	x := norm{weight: s.numbers(name+".weight", size)}
	if n.bias {
		x.bias = s.numbers(name+".bias", size)
	}
	return x
}

func (s *source) tensor(name string, shape ...int) safetensors.Tensor {
	if s.err != nil {
		return safetensors.Tensor{}
	}
	var t safetensors.Tensor
	t, s.err = s.file.Tensor(s.prefix+name, shape...)
	return t
}

func (s *source) numbers(name string, shape ...int) []float32 {
	t := s.tensor(name, shape...)
	if s.dry || s.err != nil {
		return nil
	}
	var x []float32
	if x, s.err = s.file.Numbers(t); s.err == nil && !kernel.Finite(x) {
		s.err = fmt.Errorf("tensor %s%s: %w", s.prefix, name, kernel.ErrNotFinite)
	}
	return x
}

// ErrNotFinite is that of a text for which a model gives a NaN or an infinity.
var ErrNotFinite = errors.New("the model gives numbers that are not finite")
