package embed

import (
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"
)

// BenchmarkThroughput compares one request after the other with what the
// limiter lets be in flight, at a server elsewhere that takes 50 ms to answer.
func BenchmarkThroughput(b *testing.B) {
	clearEnvironment(b)
	s := &apiServer{mostTexts: batchTexts, latency: 50 * time.Millisecond}
	s.Server = httptest.NewServer(http.HandlerFunc(s.ServeHTTP))
	b.Cleanup(s.Close)
	texts := manyTexts(64 * 160)
	rate := func(b *testing.B) float64 { return float64(b.N*len(texts)) / b.Elapsed().Seconds() }

	b.Run("one at a time", func(b *testing.B) {
		r := newRemoteFor(b, s.URL+"/v1#m")
		for b.Loop() {
			for at := 0; at < len(texts); at += r.Properties().BatchSize() {
				if _, err := r.Embed(b.Context(), Passage, texts[at:at+r.Properties().BatchSize()]); err != nil {
					b.Fatal(err)
				}
			}
		}
		b.ReportMetric(rate(b), "texts/s")
	})
	b.Run("limiter", func(b *testing.B) {
		r := newRemoteFor(b, s.URL+"/v1#m")
		r.limiter, r.sizes = newConcurrencyLimiter(false), newBatchSizes(false)
		for b.Loop() {
			var group sync.WaitGroup
			calls := make(chan []string)
			for range MaxUsefulConcurrentCalls {
				group.Go(func() {
					for call := range calls {
						if _, err := r.Embed(b.Context(), Passage, call); err != nil {
							b.Error(err)
						}
					}
				})
			}
			for at := 0; at < len(texts); at += r.Properties().BatchSize() {
				calls <- texts[at : at+r.Properties().BatchSize()]
			}
			close(calls)
			group.Wait()
		}
		b.ReportMetric(rate(b), "texts/s")
	})
}
