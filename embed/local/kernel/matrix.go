package kernel

import (
	"fmt"
	"math"
)

// mostLoss is how far, in proportion to their length, the weights of a matrix may be from
// what 8 bits hold of them: normally distributed weights are 0.8 % away. A matrix that
// loses more is kept as float32.
const mostLoss = 0.02

// Matrix is a linear map with a bias.
type Matrix struct {
	inputs, outputs int

	// For each block of outputs, the weights lie so that those of one step of the
	// product are together: in bytes the pair of two inputs for each output, else
	// that of one input.
	bytes  []int8
	floats []float32 // instead of bytes

	columns []float32 // for each block of outputs, their scales and then their biases
}

// NewMatrix returns the map by weights, which has a row of inputs for each output, and
// bias, one for each output or nil. It holds the weights in 8 bits if exact is false and
// little is lost thereby. It fails when a number is not finite.
func NewMatrix(weights, bias []float32, inputs, outputs int, exact bool) (*Matrix, error) {
	if len(weights) != inputs*outputs || bias != nil && len(bias) != outputs {
		return nil, fmt.Errorf("%d weights and %d biases for %d inputs and %d outputs", len(weights), len(bias), inputs, outputs)
	}
	if !Finite(weights) || !Finite(bias) {
		return nil, ErrNotFinite
	}
	m := &Matrix{inputs: inputs, outputs: outputs, columns: make([]float32, 2*Width(outputs))}
	for i, b := range bias {
		m.columns[i/block*2*block+block+i%block] = b
	}
	if exact || !m.packBytes(weights) {
		m.packFloats(weights)
	}
	return m, nil
}

// Inputs is how many numbers the map takes in each row.
func (m *Matrix) Inputs() int { return m.inputs }

// Outputs is how many numbers the map gives for each row.
func (m *Matrix) Outputs() int { return m.outputs }

// packBytes tells whether little is lost by it.
func (m *Matrix) packBytes(weights []float32) bool {
	m.bytes = make([]int8, Width(m.inputs)*Width(m.outputs))
	var loss, length float64
	for out := range m.outputs {
		row := weights[out*m.inputs:][:m.inputs]
		most := float32(0)
		for _, w := range row {
			most = max(most, w, -w)
		}
		scale := most / math.MaxInt8
		m.columns[out/block*2*block+out%block] = scale
		if scale == 0 {
			continue // zeros, or as good as that
		}
		packed := m.bytes[out/block*block*Width(m.inputs)+out%block*2:]
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

func (m *Matrix) packFloats(weights []float32) {
	m.bytes = nil
	m.floats = make([]float32, Width(m.inputs)*Width(m.outputs))
	for out := range m.outputs {
		packed := m.floats[out/block*block*Width(m.inputs)+out%block:]
		for in, w := range weights[out*m.inputs:][:m.inputs] {
			packed[in*block] = w
		}
	}
}

// Scratch is memory that products of one goroutine share.
type Scratch struct {
	values []int16
	scales []float32
}

// Apply sets the rows of dst to the map of those of x.
func (m *Matrix) Apply(dst, x []float32, rows int, s *Scratch) {
	if m.bytes == nil {
		m.applyFloats(dst, x, rows)
		return
	}
	in, out := Width(m.inputs), Width(m.outputs)
	s.quantise(x, rows, in)
	for at := 0; at < out; at += block {
		weights, columns := m.bytes[at*in:][:block*in], m.columns[2*at:][:2*block]
		for r := 0; r < rows; r += Rows {
			tileBytes(dst[r*out+at:], out, s.values[r*in:], in, weights, s.scales[r:], columns)
		}
	}
}

// quantise rounds rows to whole numbers. They have 16 bits, as the products of the kernels
// do, less what the sum of all products of a row could overflow by: they lose next to
// nothing, and large values among small ones do no harm.
func (s *Scratch) quantise(x []float32, rows, width int) {
	rows = Height(rows)
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

func (m *Matrix) applyFloats(dst, x []float32, rows int) {
	in, out := Width(m.inputs), Width(m.outputs)
	for at := 0; at < out; at += block {
		weights, bias := m.floats[at*in:][:block*in], m.columns[2*at+block:][:block]
		for r := 0; r < rows; r += Rows {
			tileFloat(dst[r*out+at:], out, x[r*in:], in, weights, block, in)
			for i := range Rows {
				row := dst[(r+i)*out+at:][:block]
				for j := range row {
					row[j] += bias[j]
				}
			}
		}
	}
}
