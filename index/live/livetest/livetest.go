// Package livetest contains the test suite that each implementation of live.ChunkIndex must pass.
package livetest

import (
	"crypto/sha256"
	"fmt"
	"testing"

	"vademecum/docs/text"
	"vademecum/index/indextest"
	"vademecum/index/lexical/analysis"
	"vademecum/index/live"
	"vademecum/index/rank"
	"vademecum/index/store/catalog"
)

// newEntry returns a document with one chunk for each text.
func newEntry(path string, texts ...string) catalog.RecordWithBody {
	e := catalog.RecordWithBody{Record: catalog.Record{Path: path}}
	for i, words := range texts {
		at, sum := len(e.Body.Text), sha256.Sum256([]byte(words))
		e.Body.Text += words
		e.Chunks = append(e.Chunks, catalog.Chunk{
			Span: text.Span{StartByte: at, EndByte: at + len(words), StartLine: i + 1, EndLine: i + 1},
			Key:  catalog.EmbeddingKey(sum[:len(catalog.EmbeddingKey{})]), ContentHash: rank.ChunkTextHashOf(words), Terms: analysis.CountTerms(analysis.ChunkNames{}, words),
		})
	}
	return e
}

// TestEmbedding checks that a store that embeds, one that follows it and one that is loaded
// afterwards agree on which chunks have no vector, after refusals, forgotten refusals, and vectors
// dropped because of another length. open must return a store of the same folder each time, and
// check and close it at the end of the test. TestEmbedding returns the store that embeds, in which
// two, four and five have vectors and six has none.
func TestEmbedding(t *testing.T, open func() *live.Store) (first *live.Store) {
	must := func(err error) { t.Helper(); indextest.Must(t, err) }
	first, other := open(), open()
	put := func(documents ...catalog.RecordWithBody) { t.Helper(); must(first.Put(t.Context(), 0, documents...)) }
	agree := func(step string, unembedded, pending int) {
		t.Helper()
		_, err := other.Follow(t.Context(), 0)
		must(err)
		for who, st := range map[string]*live.Store{"who embeds": first, "who follows": other, "who begins now": open()} {
			if n, p := st.CountMissingVectors(0), st.CountPendingChunks(st.DocumentsToEmbed()); n != unembedded || p != pending || st.HasPendingChunks(func(int) bool { return true }) != (pending > 0) {
				t.Errorf("%s, %s: %d have no vector and %d are to be embedded, want %d and %d", step, who, n, p, unembedded, pending)
			}
		}
	}
	var many []string
	for i := range 130 { // more than two words of a ChunkSet
		many = append(many, fmt.Sprint("many ", i))
	}
	put(newEntry("a.md", "one", "two", "odd"), newEntry("b.md", many...))
	agree("at first", 133, 133)
	embedChunks(t, first, 4, "odd")
	agree("embedded", 1, 0)
	put(newEntry("a.md", "one", "two", "three", "odd"), newEntry("c.md", "four"))
	agree("a document in the place of one", 3, 2)
	embedChunks(t, first, 4, "odd")
	agree("that embedded", 1, 0)
	if all, err := other.RefusedChunks(t.Context()); err != nil || len(all) != 1 || all[0].Document.Path != "a.md" || all[0].Number != 3 || all[0].Reason != "it is odd" {
		t.Errorf("refused are %+v, %v", all, err)
	}
	must(first.Remove(t.Context(), 0, "b.md"))
	must(first.ClearRefusals(t.Context(), 0))
	put(newEntry("d.md", "five")) // otherwise followers do not notice the change
	agree("forgiven", 2, 2)
	embedChunks(t, first, 8, "") // with another length, so that all vectors are replaced
	embedChunks(t, first, 8, "")
	agree("by another model of that name", 0, 0)
	put(newEntry("e.md", "two", "six"))
	agree("with a text that has one", 1, 1)
	must(first.Remove(t.Context(), 0, "a.md"))
	agree("without a document", 1, 1)
	must(first.PruneVectors(t.Context(), 0))
	agree("pruned", 1, 1)
	return first
}

// embedChunks saves vectors of the given length for the chunks that need one, except those with a
// text that is refused.
func embedChunks(t *testing.T, st *live.Store, length int, refusedText string) {
	t.Helper()
	for _, d := range st.DocumentsToEmbed() {
		chunks, whole, err := st.UnembeddedChunks(t.Context(), d)
		if err != nil || !whole {
			t.Fatal(whole, err)
		}
		vectors, refused := make(map[catalog.EmbeddingKey][]float32), make(map[catalog.EmbeddingKey]string)
		for _, w := range chunks {
			if w.Input == refusedText {
				refused[w.Key] = "it is odd"
				continue
			}
			vectors[w.Key] = make([]float32, length)
			vectors[w.Key][len(vectors)%length] = 1
		}
		if vec := make([]float32, length); len(vectors) > 0 && st.HasOtherLength(vec) {
			indextest.Must(t, st.DropVectorsOfOtherLength(t.Context(), vec))
		}
		indextest.Must(t, st.SaveVectors(t.Context(), 0, vectors))
		indextest.Must(t, st.RecordRefusals(t.Context(), 0, chunks, refused))
		indextest.Must(t, st.AttachVectors(chunks, vectors))
	}
}
