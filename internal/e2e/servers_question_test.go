package e2e

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"
)

// BenchmarkQuestion reports how long a host waits for the answer of retrieve_docs, what
// was saved a moment before included: the time from writing the request to having read
// the answer, at the median and at the 99th percentile. With -short the largest folders
// are left out.
func BenchmarkQuestion(b *testing.B) {
	for _, chunks := range []int{232, 5000, 10_000, 100_000, 1_000_000} {
		b.Run(fmt.Sprintf("%dchunks", chunks), func(b *testing.B) {
			if chunks > 10_000 && testing.Short() {
				b.Skip("takes minutes to set up")
			}
			folder, index := writeNotes(b, chunks), indexFile(b)
			if out, err := vademecum(b, "index", folder, "--index", index).CombinedOutput(); err != nil {
				b.Fatalf("%v, %s", err, out)
			}
			h := newHost(b, folder, "--index", index)
			h.initialize()
			h.tool("index_docs", `{}`)
			for _, k := range []int{5, 20} {
				for _, also := range []int{0, 3} {
					b.Run(fmt.Sprintf("k=%d/also=%d", k, also), func(b *testing.B) { h.ask(b, k, also) })
				}
			}
		})
	}
}

// ask requests k passages, with a number of rewordings.
func (h *host) ask(b *testing.B, k, also int) {
	talk := notes()
	var took []time.Duration
	for b.Loop() {
		arguments := map[string]any{"query": talk.words(6), "top_k": k}
		if also > 0 {
			var wordings []string
			for range also {
				wordings = append(wordings, talk.words(6))
			}
			arguments["also"] = wordings
		}
		text, err := json.Marshal(arguments)
		if err != nil {
			b.Fatal(err)
		}
		start := time.Now()
		if answer, failed := h.tool("retrieve_docs", string(text)); failed {
			b.Fatal(answer)
		}
		took = append(took, time.Since(start))
	}
	slices.Sort(took)
	at := func(part float64) float64 {
		return float64(took[int(part*float64(len(took)-1))].Microseconds()) / 1000
	}
	b.ReportMetric(at(0.5), "ms/p50")
	b.ReportMetric(at(0.99), "ms/p99")
	b.ReportMetric(0, "ns/op")
}
