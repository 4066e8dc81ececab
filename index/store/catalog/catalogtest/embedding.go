package catalogtest

import (
	"context"
	"maps"
	"slices"
	"testing"
	"time"

	"vademecum/docs/kind"
	"vademecum/docs/text"
	"vademecum/index/lexical"
	"vademecum/index/lexical/analysis"
	"vademecum/index/rank"
	"vademecum/index/store/catalog"
)

// EmbeddingCatalog is a catalogue that reports which of its chunks have vectors of the model in
// use, for a store that holds the documents in memory but not their chunks. Chunks are identified
// by their slots in the catalogue.
type EmbeddingCatalog interface {
	catalog.Catalog

	// VectorDimensions returns the number of dimensions of the vectors, or 0 if there are none.
	VectorDimensions(ctx context.Context) (int, error)
	// UnembeddedSlots lists the slots in a range whose chunks have no vector, in order.
	UnembeddedSlots(ctx context.Context, in lexical.SlotRange) ([]uint32, error)
	// SlotsEmbeddedAfter lists the slots whose chunks have a vector saved after the given row.
	SlotsEmbeddedAfter(ctx context.Context, after int64) ([]uint32, error)
	// RecordRefusals records why the model returned no vectors for texts, and ClearRefusals deletes all
	// recorded reasons.
	RecordRefusals(ctx context.Context, reasons map[catalog.EmbeddingKey]string) error
	ClearRefusals(ctx context.Context) error
	// RefusedSlots returns the slots of the chunks for which the model returned no vectors, as recorded
	// after the given time, with the reasons.
	RefusedSlots(ctx context.Context, after time.Time) (map[uint32]string, error)
	// ChunksAt returns the chunks in slots, without their terms.
	ChunksAt(ctx context.Context, slots []uint32) (map[uint32]catalog.Chunk, error)
	// RecordFirstUnembeddedSlot records which chunks have vectors or were refused, so that Unembedded need not
	// check them again.
	RecordFirstUnembeddedSlot(ctx context.Context) error
	// IsVectorIndexDue reports whether there are so many vectors that a vector index is needed to find
	// the nearest without comparing all of them, and this index is missing.
	IsVectorIndexDue(ctx context.Context) (bool, error)
	// IndexVectors builds the vector index if it is due. That may take many minutes, during which
	// others can work, and it calls tell with the number of vectors indexed from time to time. The
	// error matches catalog.ErrMayNotIndexVectors if only the operator of the database may build the index.
	IndexVectors(ctx context.Context, tell func(done, total int)) error
}

// TestEmbedding runs the tests of an EmbeddingCatalog. folder is as in Test.
func TestEmbedding(t *testing.T, folder func(t *testing.T) (open func(model string) EmbeddingCatalog)) {
	for name, test := range map[string]func(*testing.T, func(string) EmbeddingCatalog){
		"vectors have a length":               testDimensions,
		"chunks without vectors":              testUnembedded,
		"what has vectors may be noted":       testMarkEmbedded,
		"what was given since":                testEmbeddedAfter,
		"chunks are refused":                  testRefused,
		"chunks by their slots":               testChunksAt,
		"few vectors are found without index": testIndexVectors,
	} {
		t.Run(name, func(t *testing.T) {
			open := folder(t)
			test(t, func(model string) EmbeddingCatalog {
				c := open(model)
				t.Cleanup(func() { must(t, c.Close()) })
				return c
			})
		})
	}
}

// chunkOf returns a chunk whose text has the given key.
func chunkOf(key byte) catalog.Chunk {
	return catalog.Chunk{Span: text.Span{EndByte: 4, StartLine: 1, EndLine: 1}, Key: catalog.EmbeddingKey{key}, ContentHash: rank.ChunkTextHash{key}, Terms: analysis.CountTerms(analysis.ChunkNames{}, "word")}
}

// putChunks puts a document of chunks with the given keys and returns their slots.
func putChunks(t *testing.T, c catalog.Catalog, path string, keys ...byte) lexical.SlotRange {
	t.Helper()
	e := catalog.RecordWithBody{Record: catalog.Record{Path: path}, Body: text.Body{Text: "word"}}
	for _, key := range keys {
		e.Chunks = append(e.Chunks, chunkOf(key))
	}
	w, err := c.Put(t.Context(), e)
	must(t, err)
	if slotsOf(w, 0).Count != uint32(len(keys)) {
		t.Fatalf("%d chunks have the slots %+v", len(keys), w.SlotRanges)
	}
	return w.SlotRanges[0]
}

// saveVectors saves a vector for each key.
func saveVectors(t *testing.T, c catalog.Catalog, keys ...byte) {
	t.Helper()
	vectors := make(map[catalog.EmbeddingKey][]float32)
	for _, key := range keys {
		vectors[catalog.EmbeddingKey{key}] = []float32{0.6, 0.8}
	}
	must(t, c.SaveVectors(t.Context(), "", vectors))
}

// wantUnembedded checks which chunks of a range have no vector; want holds their positions in the
// range.
func wantUnembedded(t *testing.T, when string, c EmbeddingCatalog, in lexical.SlotRange, want ...uint32) {
	t.Helper()
	for i := range want {
		want[i] += in.First
	}
	if got, err := c.UnembeddedSlots(t.Context(), in); err != nil || !slices.Equal(got, want) {
		t.Errorf("%s: %v of %+v have no vector, want %v, %v", when, got, in, want, err)
	}
}

func testDimensions(t *testing.T, open func(string) EmbeddingCatalog) {
	c, other := open("m"), open("n")
	length := func(c EmbeddingCatalog, want int) {
		t.Helper()
		if n, err := c.VectorDimensions(t.Context()); err != nil || n != want {
			t.Errorf("they have %d dimensions, want %d, %v", n, want, err)
		}
	}
	length(c, 0)
	saveVectors(t, c, 1)
	length(c, 2)
	length(other, 0)
	must(t, c.DeleteVectors(t.Context()))
	length(open("m"), 0)
}

func testUnembedded(t *testing.T, open func(string) EmbeddingCatalog) {
	c, other := open("m"), open("n")
	a := putChunks(t, c, "a.md", 1, 2, 3)
	wantUnembedded(t, "at first", c, a, 0, 1, 2)
	saveVectors(t, c, 2)
	wantUnembedded(t, "with a vector", c, a, 0, 2)
	wantUnembedded(t, "in a part", c, lexical.SlotRange{First: a.First + 1, Count: 2}, 1)
	wantUnembedded(t, "for another process", open("m"), a, 0, 2)
	wantUnembedded(t, "by another model", other, a, 0, 1, 2)
	b := putChunks(t, c, "b.md", 2, 4, 4)
	wantUnembedded(t, "of a text that has one", c, b, 1, 2)
	both := lexical.SlotRange{First: a.First, Count: b.First + b.Count - a.First}
	wantUnembedded(t, "of two documents", c, both, 0, 2, b.First-a.First+1, b.First-a.First+2)
	_, err := c.Remove(t.Context(), "b.md")
	must(t, err)
	wantUnembedded(t, "of one that is left", c, both, 0, 2)
	must(t, c.DeleteVectors(t.Context()))
	wantUnembedded(t, "dropped", c, a, 0, 1, 2)
	wantUnembedded(t, "in none", c, lexical.SlotRange{First: a.First})
}

// testMarkEmbedded checks that calling RecordFirstUnembeddedSlot, at any time, does not change the results.
func testMarkEmbedded(t *testing.T, open func(string) EmbeddingCatalog) {
	c := open("m")
	a := putChunks(t, c, "a.md", 1, 2, 3)
	note := func() {
		t.Helper()
		must(t, c.RecordFirstUnembeddedSlot(t.Context()))
	}
	note()
	wantUnembedded(t, "without any", c, a, 0, 1, 2)
	saveVectors(t, c, 1)
	must(t, c.RecordRefusals(t.Context(), map[catalog.EmbeddingKey]string{{2}: "odd"}))
	note()
	wantUnembedded(t, "with one", c, a, 1, 2)
	saveVectors(t, c, 3)
	note()
	wantUnembedded(t, "with all but one that is refused", c, a, 1)
	must(t, c.ClearRefusals(t.Context()))
	wantUnembedded(t, "forgiven", open("m"), a, 1)
	saveVectors(t, c, 2)
	note()
	wantUnembedded(t, "with all", c, a)
	wantUnembedded(t, "by another model", open("n"), a, 0, 1, 2)
	b := putChunks(t, c, "a.md", 3, 4)
	wantUnembedded(t, "written anew", c, b, 1)
	must(t, c.DeleteVectors(t.Context()))
	wantUnembedded(t, "dropped", open("m"), b, 0, 1)
	saveVectors(t, c, 4)
	wantUnembedded(t, "given again", c, b, 0)
}

func testEmbeddedAfter(t *testing.T, open func(string) EmbeddingCatalog) {
	c := open("m")
	a, b := putChunks(t, c, "a.md", 1, 2), putChunks(t, c, "b.md", 2, 3)
	since := func(row int64, want ...uint32) {
		t.Helper()
		got, err := open("m").SlotsEmbeddedAfter(t.Context(), row)
		slices.Sort(got)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("since %d those at %v were given, want %v, %v", row, got, want, err)
		}
	}
	last := func() int64 {
		t.Helper()
		_, row, err := c.VectorsSavedAfter(t.Context(), 0)
		must(t, err)
		return row
	}
	first := last()
	since(first)
	saveVectors(t, c, 2, 9)
	since(first, a.First+1, b.First)
	second := last()
	saveVectors(t, open("n"), 1)
	saveVectors(t, c, 1, 2)
	since(second, a.First)
	since(first, a.First, a.First+1, b.First)
	since(last())
}

func testRefused(t *testing.T, open func(string) EmbeddingCatalog) {
	c := open("m")
	a, b := putChunks(t, c, "a.md", 1, 2), putChunks(t, c, "b.md", 2, 3)
	must(t, c.RecordRefusals(t.Context(), map[catalog.EmbeddingKey]string{{2}: "too\x00long", {9}: "of no chunk"}))
	refused := func(c EmbeddingCatalog, after time.Time, want map[uint32]string) {
		t.Helper()
		if got, err := c.RefusedSlots(t.Context(), after); err != nil || !maps.Equal(got, want) {
			t.Errorf("refused are %v, want %v, %v", got, want, err)
		}
	}
	refused(open("m"), time.Now().Add(-time.Hour), map[uint32]string{a.First + 1: "too\x00long", b.First: "too\x00long"})
	refused(c, time.Now().Add(time.Hour), nil)
	refused(open("n"), time.Time{}, nil)
	wantUnembedded(t, "refused", c, a, 0, 1)
	must(t, c.ClearRefusals(t.Context()))
	refused(c, time.Time{}, nil)
}

func testChunksAt(t *testing.T, open func(string) EmbeddingCatalog) {
	c := open("m")
	e := entryOf("a.md", "two halves")
	w, err := c.Put(t.Context(), e)
	must(t, err)
	run := slotsOf(w, 0)
	found, err := open("m").ChunksAt(t.Context(), []uint32{run.First + 1, run.First, run.First + run.Count})
	if err != nil || len(found) != 2 {
		t.Fatalf("there are %v, %v", found, err)
	}
	for i, want := range e.Chunks {
		got := found[run.First+uint32(i)]
		if got.Span != want.Span || !slices.Equal(got.Heading, want.Heading) || got.Key != want.Key || got.ContentHash != want.ContentHash || got.Traits != want.Traits {
			t.Errorf("chunk %d is %+v, want %+v", i, got, want)
		}
	}
	if found[run.First].Traits == (kind.Traits{}) {
		t.Error("a mark that was put is not compared")
	}
}

func testIndexVectors(t *testing.T, open func(string) EmbeddingCatalog) {
	c := open("m")
	for range 2 {
		if due, err := c.IsVectorIndexDue(t.Context()); err != nil || due {
			t.Errorf("an index is due: %t, %v", due, err)
		}
		must(t, c.IndexVectors(t.Context(), func(int, int) { t.Error("it makes one") }))
		saveVectors(t, c, 1, 2, 3)
	}
}
