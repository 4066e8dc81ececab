package local

import (
	"context"
	"strings"
	"testing"
	"time"

	"vademecum/embed/local/localtest"
)

// Shapes of models in use: all-MiniLM-L6-v2, and multilingual-e5-small or
// granite-embedding-97m.
var (
	six    = localtest.Shape{Hidden: 384, Layers: 6, Heads: 12, Inner: 1536, Positions: 512, Window: 128}
	twelve = localtest.Shape{Hidden: 384, Layers: 12, Heads: 12, Inner: 1536, Positions: 512, Window: 128}
)

// BenchmarkEmbed measures passages of 128 tokens and questions of 10. With -cpu 1 it shows
// what one processor does.
func BenchmarkEmbed(b *testing.B) {
	for _, c := range []struct {
		name, architecture string
		shape              localtest.Shape
	}{{"bert-6", "bert", six}, {"xlm-roberta-12", "xlm-roberta", twelve}, {"modernbert-12", "modernbert", twelve}} {
		m := open(b, localtest.Write(b, c.architecture, c.shape))
		for _, kind := range []struct {
			name     string
			question bool
			texts    []string
		}{
			{"passages", false, []string{strings.Repeat("water ", 126), strings.Repeat("bread ", 126), strings.Repeat("salt ", 126), strings.Repeat("note ", 126)}},
			{"question", true, []string{"should the patient avoid salt in bread"}},
		} {
			b.Run(c.name+"/"+kind.name, func(b *testing.B) {
				for b.Loop() {
					if _, err := m.Embed(b.Context(), kind.question, kind.texts); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.N*len(kind.texts))/b.Elapsed().Seconds(), "texts/s")
			})
		}
	}
}

// BenchmarkQuestionMeanwhile measures questions while 10,000 passages are being embedded.
func BenchmarkQuestionMeanwhile(b *testing.B) {
	m := open(b, localtest.Write(b, "bert", six))
	ctx, stop := context.WithCancel(b.Context())
	ended := make(chan struct{})
	passages := make([]string, 10_000)
	for i := range passages {
		passages[i] = strings.Repeat("water ", 126)
	}
	go func() {
		defer close(ended)
		for ctx.Err() == nil {
			_, _ = m.Embed(ctx, false, passages)
		}
	}()
	for b.Loop() {
		b.StopTimer()
		time.Sleep(20 * time.Millisecond) // passages get on
		b.StartTimer()
		if _, err := m.Embed(b.Context(), true, []string{"should the patient avoid salt in bread"}); err != nil {
			b.Fatal(err)
		}
	}
	stop()
	<-ended
}
