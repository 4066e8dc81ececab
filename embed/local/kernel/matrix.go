package kernel

import (
	"fmt"
	"math"
)

// mostLoss is the maximum distance, relative to their length, between the weights of a matrix and
// their 8-bit form: for normally distributed weights it is 0.8 %. A matrix that loses more is
// stored as float32.
const mostLoss = 0.02

// Matrix is a linear layer: weights and a bias. It is immutable and safe for concurrent use.
type Matrix struct {
	inputs, outputs int

	// For each block of outputs, the weights for one step of the product are adjacent: for 8 bits,
	// those of two inputs for each output, otherwise those of one input.
	int8Weights    []int8
	float32Weights []float32 // used if int8Weights is nil

	scalesAndBiases []float32 // for each block of outputs, the scales and then the biases
}

// NewMatrix returns a linear layer. weights has a row of inputs for each output, and bias a number for
// each output, or is nil. The weights are stored in 8 bits unless keepsFloat32 is set or the loss is
// large. It returns an error if a number is not finite.
func NewMatrix(weights, bias []float32, inputs, outputs int, keepsFloat32 bool) (*Matrix, error) {
	if len(weights) != inputs*outputs || bias != nil && len(bias) != outputs {
		return nil, fmt.Errorf("%d weights and %d biases for %d inputs and %d outputs", len(weights), len(bias), inputs, outputs)
	}
	if !AllFinite(weights) || !AllFinite(bias) {
		return nil, ErrNotFinite
	}
	m := &Matrix{inputs: inputs, outputs: outputs, scalesAndBiases: make([]float32, 2*PaddedWidth(outputs))}
	for i, b := range bias {
		m.scalesAndBiases[i/block*2*block+block+i%block] = b
	}
	if keepsFloat32 || !m.packInt8(weights) {
		m.packFloat32(weights)
	}
	return m, nil
}

// Inputs returns the length of input rows.
func (m *Matrix) Inputs() int { return m.inputs }

// Outputs returns the length of output rows.
func (m *Matrix) Outputs() int { return m.outputs }

// packInt8 packs the weights in 8 bits. It reports whether the loss is small enough to use them.
func (m *Matrix) packInt8(weights []float32) bool {
	m.int8Weights = make([]int8, PaddedWidth(m.inputs)*PaddedWidth(m.outputs))
	var loss, length float64
	for out := range m.outputs {
		row := weights[out*m.inputs:][:m.inputs]
		most := float32(0)
		for _, w := range row {
			most = max(most, w, -w)
		}
		scale := most / math.MaxInt8
		m.scalesAndBiases[out/block*2*block+out%block] = scale
		if scale == 0 {
			continue // all zero, or nearly
		}
		packed := m.int8Weights[out/block*block*PaddedWidth(m.inputs)+out%block*2:]
		for in, w := range row {
			q := math.RoundToEven(float64(w / scale))
			packed[in/2*2*block+in%2] = int8(q)
			d := float64(w) - q*float64(scale)
			loss += d * d
			length += float64(w) * float64(w)
		}
	}
	return loss <= mostLoss*mostLoss*length
}

func (m *Matrix) packFloat32(weights []float32) {
	m.int8Weights = nil
	m.float32Weights = make([]float32, PaddedWidth(m.inputs)*PaddedWidth(m.outputs))
	for out := range m.outputs {
		packed := m.float32Weights[out/block*block*PaddedWidth(m.inputs)+out%block:]
		for in, w := range weights[out*m.inputs:][:m.inputs] {
			packed[in*block] = w
		}
	}
}

// Buffers is memory that is reused for the products of one goroutine.
type Buffers struct {
	values []int16
	scales []float32
}

// Apply sets the rows of dst to the rows of x multiplied by the matrix, plus the bias.
func (m *Matrix) Apply(dst, x []float32, rows int, s *Buffers) {
	if m.int8Weights == nil {
		m.applyFloat32(dst, x, rows)
		return
	}
	in, out := PaddedWidth(m.inputs), PaddedWidth(m.outputs)
	s.quantise(x, rows, in)
	for at := 0; at < out; at += block {
		weights, columns := m.int8Weights[at*in:][:block*in], m.scalesAndBiases[2*at:][:2*block]
		for r := 0; r < rows; r += BlockRows {
			multiplyTileInt8(dst[r*out+at:], out, s.values[r*in:], in, weights, s.scales[r:], columns)
		}
	}
}

// quantise rounds the numbers of each row to integers of 16 bits, or of fewer bits if the 32-bit sum of
// their products with 8-bit weights could overflow otherwise. Each row is scaled by its largest number:
// almost nothing is lost, and large values in one row cost no precision in the others.
func (s *Buffers) quantise(x []float32, rows, width int) {
	rows = PaddedRows(rows)
	if len(s.values) < rows*width {
		s.values = make([]int16, rows*width)
	}
	if len(s.scales) < rows {
		s.scales = make([]float32, rows)
	}
	most := min(math.MaxInt16, math.MaxInt32/(math.MaxInt8*width))
	for r := range rows {
		s.scales[r] = quantiseRow(s.values[r*width:][:width], x[r*width:][:width], float32(most))
	}
}

func (m *Matrix) applyFloat32(dst, x []float32, rows int) {
	in, out := PaddedWidth(m.inputs), PaddedWidth(m.outputs)
	for at := 0; at < out; at += block {
		weights, bias := m.float32Weights[at*in:][:block*in], m.scalesAndBiases[2*at+block:][:block]
		for r := 0; r < rows; r += BlockRows {
			multiplyTileFloat32(dst[r*out+at:], out, x[r*in:], in, weights, block, in)
			for i := range BlockRows {
				row := dst[(r+i)*out+at:][:block]
				for j := range row {
					row[j] += bias[j]
				}
			}
		}
	}
}
