package vector

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"vademecum/index/blob"
	"vademecum/index/rank"
)

// numbered are chunks whose places are in the order of their slots, and of which
// every n-th has the same wording.
type numbered int

func (n numbered) Compare(a, b rank.Slot) int { return cmp.Compare(a, b) }

func (n numbered) ContentHash(s rank.Slot) (w rank.ChunkTextHash) {
	binary.BigEndian.PutUint64(w[:], uint64(s)%uint64(n))
	return w
}

const distinct = numbered(1 << 24) // each has a wording of its own

func unit(x, y float64) []float32 {
	n := math.Hypot(x, y)
	return []float32{float32(x / n), float32(y / n)}
}

// at is a unit vector that is the less like unit(1, 0) the larger the slot is.
func at(s rank.Slot) []float32 {
	turn := float64(s) / 1000
	return unit(math.Cos(turn), math.Sin(turn))
}

func TestChromem(t *testing.T) {
	testIndex(t, 1e-5, 1000, func() Index { return newChromemIndex() })
}

func TestQuantized(t *testing.T) {
	testIndex(t, 1e-4, 1000, func() Index { return new(quantizedIndex) })
}

func TestCoarse(t *testing.T) {
	testIndex(t, 0.02, 20, func() Index { return new(fourBitIndex) })
}

func TestGrowing(t *testing.T) {
	testIndex(t, 1e-5, 1000, func() Index { return New(Precision16Bits) })
}

// topOf is TopK for one query.
func topOf(t *testing.T, x Index, query []float32, k int, keep rank.Filter, chunks rank.ChunkProperties) ([]rank.Hit, error) {
	t.Helper()
	lists, err := x.TopK(t.Context(), [][]float32{query}, k, keep, chunks)
	if err != nil {
		return nil, err
	}
	return lists[0], nil
}

// plane is a plane in a space of 512 dimensions: by its unit vectors.
type plane struct{ x, y []float32 }

func newPlane() plane {
	r, p := rand.New(rand.NewPCG(7, 8)), plane{make([]float32, 512), make([]float32, 512)}
	for i := range p.x {
		p.x[i], p.y[i] = float32(r.NormFloat64()), float32(r.NormFloat64())
	}
	normal(p.x)
	along := dotProduct(p.x, p.y)
	for i, x := range p.x {
		p.y[i] -= along * x
	}
	normal(p.y)
	return p
}

// at is a unit vector that has a cosine with x.
func (p plane) at(cosine float64) []float32 {
	vec := make([]float32, len(p.x))
	for i := range vec {
		vec[i] = float32(cosine*float64(p.x[i]) + math.Sqrt(1-cosine*cosine)*float64(p.y[i]))
	}
	return vec
}

// testIndex holds for every Index whose cosines are off by no more than so much, when
// it is given n vectors of which one is as much less like the query than the other.
func testIndex(t *testing.T, off float64, n rank.Slot, newIndex func() Index) {
	p := newPlane()
	cosine := func(s rank.Slot) float64 { return 1 - float64(s)/float64(n) }
	at := func(s rank.Slot) []float32 { return p.at(cosine(s)) }
	query := at(0)
	filled := func(t *testing.T) Index {
		x := newIndex()
		for s := range n {
			if err := x.Put(s, at(s)); err != nil {
				t.Fatal(err)
			}
		}
		return x
	}
	top := func(t *testing.T, x Index, k int, keep rank.Filter, chunks rank.ChunkProperties) []rank.Slot {
		t.Helper()
		hits, err := topOf(t, x, query, k, keep, chunks)
		if err != nil {
			t.Fatal(err)
		}
		var slots []rank.Slot
		for _, h := range hits {
			if want := cosine(h.Slot); math.Abs(h.Score-want) > off {
				t.Errorf("slot %d has the score %v, want %v", h.Slot, h.Score, want)
			}
			slots = append(slots, h.Slot)
		}
		return slots
	}
	t.Run("empty", func(t *testing.T) {
		x := newIndex()
		x.Delete(7)
		if got := top(t, x, 5, nil, distinct); len(got) != 0 || x.Len() != 0 || x.Dimensions() != 0 || x.VectorAt(7) != nil {
			t.Errorf("it answers %d, has %d vectors of %d dimensions", got, x.Len(), x.Dimensions())
		}
	})
	t.Run("best first", func(t *testing.T) {
		x := filled(t)
		if got, want := top(t, x, 3, nil, distinct), []rank.Slot{0, 1, 2}; !slices.Equal(got, want) {
			t.Errorf("found %d, want %d", got, want)
		}
		if got := top(t, x, 2*int(n), nil, distinct); len(got) != int(n) || !slices.IsSorted(got) {
			t.Errorf("of all %d are found", len(got))
		}
	})
	t.Run("several queries", func(t *testing.T) {
		x := filled(t)
		queries := [][]float32{query, at(n - 1), at(n / 2), query}
		lists, err := x.TopK(t.Context(), queries, 5, nil, numbered(7))
		if err != nil || len(lists) != len(queries) {
			t.Fatalf("%d lists, error %v", len(lists), err)
		}
		for i, query := range queries {
			if alone, err := topOf(t, x, query, 5, nil, numbered(7)); err != nil || !slices.Equal(lists[i], alone) {
				t.Errorf("the %d. is %v, alone %v (error %v)", i+1, lists[i], alone, err)
			}
		}
		if lists, err := x.TopK(t.Context(), nil, 5, nil, distinct); err != nil || len(lists) != 0 {
			t.Errorf("of none there is %v (error %v)", lists, err)
		}
	})
	t.Run("filter", func(t *testing.T) {
		far := rank.NewFilter(int(n))
		far.Add(n - 2)
		far.Add(n - 1)
		if got, want := top(t, filled(t), 3, far, distinct), []rank.Slot{n - 2, n - 1}; !slices.Equal(got, want) {
			t.Errorf("found %d, want %d", got, want)
		}
		if got := top(t, filled(t), 3, rank.NewFilter(int(n)), distinct); len(got) > 0 {
			t.Errorf("none is admitted, found %d", got)
		}
	})
	t.Run("one of copies", func(t *testing.T) {
		if got, want := top(t, filled(t), 9, nil, numbered(5)), []rank.Slot{0, 1, 2, 3, 4}; !slices.Equal(got, want) {
			t.Errorf("found %d, want %d", got, want)
		}
	})
	t.Run("same score", func(t *testing.T) {
		x := newIndex()
		for _, s := range []rank.Slot{5, 2, 9, 4} {
			if err := x.Put(s, query); err != nil {
				t.Fatal(err)
			}
		}
		all := rank.NewFilter(10)
		for s := range rank.Slot(10) {
			all.Add(s)
		}
		for _, keep := range []rank.Filter{nil, all} {
			hits, err := topOf(t, x, query, 4, keep, distinct)
			if err != nil || len(hits) != 4 || hits[0].Slot != 2 || hits[3].Slot != 9 {
				t.Errorf("found %v (error %v)", hits, err)
			}
		}
	})
	t.Run("replace and delete", func(t *testing.T) {
		x := filled(t)
		if err := x.Put(n-1, query); err != nil || x.Len() != int(n) {
			t.Errorf("%d vectors, error %v", x.Len(), err)
		}
		x.Delete(0)
		x.Delete(0)
		hits, err := topOf(t, x, query, 1, nil, distinct)
		if err != nil || len(hits) != 1 || hits[0].Slot != n-1 || x.Len() != int(n)-1 || x.VectorAt(0) != nil {
			t.Errorf("found %v of %d (error %v)", hits, x.Len(), err)
		}
	})
	t.Run("cosine", func(t *testing.T) {
		x := filled(t)
		x.Delete(0)
		if c, ok := x.Compare(query)(n / 2); !ok || math.Abs(c-0.5) > off {
			t.Errorf("it is %v, %t", c, ok)
		}
		for _, s := range []rank.Slot{0, n, 1000 * n} {
			if _, ok := x.Compare(query)(s); ok {
				t.Errorf("slot %d has one", s)
			}
		}
		if _, ok := newIndex().Compare(query)(0); ok {
			t.Error("there is one before the first vector")
		}
	})
	t.Run("what does not fit", func(t *testing.T) {
		x := newIndex()
		if err := x.Put(1, query); err != nil {
			t.Fatal(err)
		}
		with := func(first float32) []float32 { return append([]float32{first}, make([]float32, len(query)-1)...) }
		for name, vec := range map[string][]float32{
			"none": nil, "other length": {1, 0, 0}, "zero": with(0), "not a number": with(float32(math.NaN())), "infinite": with(float32(math.Inf(1))), "not of unit length": with(3),
		} {
			if err := x.Put(2, vec); err == nil || CanCompare(x, vec) {
				t.Errorf("%s: accepted", name)
			}
			if _, err := x.TopK(t.Context(), [][]float32{query, vec}, 1, nil, distinct); err == nil {
				t.Errorf("%s: accepted as a query", name)
			}
		}
		if hits, err := topOf(t, x, query, 1, nil, distinct); err != nil || len(hits) != 1 {
			t.Errorf("after refusals: %v, %v", hits, err)
		}
	})
	t.Run("given up", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := filled(t).TopK(ctx, [][]float32{query}, 3, rank.NewFilter(int(n)), distinct); !errors.Is(err, context.Canceled) {
			t.Errorf("ended with %v", err)
		}
	})
	t.Run("snapshot", func(t *testing.T) {
		x := filled(t)
		x.Delete(3)
		slots := []rank.Slot{5, 3, n - 1}
		s := TakeSnapshot(x, slots)
		want, wantLast := x.VectorAt(5), x.VectorAt(n-1)
		x.Delete(5)
		for _, s := range []rank.Slot{5, n - 1} { // what comes later is not in it
			if err := x.Put(s, at(6)); err != nil {
				t.Fatal(err)
			}
		}
		again, err := loaded(len(slots), s.Dimensions, Precision16Bits, written(t, s))
		if err != nil {
			t.Fatal(err)
		}
		if s.CountMissingVectors() != 1 || again.Len() != 2 || again.VectorAt(1) != nil || !slices.Equal(again.VectorAt(0), want) || !slices.Equal(again.VectorAt(2), wantLast) {
			t.Errorf("loaded %d vectors: %v, %v, %v", again.Len(), again.VectorAt(0), again.VectorAt(1), again.VectorAt(2))
		}
		if cosine := float64(dotProduct(again.VectorAt(0), at(5))); math.Abs(cosine-1) > off || !IsUnitVector(again.VectorAt(0)) {
			t.Errorf("what was put and what was loaded have the cosine %v", cosine)
		}
	})
}

// written holds the sections of a snapshot in memory.
func written(t testing.TB, s *SavedVectors) (sections [][]byte) {
	t.Helper()
	for section := range s.Sections() {
		var out bytes.Buffer
		if err := section.Write(&out); err != nil {
			t.Fatal(err)
		}
		sections = append(sections, out.Bytes())
	}
	return sections
}

func loaded(chunks, dimensions int, p Precision, sections [][]byte) (Index, error) {
	l, err := NewIndexLoader(chunks, dimensions, p, func(n int, _ []byte) ([]byte, error) { return sections[n], nil })
	if err != nil {
		return nil, err
	}
	for _, step := range l.Steps() {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return l.Index(), nil
}

// TestSnapshotInPieces is of more chunks than a piece has.
func TestSnapshotInPieces(t *testing.T) {
	x, slots := newChromemIndex(), []rank.Slot(nil)
	for s := range rank.Slot(2*chunksPerSection + 1) {
		slots = append(slots, s)
		if err := x.Put(s, at(s)); err != nil {
			t.Fatal(err)
		}
	}
	sections := written(t, TakeSnapshot(x, slots))
	if len(sections) != 4 || SnapshotSectionCount(len(slots)) != 4 || SnapshotSectionCount(0) != 1 || SnapshotSectionCount(chunksPerSection) != 2 {
		t.Errorf("%d sections", len(sections))
	}
	again, err := loaded(len(slots), 2, Precision16Bits, sections)
	if err != nil || again.Len() != len(slots) || !slices.Equal(again.VectorAt(2*chunksPerSection), at(2*chunksPerSection)) {
		t.Errorf("loaded with %v", err)
	}
	for _, fault := range again.(*GrowingIndex).FindInconsistencies() {
		t.Error(fault)
	}
}

// TestLoadRefuses sections that do not fit each other.
func TestLoadRefuses(t *testing.T) {
	x := newChromemIndex()
	if err := x.Put(0, unit(1, 0)); err != nil {
		t.Fatal(err)
	}
	for name, harm := range map[string]func(chunks, dimensions *int, sections [][]byte){
		"another number of chunks": func(chunks, _ *int, _ [][]byte) { *chunks++ },
		"other dimensions":         func(_, dimensions *int, _ [][]byte) { *dimensions++ },
		"no dimensions":            func(_, dimensions *int, sections [][]byte) { *dimensions, sections[1] = 0, nil },
		"dimensions of no model":   func(_, dimensions *int, _ [][]byte) { *dimensions = maxDimensions + 1 },
		"neither there nor not":    func(_, _ *int, sections [][]byte) { sections[0][0] = byte(forms) },
		"codes told to be floats":  func(_, _ *int, sections [][]byte) { sections[0][0] = byte(inCodes) },
		"a vector more than told":  func(_, _ *int, sections [][]byte) { sections[0][0] = 0 },
		"a vector that is cut off": func(_, _ *int, sections [][]byte) { sections[1] = sections[1][:7] },
		"not of unit length":       func(_, _ *int, sections [][]byte) { clear(sections[1]) },
	} {
		chunks, dimensions, sections := 1, 2, written(t, TakeSnapshot(x, []rank.Slot{0}))
		harm(&chunks, &dimensions, sections)
		if _, err := loaded(chunks, dimensions, Precision16Bits, sections); !errors.Is(err, blob.ErrDamaged) {
			t.Errorf("%s: loaded with %v", name, err)
		}
	}
}

// TestLoadRefusesCodes that quantize does not make.
func TestLoadRefusesCodes(t *testing.T) {
	x := new(quantizedIndex)
	if err := x.Put(0, unit(1, 1)); err != nil {
		t.Fatal(err)
	}
	for name, harm := range map[string]func(sections [][]byte){
		"nothing":    func(sections [][]byte) { clear(sections[1]) },
		"cut off":    func(sections [][]byte) { sections[1] = sections[1][:3] },
		"other form": func(sections [][]byte) { sections[0] = []byte{byte(inPlanes)} },
		"both forms": func(sections [][]byte) { sections[0] = []byte{byte(inCodes), byte(inFloats)} },
	} {
		sections := written(t, TakeSnapshot(x, []rank.Slot{0}))
		harm(sections)
		if _, err := loaded(len(sections[0]), 2, Precision16Bits, sections); !errors.Is(err, blob.ErrDamaged) {
			t.Errorf("%s: loaded with %v", name, err)
		}
	}
}

// TestLoadRefusesPlanes that are too few or too many. Any bits of the right number are
// a vector.
func TestLoadRefusesPlanes(t *testing.T) {
	x := new(fourBitIndex)
	if err := x.Put(0, unit(1, 1)); err != nil {
		t.Fatal(err)
	}
	sections := written(t, TakeSnapshot(x, []rank.Slot{0}))
	for _, some := range [][]byte{nil, sections[1][1:], append(sections[1], 0)} {
		if _, err := loaded(1, 2, Precision4Bits, [][]byte{sections[0], some}); !errors.Is(err, blob.ErrDamaged) {
			t.Errorf("%d bytes: loaded with %v", len(some), err)
		}
	}
	for _, bits := range []byte{0, 0xff, 0x55} {
		again, err := loaded(1, 2, Precision4Bits, [][]byte{sections[0], bytes.Repeat([]byte{bits}, len(sections[1]))})
		if err != nil || !IsUnitVector(again.VectorAt(0)) {
			t.Errorf("of %x there is %v (error %v)", bits, again, err)
		}
	}
}

// TestFaultsAreNoticed makes them by hand.
func TestFaultsAreNoticed(t *testing.T) {
	x := newChromemIndex()
	if err := x.Put(0, unit(1, 0)); err != nil {
		t.Fatal(err)
	}
	if faults := x.findInconsistencies(); len(faults) > 0 {
		t.Errorf("before: %q", faults)
	}
	x.bySlot[0] = unit(0, 1)
	if len(x.findInconsistencies()) == 0 {
		t.Error("another vector is not noticed")
	}
	x.bySlot[0] = nil
	if len(x.findInconsistencies()) == 0 {
		t.Error("a vector of none is not noticed")
	}
	q := new(quantizedIndex)
	if err := q.Put(0, unit(1, 0)); err != nil || len(q.findInconsistencies()) > 0 {
		t.Errorf("before: %q (error %v)", q.findInconsistencies(), err)
	}
	q.bySlot[0].numbers[0] = 7
	if len(q.findInconsistencies()) == 0 {
		t.Error("another length is not noticed")
	}
	q.bySlot[0] = quantize(unit(0, 1))
	if len(q.findInconsistencies()) == 0 {
		t.Error("another sketch is not noticed")
	}
	q.bySlot[0] = quantizedVector{}
	if len(q.findInconsistencies()) == 0 {
		t.Error("a wrong count is not noticed")
	}
}

// TestOneCopy: a vector is in memory once, whether it was put or loaded.
func TestOneCopy(t *testing.T) {
	put := newChromemIndex()
	for s := range rank.Slot(100) {
		if err := put.Put(s, at(s)); err != nil {
			t.Fatal(err)
		}
	}
	again, err := loaded(1, 2, Precision16Bits, written(t, TakeSnapshot(put, []rank.Slot{7})))
	if err != nil {
		t.Fatal(err)
	}
	for name, x := range map[string]*chromemIndex{"put": put, "loaded": again.(*GrowingIndex).Index.(*chromemIndex)} {
		found, err := x.collection.QueryEmbedding(t.Context(), unit(1, 0), x.Len(), nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range found {
			s, err := strconv.Atoi(r.ID)
			if err != nil || &r.Embedding[0] != &x.bySlot[s][0] {
				t.Fatalf("%s: the collection has another copy of %s (error %v)", name, r.ID, err)
			}
		}
	}
}
