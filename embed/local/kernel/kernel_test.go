package kernel

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// FuzzTiles holds the kernels of this machine to plain Go.
func FuzzTiles(f *testing.F) {
	f.Add(uint64(1), 16, 1.0)
	f.Add(uint64(2), 384, 1e-3)
	f.Add(uint64(3), 4096, 1e6)
	f.Fuzz(func(t *testing.T, seed uint64, inputs int, size float64) {
		if inputs < 1 || inputs > 4096 || !(1e-30 < size && size < 1e30) {
			t.Skip()
		}
		r := rand.New(rand.NewPCG(seed, 0))
		width := PaddedWidth(inputs)
		x := random(r, BlockRows*width, size)

		s, want := new(Buffers), new(Buffers)
		s.quantise(x, BlockRows, width)
		want.values, want.scales = make([]int16, BlockRows*width), make([]float32, BlockRows)
		most := float32(min(math.MaxInt16, math.MaxInt32/(math.MaxInt8*width)))
		for row := range BlockRows {
			want.scales[row] = plainQuantiseRow(want.values[row*width:][:width], x[row*width:][:width], most)
		}
		if !slices.Equal(s.values, want.values) || !slices.Equal(s.scales, want.scales) {
			t.Fatal("other whole numbers than in plain Go")
		}

		weights := make([]int8, block*width)
		for i := range weights {
			weights[i] = int8(r.IntN(255) - 127)
		}
		columns := random(r, 2*block, 1)
		got, plain := make([]float32, BlockRows*block), make([]float32, BlockRows*block)
		multiplyTileInt8(got, block, s.values, width, weights, s.scales, columns)
		plainMultiplyTileInt8(plain, block, s.values, width, weights, s.scales, columns)
		compare(t, "bytes", got, plain, float64(width)*size*127)

		b := random(r, width*block, 1)
		multiplyTileFloat32(got, block, x, width, b, block, width)
		plainMultiplyTileFloat32(plain, block, x, width, b, block, width)
		compare(t, "floats", got, plain, float64(width)*size)
	})
}

func FuzzFunctions(f *testing.F) {
	f.Add(uint64(1), 8, 1.0)
	f.Add(uint64(2), 16, 1e-3)
	f.Add(uint64(3), 1537, 100.0)
	f.Fuzz(func(t *testing.T, seed uint64, n int, size float64) {
		if n < 1 || n > 4096 || !(1e-30 < size && size < 1e30) {
			t.Skip()
		}
		x := random(rand.New(rand.NewPCG(seed, 0)), n, size)
		got := slices.Clone(x)
		gelu(got)
		plain := slices.Clone(x)
		plainGELU(plain)
		compare(t, "gelu", got, plain, 1+size)
		for i, v := range x {
			want := float64(v) * (1 + math.Erf(float64(v)/math.Sqrt2)) / 2
			if math.Abs(float64(plain[i])-want) > 2e-7*(1+math.Abs(float64(v))) {
				t.Fatalf("gelu of %v is %v, want %v", v, plain[i], want)
			}
		}

		got, plain = slices.Clone(x), slices.Clone(x)
		const scale = 0.125
		total := softmax(got, scale)
		compare(t, "softmax", []float32{total}, []float32{plainSoftmax(plain, scale)}, float64(n))
		compare(t, "softmax", got, plain, 1)
		most := slices.Max(x)
		for i, v := range x {
			if want := math.Exp(float64(v-most) * scale); math.Abs(float64(plain[i])-want) > 1e-5 {
				t.Fatalf("softmax of %v is %v, want %v", v, plain[i], want)
			}
		}
	})
}

func random(r *rand.Rand, n int, size float64) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(r.NormFloat64() * size)
	}
	return x
}

// compare allows for another order of additions.
func compare(t *testing.T, what string, got, want []float32, size float64) {
	t.Helper()
	for i := range got {
		if !(math.Abs(float64(got[i]-want[i])) <= 1e-6*size) {
			t.Fatalf("%s: %v at %d, want %v", what, got[i], i, want[i])
		}
	}
}

func TestMatrix(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 0))
	for _, shape := range []struct{ inputs, outputs, rows int }{{384, 1536, 9}, {30, 17, 1}, {1, 1, 4}, {1536, 384, 5}} {
		for _, exact := range []bool{true, false} {
			weights, bias := random(r, shape.inputs*shape.outputs, 1), random(r, shape.outputs, 1)
			m, err := NewMatrix(weights, bias, shape.inputs, shape.outputs, exact)
			if err != nil {
				t.Fatal(err)
			}
			width := PaddedWidth(shape.inputs)
			x := make([]float32, PaddedRows(shape.rows)*width)
			for row := range shape.rows {
				copy(x[row*width:], random(r, shape.inputs, 1))
			}
			got := make([]float32, PaddedRows(shape.rows)*PaddedWidth(shape.outputs))
			m.Apply(got, x, shape.rows, new(Buffers))
			var loss, length float64
			for row := range shape.rows {
				for out := range shape.outputs {
					want := float64(bias[out])
					for in := range shape.inputs {
						want += float64(weights[out*shape.inputs+in]) * float64(x[row*width+in])
					}
					d := float64(got[row*PaddedWidth(shape.outputs)+out]) - want
					loss, length = loss+d*d, length+want*want
				}
			}
			most := 0.015
			if exact {
				most = 1e-6
			}
			if !(math.Sqrt(loss/length) < most) {
				t.Errorf("%+v, exact %v: %v away", shape, exact, math.Sqrt(loss/length))
			}
		}
	}
}

// Weights half a step of 8 bits large are lost there: a matrix of which they are more than
// a little is held as floats.
func TestMatrixKeepsWhatEightBitsLose(t *testing.T) {
	for _, c := range []struct {
		inputs int
		bytes  bool
	}{{8, true}, {64, false}} {
		weights := make([]float32, 4*c.inputs)
		for i := range weights {
			weights[i] = 0.5 / math.MaxInt8
			if i%c.inputs == 0 {
				weights[i] = 1
			}
		}
		m, err := NewMatrix(weights, nil, c.inputs, 4, false)
		if err != nil || (m.int8Weights != nil) != c.bytes || (m.float32Weights != nil) == c.bytes {
			t.Errorf("%d inputs: held as bytes %v, %v", c.inputs, m.int8Weights != nil, err)
		}
	}
}

func TestMatrixRefuses(t *testing.T) {
	for _, bad := range []float32{float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1))} {
		weights := make([]float32, 64)
		weights[63] = bad
		if _, err := NewMatrix(weights, nil, 8, 8, false); !errors.Is(err, ErrNotFinite) {
			t.Errorf("%v among weights: error %v", bad, err)
		}
		if _, err := NewMatrix(make([]float32, 64), weights[56:], 8, 8, false); !errors.Is(err, ErrNotFinite) {
			t.Errorf("%v among biases: error %v", bad, err)
		}
	}
	if _, err := NewMatrix(make([]float32, 63), nil, 8, 8, false); err == nil {
		t.Error("no error for a weight too few")
	}
}

func TestNormalise(t *testing.T) {
	x := []float32{1, 2, 3, 4, 5, 6}
	LayerNorm(x, x, []float32{1, 1, 1, 1, 1, 2}, []float32{0, 0, 0, 0, 0, 1}, 0)
	want := []float32{-1.4638501, -0.87831007, -0.29277, 0.29277, 0.87831007, 3.9277003}
	compare(t, "normalise", x, want, 1)
}

func BenchmarkMatrix(b *testing.B) {
	r := rand.New(rand.NewPCG(7, 0))
	for _, exact := range []bool{false, true} {
		name := map[bool]string{false: "bytes", true: "floats"}[exact]
		m, err := NewMatrix(random(r, 384*1536, 1), nil, 384, 1536, exact)
		if err != nil {
			b.Fatal(err)
		}
		x, dst, s := random(r, 128*384, 1), make([]float32, 128*1536), new(Buffers)
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				m.Apply(dst, x, 128, s)
			}
			b.ReportMetric(float64(b.N)*128*384*1536/1e9/b.Elapsed().Seconds(), "GMAC/s")
		})
	}
}

func BenchmarkGELU(b *testing.B) {
	x := random(rand.New(rand.NewPCG(7, 0)), 1536, 1)
	again := make([]float32, len(x))
	for b.Loop() {
		copy(again, x)
		gelu(again)
	}
}

func BenchmarkSoftmax(b *testing.B) {
	x := random(rand.New(rand.NewPCG(7, 0)), 128, 1)
	for b.Loop() {
		softmax(x, 0.1)
	}
}

func BenchmarkNormalise(b *testing.B) {
	x := random(rand.New(rand.NewPCG(7, 0)), 384, 1)
	for b.Loop() {
		LayerNorm(x, x, x, x, 1e-5)
	}
}
