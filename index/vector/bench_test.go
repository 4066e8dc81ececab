package vector

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"vademecum/index/rank"
)

// BenchmarkTop shows from which number of vectors on a Quantized is to be preferred, or
// a Coarse for those of the built-in embedding,
// how many of the ten most similar it finds, what filters and several queries at
// once cost, and how much memory a vector takes.
func BenchmarkTop(b *testing.B) {
	for _, dimensions := range []int{384, 512, 768, 1024} {
		for _, n := range []int{2000, 4000, 8000, 16_000, 100_000, 1_000_000} {
			b.Run(fmt.Sprintf("%d/%d", dimensions, n), func(b *testing.B) { benchmarkTop(b, n, dimensions) })
		}
	}
}

func benchmarkTop(b *testing.B, n, dimensions int) {
	model := newSpread(n, dimensions)
	exact, perExact := filledWith(b, newChromemIndex(), model, n)
	x, perVector := filledWith(b, new(quantizedIndex), newSpread(n, dimensions), n)
	coarse, perCoarse := filledWith(b, new(fourBitIndex), newSpread(n, dimensions), n)
	queries := make([][]float32, 50)
	for i := range queries {
		queries[i] = model.next()
	}
	judged := queries[:min(len(queries), 10_000_000/n)] // to ask chromem takes seconds in the end
	best := bestOf(b, exact, judged, 10)
	ask := func(name string, x Index, at int, keep rank.Filter) {
		b.Run(name, func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				first := i * at % (len(queries) - at)
				if _, err := x.TopK(b.Context(), queries[first:first+at], 10, keep, distinct); err != nil {
					b.Fatal(err)
				}
			}
			switch {
			case x == exact:
				b.ReportMetric(perExact, "B/vector")
			case x == coarse:
				b.ReportMetric(perCoarse, "B/vector")
				b.ReportMetric(found(b, x, judged, best), "recall@10")
			case keep == nil:
				b.ReportMetric(perVector, "B/vector")
				b.ReportMetric(found(b, x, judged, best), "recall@10")
			}
		})
	}
	ask("chromem", exact, 1, nil)
	ask("quantized", x, 1, nil)
	ask("coarse", coarse, 1, nil)
	ask("three", x, 3, nil)
	for _, one := range []int{2, 100, 10_000} {
		ask(fmt.Sprintf("of %d", one), x, 1, oneOf(n, one))
	}
}

// oneOf admits one slot of so many, at random.
func oneOf(n, many int) rank.Filter {
	r, keep := rand.New(rand.NewPCG(5, 6)), rank.NewFilter(n)
	for s := range rank.Slot(n) {
		if r.IntN(many) == 0 {
			keep.Add(s)
		}
	}
	return keep
}

// filledWith puts vectors into an index, and reports how much memory each takes.
func filledWith(t testing.TB, x Index, model *spread, n int) (filled Index, perVector float64) {
	t.Helper()
	before := heap()
	for s := range rank.Slot(n) {
		if err := x.Put(s, model.next()); err != nil {
			t.Fatal(err)
		}
	}
	return x, float64(heap()-before) / float64(n)
}

func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// recall is the share of the k most similar that an index finds.
func recall(t testing.TB, exact, x Index, queries [][]float32, k int) float64 {
	t.Helper()
	return found(t, x, queries, bestOf(t, exact, queries, k))
}

// bestOf lists the k most similar to each query.
func bestOf(t testing.TB, exact Index, queries [][]float32, k int) [][]rank.Hit {
	t.Helper()
	best := make([][]rank.Hit, len(queries))
	for i, query := range queries { // one by one, as they are asked of what is compared
		lists, err := exact.TopK(t.Context(), [][]float32{query}, k, nil, distinct)
		if err != nil {
			t.Fatal(err)
		}
		best[i] = lists[0]
	}
	return best
}

// found is the share of the most similar to each query that an index finds.
func found(t testing.TB, x Index, queries [][]float32, best [][]rank.Hit) float64 {
	t.Helper()
	same, all := 0, 0
	for i, query := range queries {
		got, err := x.TopK(t.Context(), [][]float32{query}, len(best[i]), nil, distinct)
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range best[i] {
			if slices.ContainsFunc(got[0], func(other rank.Hit) bool { return other.Slot == h.Slot }) {
				same++
			}
		}
		all += len(best[i])
	}
	return float64(same) / float64(all)
}

// BenchmarkCompare shows what a chunk takes that is compared, a query before the first,
// and a vector that is put.
func BenchmarkCompare(b *testing.B) {
	const n = 10_000
	for name, x := range map[string]Index{"quantized": new(quantizedIndex), "coarse": new(fourBitIndex)} {
		model := newSpread(n, 512)
		filledWith(b, x, model, n)
		query := model.next()
		b.Run(name+"/query", func(b *testing.B) {
			for b.Loop() {
				x.Compare(query)
			}
		})
		b.Run(name+"/chunk", func(b *testing.B) {
			cosine, s := x.Compare(query), rank.Slot(0)
			for b.Loop() {
				s = (s + 7919) % n
				cosine(s)
			}
		})
		b.Run(name+"/put", func(b *testing.B) {
			for b.Loop() {
				if err := x.Put(5, query); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
