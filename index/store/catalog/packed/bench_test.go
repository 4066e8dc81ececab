package packed

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"vademecum/docs/text"
	"vademecum/index/lexical/analysis"
	"vademecum/index/store/catalog"
)

// BenchmarkPackChunks packs notes of a chunk or two, and books of many.
func BenchmarkPackChunks(b *testing.B) {
	for _, count := range []int{1, 2, 1000} {
		b.Run(fmt.Sprint(count), func(b *testing.B) {
			random := rand.New(rand.NewPCG(1, 2))
			var chunks []catalog.Chunk
			for i := range count {
				var words strings.Builder
				for range 150 {
					fmt.Fprintf(&words, "word%d ", int(random.ExpFloat64()*2000))
				}
				chunks = append(chunks, catalog.Chunk{Span: text.Span{StartByte: i, EndByte: i + 1}, Terms: analysis.CountTerms(analysis.ChunkNames{}, words.String())})
			}
			packed := PackChunks(chunks)
			for b.Loop() {
				if !bytes.Equal(PackChunks(chunks), packed) {
					b.Fatal("it is not the same again")
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(count), "ns/chunk")
		})
	}
}
