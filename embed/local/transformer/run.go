package transformer

import (
	"math"

	"vademecum/embed/local/kernel"
)

// Memory is what computations of one goroutine share. The zero value is ready for use.
type Memory struct {
	scratch                         kernel.Scratch
	states, normed, context, mixed  []float32 // rows of Hidden
	queryKeyValue                   []float32
	inner, gated                    []float32
	keys, values, scores, attention []float32
}

// row returns a row of numbers of those that lie in rows of n.
func row(x []float32, i, n int) []float32 { return x[i*kernel.Width(n):][:n] }

// grown returns x with room for that many rows, and for one more group of rows than is
// needed: groups need not begin where texts do. What it holds is not cleared.
func grown(x []float32, rows, n int) []float32 {
	size := (kernel.Height(rows) + kernel.Rows) * kernel.Width(n)
	if len(x) < size {
		return make([]float32, size)
	}
	return x
}

// Run computes the states of the tokens of some texts at once, each of one to Tokens
// tokens below Words. They are in the memory until the next run. Between steps it calls
// proceed, whose error ends it.
func (e *Encoder) Run(texts [][]int32, m *Memory, proceed func() error) (States, error) {
	rows := 0
	for _, tokens := range texts {
		rows += len(tokens)
	}
	m.states = grown(m.states, rows, e.Hidden)
	m.normed = grown(m.normed, rows, e.Hidden)
	m.context = grown(m.context, rows, e.Hidden)
	m.mixed = grown(m.mixed, rows, e.Hidden)
	m.queryKeyValue = grown(m.queryKeyValue, rows, 3*e.Hidden)
	m.inner = grown(m.inner, rows, e.layers[0].up.Outputs())
	if err := e.embed(texts, m); err != nil {
		return States{}, err
	}
	r := run{Encoder: e, Memory: m, texts: texts, rows: rows, proceed: proceed}
	for i := range e.layers {
		if err := r.layer(i); err != nil {
			return States{}, err
		}
	}
	if e.final.weight != nil {
		r.normalise(m.states, m.states, e.final)
	}
	return States{numbers: m.states, hidden: e.Hidden}, nil
}

// States are what the tokens of a run have become, one row for each.
type States struct {
	numbers []float32
	hidden  int
}

// Row returns the state of a token, counted through all texts of the run.
func (s States) Row(i int) []float32 { return row(s.numbers, i, s.hidden) }

// embed sets the states to the embeddings of tokens.
func (e *Encoder) embed(texts [][]int32, m *Memory) error {
	row, place := 0, make([]float32, e.Hidden)
	for _, tokens := range texts {
		next := e.first
		for _, token := range tokens {
			x := States{m.states, e.Hidden}.Row(row)
			if err := e.file.Row(e.words, int(token), x); err != nil {
				return err
			}
			if e.rotary == nil {
				at := next
				if int(token) == e.first-1 { // that fills up, and takes no position even in a text
					at = int(token)
				} else {
					next++
				}
				if err := e.file.Row(e.places, at, place); err != nil {
					return err
				}
				kernel.Add(x, place)
			}
			if e.kind != nil {
				kernel.Add(x, e.kind)
			}
			kernel.Normalise(x, x, e.norm.weight, e.norm.bias, e.epsilon)
			row++
		}
	}
	return nil
}

// run is a call of Run.
type run struct {
	*Encoder
	*Memory
	texts   [][]int32
	rows    int
	proceed func() error
}

func (r *run) layer(i int) error {
	l := &r.layers[i]
	if r.rotary != nil {
		return r.modernLayer(l, i)
	}
	if err := r.attend(l, i, r.states); err != nil {
		return err
	}
	r.addNormalised(l.attentionNorm)
	if err := r.feed(l, r.states); err != nil {
		return err
	}
	r.addNormalised(l.downNorm)
	return nil
}

// modernLayer normalises what the products take, where others do so with what they give.
func (r *run) modernLayer(l *layer, i int) error {
	x := r.states
	if l.attentionNorm.weight != nil {
		x = r.normed
		r.normalise(x, r.states, l.attentionNorm)
	}
	if err := r.attend(l, i, x); err != nil {
		return err
	}
	r.add()
	r.normalise(r.normed, r.states, l.downNorm)
	if err := r.feed(l, r.normed); err != nil {
		return err
	}
	r.add()
	return nil
}

func (r *run) normalise(dst, x []float32, n norm) {
	for i := range r.rows {
		kernel.Normalise(row(dst, i, r.Hidden), row(x, i, r.Hidden), n.weight, n.bias, r.epsilon)
	}
}

// add adds what a part of a layer gives to the states.
func (r *run) add() {
	for i := range r.rows {
		kernel.Add(row(r.states, i, r.Hidden), row(r.mixed, i, r.Hidden))
	}
}

func (r *run) addNormalised(n norm) {
	r.add()
	r.normalise(r.states, r.states, n)
}

// step is how many rows are worked on between two calls of proceed.
const step = 128

func (r *run) apply(m *kernel.Matrix, dst, x []float32) error {
	for at := 0; at < r.rows; at += step {
		if err := r.proceed(); err != nil {
			return err
		}
		m.Apply(dst[at*kernel.Width(m.Outputs()):], x[at*kernel.Width(m.Inputs()):], min(step, r.rows-at), &r.scratch)
	}
	return nil
}

// feed sets mixed to what the two products make of x that look at each token alone.
func (r *run) feed(l *layer, x []float32) error {
	if err := r.apply(l.up, r.inner, x); err != nil {
		return err
	}
	inner := r.inner
	if outputs := l.up.Outputs(); outputs > r.Config.inner {
		inner = r.gate(outputs)
	} else {
		for i := range r.rows {
			kernel.GELU(row(inner, i, outputs))
		}
	}
	return r.apply(l.down, r.mixed, inner)
}

// gate multiplies the first half of the inner numbers, activated, with the second
// (Shazeer, "GLU Variants Improve Transformer", 2020).
func (r *run) gate(outputs int) []float32 {
	half := outputs / 2
	r.gated = grown(r.gated, r.rows, half)
	for i := range r.rows {
		x, to := row(r.inner, i, outputs), row(r.gated, i, half)
		kernel.GELU(x[:half])
		for j, v := range x[half:] {
			to[j] = x[j] * v
		}
	}
	return r.gated
}

// attend sets mixed to what attention makes of x.
func (r *run) attend(l *layer, i int, x []float32) error {
	if err := r.apply(l.queryKeyValue, r.queryKeyValue, x); err != nil {
		return err
	}
	reach := 0
	if r.rotary != nil {
		r.rotate(r.rotations[r.rotary[i].theta])
		reach = r.rotary[i].reach
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
	return r.apply(l.attention, r.mixed, r.context)
}

// attendText computes a head of the attention of n tokens, from the first on.
func (r *run) attendText(first, n, head, reach int) error {
	size := r.Hidden / r.heads
	stride := kernel.Width(3 * r.Hidden)
	query := r.queryKeyValue[first*stride+head*size:]
	key, value := query[r.Hidden:], query[2*r.Hidden:]

	columns, width := kernel.Width(n), kernel.Width(size)
	r.keys = grown(r.keys, columns, size)
	r.values = grown(r.values, n, size)
	r.scores = grown(r.scores, kernel.Rows, n)
	r.attention = grown(r.attention, kernel.Rows, size)
	kernel.PackTransposed(r.keys, key, stride, n, size)
	kernel.Pack(r.values, value, stride, n, size)

	scale := float32(1 / math.Sqrt(float64(size)))
	for at := 0; at < n; at += kernel.Rows {
		if at%step == 0 {
			if err := r.proceed(); err != nil {
				return err
			}
		}
		from, to := seen(at, n, reach)
		kernel.Multiply(r.scores, columns, query[at*stride:], stride, r.keys[from*size:], 16*size, size, to-from)
		var sums [kernel.Rows]float32
		for i := range min(kernel.Rows, n-at) {
			scores := r.scores[i*columns:][:kernel.Width(to-from)]
			mask(scores, at+i-from, min(to, n)-from, reach)
			sums[i] = kernel.Softmax(scores, scale)
		}
		kernel.Multiply(r.attention, width, r.scores, columns, r.values[from*16:], 16*n, min(to, n)-from, size)
		for i := range min(kernel.Rows, n-at) {
			to := row(r.context, first+at+i, r.Hidden)[head*size:][:size]
			for j, v := range r.attention[i*width:][:size] {
				to[j] = v / sums[i]
			}
		}
	}
	return nil
}

// seen returns from where to where tokens are seen by one of those of a group of rows: in
// whole blocks of columns.
func seen(at, n, reach int) (from, to int) {
	if reach == 0 {
		return 0, n
	}
	from = max(at-reach, 0) / 16 * 16
	return from, min(at+kernel.Rows+reach, n)
}

// mask hides what stands after the tokens that are there, and those that are out of the
// reach of the token at a place.
func mask(scores []float32, at, n, reach int) {
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
