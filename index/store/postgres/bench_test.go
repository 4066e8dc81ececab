package postgres

import (
	"fmt"
	"strings"
	"testing"

	"vademecum/docs/text"
	"vademecum/index/lexical/analysis"
	"vademecum/index/store/catalog"
)

// papers are documents of ten chunks of about 600 bytes.
func papers(n int) []catalog.RecordWithBody {
	const chunks, words = 10, 100
	all := make([]catalog.RecordWithBody, n)
	for i := range all {
		e := &all[i]
		e.Path, e.Title, e.TextHash = fmt.Sprintf("folder %d/paper %d.md", i%50, i), "A paper", [32]byte{byte(i)}
		var whole strings.Builder
		for k := range chunks {
			start := whole.Len()
			for w := range words {
				fmt.Fprintf(&whole, "w%d ", (i*31+k*17+w*w)%5000)
			}
			e.Chunks = append(e.Chunks, catalog.Chunk{
				Span: text.Span{StartByte: start, EndByte: whole.Len(), StartLine: k + 1, EndLine: k + 2}, Heading: []string{"A", "B"},
				Key: catalog.EmbeddingKey{byte(i), byte(i >> 8), byte(k)}, Terms: analysis.CountTerms(analysis.ChunkNames{}, whole.String()[start:]),
			})
		}
		e.Body.Text = whole.String()
	}
	return all
}

// BenchmarkPut commits a hundred documents, a thousand passages, at a time.
func BenchmarkPut(b *testing.B) {
	c, all := named(b, serving(b), anyName()), papers(100)
	for b.Loop() {
		_, err := c.Put(b.Context(), all...)
		must(b, err)
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/1000, "µs/passage")
}

// BenchmarkPutOne commits one document: somebody has saved a file.
func BenchmarkPutOne(b *testing.B) {
	c, all := named(b, serving(b), anyName()), papers(1)
	for b.Loop() {
		_, err := c.Put(b.Context(), all...)
		must(b, err)
	}
}

// BenchmarkEachPage lists a thousand documents without their chunks.
func BenchmarkEachPage(b *testing.B) {
	c, all := named(b, serving(b), anyName()), papers(1000)
	for i := range all {
		all[i].Chunks = nil
	}
	_, err := c.Put(b.Context(), all...)
	must(b, err)
	c.OmitChunksWhenListing()
	b.ReportAllocs()
	for b.Loop() {
		must(b, c.EachPage(b.Context(), func([]catalog.Record) error { return nil }))
	}
}

// BenchmarkBodies reads the texts for an answer.
func BenchmarkBodies(b *testing.B) {
	c := named(b, serving(b), anyName())
	all := papers(20)
	w, err := c.Put(b.Context(), all...)
	must(b, err)
	hashes := make(map[int64][32]byte)
	for i, id := range w.IDs {
		hashes[id] = all[i].TextHash
	}
	for b.Loop() {
		_, err := c.LoadBodies(b.Context(), hashes)
		must(b, err)
	}
}

// BenchmarkVersion asks whether there is something new, as each question does.
func BenchmarkVersion(b *testing.B) {
	c := named(b, serving(b), anyName())
	for b.Loop() {
		_, err := c.ForeignVersion(b.Context())
		must(b, err)
	}
}

// BenchmarkSaveVectors saves a hundred vectors of 384 numbers.
func BenchmarkSaveVectors(b *testing.B) {
	c, n := named(b, serving(b), anyName()), 0
	for b.Loop() {
		vectors := make(map[catalog.EmbeddingKey][]float32)
		for range 100 {
			n++
			v := make([]float32, 384)
			v[n%384] = 1
			vectors[catalog.EmbeddingKey{byte(n), byte(n >> 8), byte(n >> 16)}] = v
		}
		must(b, c.SaveVectors(b.Context(), "", vectors))
	}
}
