package transformer

import (
	"math"

	"vademecum/embed/local/kernel"
)

// Workspace holds the buffers of one goroutine. The zero value is ready for use.
type Workspace struct {
	scratch                         kernel.Buffers
	states, normed, context, mixed  []float32 // rows of HiddenSize numbers
	queryKeyValue                   []float32
	inner, gated                    []float32
	keys, values, scores, attention []float32
}

// row returns row i from rows of n numbers.
func row(x []float32, i, n int) []float32 { return x[i*kernel.PaddedWidth(n):][:n] }

// growRows returns x with room for the given number of rows and one more group of rows, because
// groups need not begin where texts do. The content is not cleared.
func growRows(x []float32, rows, n int) []float32 {
	size := (kernel.PaddedRows(rows) + kernel.BlockRows) * kernel.PaddedWidth(n)
	if len(x) < size {
		return make([]float32, size)
	}
	return x
}

// Run computes the token states of several texts together, each of 1 to MaxTokens tokens below
// VocabularySize. They are valid until the next run. Between steps it calls proceed, and stops if
// that returns an error. It returns ErrNotFinite if the state of a token is not finite.
func (e *Encoder) Run(texts [][]int32, m *Workspace, proceed func() error) (HiddenStates, error) {
	return e.runTyped(texts, math.MaxInt, m, proceed)
}

// RunPair computes the token states of one input that consists of two texts, as Run does. The first
// typeZeroCount tokens, those of the first text, are of type 0, and the others of type 1.
func (e *Encoder) RunPair(tokens []int32, typeZeroCount int, m *Workspace, proceed func() error) (HiddenStates, error) {
	return e.runTyped([][]int32{tokens}, typeZeroCount, m, proceed)
}

func (e *Encoder) runTyped(texts [][]int32, typeZero int, m *Workspace, proceed func() error) (HiddenStates, error) {
	rows := 0
	for _, tokens := range texts {
		rows += len(tokens)
	}
	m.states = growRows(m.states, rows, e.HiddenSize)
	m.normed = growRows(m.normed, rows, e.HiddenSize)
	m.context = growRows(m.context, rows, e.HiddenSize)
	m.mixed = growRows(m.mixed, rows, e.HiddenSize)
	m.queryKeyValue = growRows(m.queryKeyValue, rows, 3*e.HiddenSize)
	m.inner = growRows(m.inner, rows, e.layers[0].up.Outputs())
	if err := e.embedTokens(texts, typeZero, m); err != nil {
		return HiddenStates{}, err
	}
	r := encoderRun{Encoder: e, Workspace: m, texts: texts, rows: rows, proceed: proceed}
	for i := range e.layers {
		if err := r.runLayer(i); err != nil {
			return HiddenStates{}, err
		}
	}
	if e.finalNorm.weight != nil {
		r.applyNorm(m.states, m.states, e.finalNorm)
	}
	return HiddenStates{numbers: m.states, hidden: e.HiddenSize}, nil
}

// HiddenStates holds the hidden states of a run, one row for each token. They are valid until the
// next run with the same Workspace.
type HiddenStates struct {
	numbers []float32
	hidden  int
}

// Row returns the state of a token, with its index among the tokens of all texts.
func (s HiddenStates) Row(tokenIndex int) []float32 { return row(s.numbers, tokenIndex, s.hidden) }

// embedTokens sets the states to the embeddings of tokens, the first typeZero of which in each text
// are of type 0.
func (e *Encoder) embedTokens(texts [][]int32, typeZero int, m *Workspace) error {
	row, place := 0, make([]float32, e.HiddenSize)
	for _, tokens := range texts {
		next := e.firstPosition
		for i, token := range tokens {
			x := HiddenStates{m.states, e.HiddenSize}.Row(row)
			if err := e.file.readRow(e.wordEmbeddings, int(token), x); err != nil {
				return err
			}
			if e.rotary == nil {
				at := next
				if int(token) == e.firstPosition-1 {
					// the padding token takes no position, even in a text
					at = int(token)
				} else {
					next++
				}
				if err := e.file.readRow(e.positionEmbeddings, at, place); err != nil {
					return err
				}
				kernel.AddInPlace(x, place)
			}
			if e.typeEmbeddings != nil {
				typeRow := 0
				if i >= typeZero {
					typeRow = 1
				}
				kernel.AddInPlace(x, e.typeEmbeddings[typeRow*e.HiddenSize:][:e.HiddenSize])
			}
			kernel.LayerNorm(x, x, e.norm.weight, e.norm.bias, e.epsilon)
			if !kernel.AllFinite(x) { // products with it would be finite, but wrong
				return ErrNotFinite
			}
			row++
		}
	}
	return nil
}

// encoderRun is one call of Run.
type encoderRun struct {
	*Encoder
	*Workspace
	texts   [][]int32
	rows    int
	proceed func() error
}

func (r *encoderRun) runLayer(i int) error {
	l := &r.layers[i]
	if r.rotary != nil {
		return r.runModernLayer(l, i)
	}
	if err := r.attendHeads(l, i, r.states); err != nil {
		return err
	}
	r.addResidualNormalised(l.attentionNorm)
	if err := r.feedForward(l, r.states); err != nil {
		return err
	}
	r.addResidualNormalised(l.downNorm)
	return nil
}

// runModernLayer normalises the inputs of the products, whereas other architectures normalise their
// results.
func (r *encoderRun) runModernLayer(l *layer, i int) error {
	x := r.states
	if l.attentionNorm.weight != nil {
		x = r.normed
		r.applyNorm(x, r.states, l.attentionNorm)
	}
	if err := r.attendHeads(l, i, x); err != nil {
		return err
	}
	r.addResidual()
	r.applyNorm(r.normed, r.states, l.downNorm)
	if err := r.feedForward(l, r.normed); err != nil {
		return err
	}
	r.addResidual()
	return nil
}

func (r *encoderRun) applyNorm(dst, x []float32, n normWeights) {
	for i := range r.rows {
		kernel.LayerNorm(row(dst, i, r.HiddenSize), row(x, i, r.HiddenSize), n.weight, n.bias, r.epsilon)
	}
}

// addResidual adds the output of a sublayer to the hidden states.
func (r *encoderRun) addResidual() {
	for i := range r.rows {
		kernel.AddInPlace(row(r.states, i, r.HiddenSize), row(r.mixed, i, r.HiddenSize))
	}
}

func (r *encoderRun) addResidualNormalised(n normWeights) {
	r.addResidual()
	r.applyNorm(r.states, r.states, n)
}

// step is how many rows are computed between two calls of proceed.
const step = 128

func (r *encoderRun) applyMatrix(m *kernel.Matrix, dst, x []float32) error {
	for at := 0; at < r.rows; at += step {
		if err := r.proceed(); err != nil {
			return err
		}
		m.Apply(dst[at*kernel.PaddedWidth(m.Outputs()):], x[at*kernel.PaddedWidth(m.Inputs()):], min(step, r.rows-at), &r.scratch)
	}
	return nil
}

// feedForward sets mixed to the output of the feed-forward network for x.
func (r *encoderRun) feedForward(l *layer, x []float32) error {
	if err := r.applyMatrix(l.up, r.inner, x); err != nil {
		return err
	}
	inner := r.inner
	if outputs := l.up.Outputs(); outputs > r.Config.innerSize {
		inner = r.gateInner(outputs)
	} else {
		for i := range r.rows {
			kernel.GELU(row(inner, i, outputs))
		}
	}
	return r.applyMatrix(l.down, r.mixed, inner)
}

// gateInner multiplies the first half of the inner numbers, after activation, by the second half
// (Shazeer, "GLU Variants Improve Transformer", 2020).
func (r *encoderRun) gateInner(outputs int) []float32 {
	half := outputs / 2
	r.gated = growRows(r.gated, r.rows, half)
	for i := range r.rows {
		x, to := row(r.inner, i, outputs), row(r.gated, i, half)
		kernel.GELU(x[:half])
		for j, v := range x[half:] {
			to[j] = x[j] * v
		}
	}
	return r.gated
}

// attendHeads sets mixed to the output of multi-head self-attention for x.
func (r *encoderRun) attendHeads(l *layer, i int, x []float32) error {
	if err := r.applyMatrix(l.queryKeyValue, r.queryKeyValue, x); err != nil {
		return err
	}
	reach := 0
	if r.rotary != nil {
		r.applyRotary(r.rotaryTables[r.rotary[i].theta])
		reach = r.rotary[i].windowReach
	}
	first := 0
	for _, tokens := range r.texts {
		for head := range r.heads {
			if err := r.attendText(first, len(tokens), head, reach); err != nil {
				return err
			}
		}
		first += len(tokens)
	}
	return r.applyMatrix(l.attention, r.mixed, r.context)
}

// attendText computes one attention head for the n tokens beginning with first.
func (r *encoderRun) attendText(first, n, head, reach int) error {
	size := r.HiddenSize / r.heads
	stride := kernel.PaddedWidth(3 * r.HiddenSize)
	query := r.queryKeyValue[first*stride+head*size:]
	key, value := query[r.HiddenSize:], query[2*r.HiddenSize:]

	columns, width := kernel.PaddedWidth(n), kernel.PaddedWidth(size)
	r.keys = growRows(r.keys, columns, size)
	r.values = growRows(r.values, n, size)
	r.scores = growRows(r.scores, kernel.BlockRows, n)
	r.attention = growRows(r.attention, kernel.BlockRows, size)
	kernel.PackTransposed(r.keys, key, stride, n, size)
	kernel.Pack(r.values, value, stride, n, size)

	scale := float32(1 / math.Sqrt(float64(size)))
	for at := 0; at < n; at += kernel.BlockRows {
		if at%step == 0 {
			if err := r.proceed(); err != nil {
				return err
			}
		}
		from, to := attentionWindow(at, n, reach)
		kernel.Multiply(r.scores, columns, query[at*stride:], stride, r.keys[from*size:], 16*size, size, to-from)
		var sums [kernel.BlockRows]float32
		for i := range min(kernel.BlockRows, n-at) {
			scores := r.scores[i*columns:][:kernel.PaddedWidth(to-from)]
			maskOutsideWindow(scores, at+i-from, min(to, n)-from, reach)
			sums[i] = kernel.UnnormalisedSoftmax(scores, scale)
		}
		kernel.Multiply(r.attention, width, r.scores, columns, r.values[from*16:], 16*n, min(to, n)-from, size)
		for i := range min(kernel.BlockRows, n-at) {
			to := row(r.context, first+at+i, r.HiddenSize)[head*size:][:size]
			for j, v := range r.attention[i*width:][:size] {
				to[j] = v / sums[i]
			}
		}
	}
	return nil
}

// attentionWindow returns the range of tokens that a group of rows attends to, beginning at a
// multiple of 16 columns.
func attentionWindow(at, n, reach int) (from, to int) {
	if reach == 0 {
		return 0, n
	}
	from = max(at-reach, 0) / 16 * 16
	return from, min(at+kernel.BlockRows+reach, n)
}

// maskOutsideWindow sets the scores of padding, and of tokens outside the window of the token at a
// position, to minus infinity.
func maskOutsideWindow(scores []float32, at, n, reach int) {
	hidden := float32(math.Inf(-1))
	for i := n; i < len(scores); i++ {
		scores[i] = hidden
	}
	if reach == 0 {
		return
	}
	for i := range max(at-reach, 0) {
		scores[i] = hidden
	}
	for i := at + reach + 1; i < n; i++ {
		scores[i] = hidden
	}
}
